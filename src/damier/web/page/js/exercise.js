// Exercises on random trees. The server checks the node values, the pruned branches and the move.

import { h, replace, labelled } from "./dom.js";
import { t } from "./i18n.js";
import { get, post } from "./api.js";
import { lessonLink, stageOf, tabs } from "./learn.js";
import { drawNode } from "../lessons/stepper.js";

const NUMBERS = { seed: [0, 2 ** 31 - 1], depth: [1, 6], branching: [1, 4] };
const DEFAULTS = { algorithm: "alphabeta", depth: 3, branching: 2 };
const newSeed = () => Math.floor(Math.random() * 100000);

export async function exercisePage(main, _, query) {
  const { exercises } = await get("lessons");
  const wanted = { ...DEFAULTS, seed: newSeed(), ...Object.fromEntries(query) };
  const link = (values) => `#/learn/exercise?${new URLSearchParams({ ...wanted, ...values })}`;
  const algorithm = h(
    "select",
    { id: "algorithm" },
    exercises.map((name) => h("option", { value: name, selected: name === wanted.algorithm }, name)),
  );
  const inputs = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, [min, max]]) => [
      name,
      h("input", { type: "number", min, max, step: 1, required: true, value: wanted[name] }),
    ]),
  );
  const chosen = () => ({
    algorithm: algorithm.value,
    ...Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value])),
  });
  const problem = h("p", { class: "problem", role: "alert" });
  const host = h("div", { class: "lesson" });
  replace(
    main,
    h("h1", {}, t("learn.exercises")),
    h("p", { class: "lead" }, t("exercise.lead")),
    tabs("learn.exercises"),
    h(
      "form",
      {
        class: "row",
        onsubmit: (event) => {
          event.preventDefault();
          location.hash = link(chosen());
        },
      },
      labelled(t("learn.algorithm"), algorithm),
      Object.entries(inputs).map(([name, input]) => labelled(t(`learn.${name}`), input)),
      h("button", { type: "submit" }, t("exercise.ask")),
      h(
        "button",
        {
          type: "button",
          class: "another",
          onclick: () => {
            location.hash = link({ ...chosen(), seed: newSeed() });
          },
        },
        t("exercise.another"),
      ),
    ),
    problem,
    host,
  );
  history.replaceState(null, "", link({}));
  try {
    const asked = Object.fromEntries(
      Object.entries(wanted).filter(([name]) => name in NUMBERS || name === "algorithm"),
    );
    showSheet(host, await get(`exercises?${new URLSearchParams(asked)}`), asked);
  } catch (error) {
    problem.textContent = error.message;
  }
}

function showSheet(host, sheet, asked) {
  const stage = stageOf(sheet);
  const svg = stage.querySelector("svg");
  const { called } = sheet;
  const inner = Object.keys(sheet.answers.values).sort((a, b) => depthOf(b) - depthOf(a)); // as a search returns: the root last
  const values = new Map(
    inner.map((name) => [
      name,
      h("input", { type: "text", size: 7, maxlength: 60, autocomplete: "off", "data-node": name }),
    ]),
  );
  const cuts = new Map(
    sheet.prunes ? called.slice(1).map((name) => [name, h("input", { type: "checkbox", "data-cut": name })]) : [],
  );
  const move = h(
    "select",
    { "data-move": "", "aria-label": t("exercise.move") },
    h("option", { value: "" }, "–"),
    sheet.moves.map((arc) => h("option", { value: arc }, arc)),
  );
  const verdict = h("p", { class: "verdict", role: "status" });

  // The average of a move and the value of an information set belong to no node; they come last.
  function depthOf(name) {
    return sheet.nodes[called.indexOf(name)]?.depth ?? -1;
  }

  // Draws the answers so far.
  function draw() {
    called.forEach((name, i) => {
      const value = values.get(name)?.value.trim() ?? "";
      drawNode(svg, i, sheet.nodes[i].own, {
        status: cuts.get(name)?.checked ? "cut" : value ? "seen" : "unseen",
        value,
        notes: [],
      });
    });
  }

  async function check(event) {
    event.preventDefault();
    const said = [...values]
      .filter(([, input]) => input.value.trim())
      .map(([name, input]) => [name, read(input.value, sheet.algorithm)]);
    const wrong = said.find(([, value]) => value === null);
    if (wrong) return tellVerdict(false, t("exercise.number", { name: wrong[0], value: values.get(wrong[0]).value }));
    const cut = [...cuts].filter(([, box]) => box.checked).map(([name]) => name);
    try {
      const found = await post("exercises", {
        ...asked,
        answers: { values: Object.fromEntries(said), cut, move: move.value },
      });
      tellVerdict(found.is_right, found.told);
      svg.querySelector(`#node-${found.node}`)?.classList.add("here");
    } catch (error) {
      tellVerdict(false, error.message);
    }
  }

  function tellVerdict(isRight, text) {
    draw(); // also what was pointed at before
    verdict.className = `verdict ${isRight ? "right" : "problem"}`;
    replace(verdict, `${isRight ? "✓" : "✗"} ${text}`);
  }

  svg.addEventListener("click", (event) => {
    const box = cuts.get(called[Number(event.target.closest("[id^=node-]")?.id.slice(5))]);
    if (!box) return;
    box.checked = !box.checked;
    draw();
  });
  const form = h(
    "form",
    { class: "answers", oninput: draw, onsubmit: check },
    h(
      "fieldset",
      {},
      h("legend", {}, t("exercise.values")),
      h(
        "div",
        { class: "answer-grid" },
        [...values].map(([name, input]) => labelled(name === "root" ? t("tree.root") : name, input)),
      ),
    ),
    cuts.size
      ? h(
          "fieldset",
          {},
          h("legend", {}, t("exercise.cuts")),
          h(
            "div",
            { class: "answer-grid" },
            [...cuts].map(([name, box]) => h("label", { class: "check" }, box, ` ${name}`)),
          ),
        )
      : null,
    h("fieldset", {}, h("legend", {}, t("exercise.move")), move),
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "primary", id: "check" }, t("exercise.check")),
      h(
        "a",
        { class: "button", href: lessonLink({ algorithm: sheet.algorithm, text: sheet.tree }) },
        t("exercise.steps"),
      ),
    ),
    verdict,
  );
  stage.classList.toggle("fit", true);
  replace(
    host,
    h("p", { class: "question" }, `${sheet.question}.`, sheet.prunes ? ` ${t("exercise.click")}` : ""),
    stage,
    form,
  );
}

// Parses a number (3, -0.5, 0,5, 7/2), or one per player; null if the text is not a number.
function read(text, algorithm) {
  const parts = algorithm === "maxn" ? text.split(/[\s,;()]+/).filter(Boolean) : [text.trim().replace(",", ".")];
  const numbers = parts.map((part) => {
    const [above, below = "1"] = part.split("/");
    return above.trim() && below.trim() ? Number(above) / Number(below) : NaN;
  });
  if (!numbers.length || !numbers.every(Number.isFinite)) return null;
  return algorithm === "maxn" ? numbers : numbers[0];
}
