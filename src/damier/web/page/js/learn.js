// Learn: textbook algorithms step by step, on trees and positions, including those that the visitor types.

import { h, s, replace, labelled } from "./dom.js";
import { t, number, gameName } from "./i18n.js";
import { catalogue, get, post } from "./api.js";
import { Stepper } from "../lessons/stepper.js";

const OWN = "own";
const PLAIN = ["algorithm", "tree", "text", "game", "depth", "simulations", "seed", "c"];
const NUMBERS = ["depth", "simulations", "seed", "c"];

export const tabs = (current) =>
  h(
    "nav",
    { class: "tabs", "aria-label": t("nav.learn") },
    [
      ["learn.lessons", "#/learn"],
      ["learn.exercises", "#/learn/exercise"],
    ].map(([key, href]) => h("a", { class: "button", href, "aria-current": key === current ? "page" : null }, t(key))),
  );

// The drawing of a tree in a scrolling frame.
export function stageOf({ drawing, grows }) {
  const { width, height } = drawing;
  const svg = s("svg", {
    class: `drawing${grows ? " grows" : ""}`,
    id: "drawing",
    role: "img",
    "aria-label": t("learn.tree"),
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  });
  svg.innerHTML = drawing.tree;
  return h("div", { class: "stage", id: "stage", tabindex: 0, role: "region", "aria-label": t("learn.tree") }, svg);
}

// Converts the page's address to the server's request for a lesson, and back.
function fromAddress(query) {
  const asked = {};
  for (const name of PLAIN)
    if (query.has(name)) asked[name] = NUMBERS.includes(name) ? Number(query.get(name)) : query.get(name);
  if (asked.game !== undefined) asked.moves = (query.get("moves") ?? "").split(" ").filter(Boolean);
  return (asked.tree ?? asked.text ?? asked.game) ? asked : { algorithm: "alphabeta", tree: "walk", ...asked };
}

export function lessonLink({ moves, ...asked }, step = 0) {
  const values = { ...asked, ...(moves?.length ? { moves: moves.join(" ") } : {}), ...(step ? { step } : {}) };
  return `#/learn?${new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined))}`;
}

const nameOf = ({ algorithm, tree, game }) => `${algorithm} – ${tree ?? gameName(game)}`;

export async function learnPage(main, _, query) {
  const [known, { games }] = await Promise.all([get("lessons"), catalogue()]);
  const host = h("div", { class: "lesson" });
  const problem = h("p", { class: "problem", id: "learn-problem", role: "alert" });
  let stepper = null;

  const form = lessonForm(known, games, problem, (asked) => show(asked));
  const samples = h(
    "select",
    {
      id: "sample",
      onchange: () => {
        location.hash = lessonLink(known.samples[samples.value]);
      },
    },
    h("option", { value: "" }, t("learn.choose")),
    known.samples.map((sample, i) => h("option", { value: i }, nameOf(sample))),
  );

  async function show(asked, step = 0) {
    problem.textContent = "";
    form.mark(null);
    stepper?.leave();
    stepper = null;
    replace(host, h("p", { class: "hint", role: "status" }, h("span", { class: "spinner" }), t("learn.waiting")));
    try {
      await check(asked);
      const lesson = await post("lessons", asked);
      if (!main.contains(host)) return;
      history.replaceState(null, "", lessonLink(asked, step));
      stepper = showLesson(host, lesson, asked, step, known.trees);
    } catch (error) {
      replace(host);
      problem.textContent = error.message;
      form.mark(error);
    }
  }

  replace(
    main,
    h("h1", {}, t("nav.learn")),
    h("p", { class: "lead" }, t("learn.lead")),
    tabs("learn.lessons"),
    h(
      "div",
      { class: "learn" },
      h("section", { class: "panel" }, labelled(t("learn.sample"), samples), form.element),
      host,
    ),
  );
  const asked = fromAddress(query);
  form.fill(asked);
  await show(asked, Number(query.get("step")) || 0);
  return () => stepper?.leave();
}

// Checks a typed tree before a lesson runs on it.
async function check({ text }) {
  if (text === undefined) return;
  const found = await post("trees", { text });
  if (!found.is_tree) throw Object.assign(new Error(found.error), found);
}

// The description in a tree's file.
const about = (text) => (text?.match(/^#.*/gm) ?? []).map((line) => line.slice(2)).join(" ");

function showLesson(host, lesson, asked, step, trees) {
  const stage = stageOf(lesson);
  const link = h("a", { class: "step-link" }, t("learn.link"));
  const words = Object.fromEntries(
    [
      "steps",
      "step",
      "first",
      "back",
      "play",
      "pause",
      "next",
      "last",
      "fit",
      "pace",
      "slow",
      "middle",
      "fast",
      "all",
      "nothing",
      "count",
      "key",
    ].map((word) => [word, t(`stepper.${word}`, { count: "{count}", all: "{all}", what: "{what}", key: "{key}" })]),
  );
  const stepper = new Stepper(stage, lesson, {
    words,
    changed: (count) => {
      link.href = lessonLink(asked, count);
    },
  });
  const facts = { nodes: number(lesson.nodes.length), leaves: number(lesson.leaves) };
  replace(
    host,
    h("h2", {}, nameOf(asked.text === undefined ? asked : { ...asked, tree: t("learn.own") })),
    asked.tree ? h("p", { class: "hint about" }, t(`about.${asked.tree}`, {}, about(trees[asked.tree]))) : null,
    stage,
    showLegend(lesson),
    stepper.element,
    h("p", { class: "hint" }, t(`learn.facts.${lesson.algorithm}`, facts, t("learn.facts", facts)), " ", link),
  );
  stepper.begin(step);
  return stepper;
}

const showLegend = ({ legend, drawing }) =>
  h(
    "ul",
    { class: "legend", "aria-label": t("learn.legend") },
    Object.entries(legend).map(([status, meaning]) => {
      const { width, drawing: mark } = drawing.marks[status];
      const svg = s(
        "svg",
        { class: "drawing", width, height: 34, viewBox: `0 6 ${width} 34`, "aria-hidden": "true" },
        s("g", { class: status }),
      );
      svg.firstChild.innerHTML = mark;
      return h("li", {}, svg, meaning);
    }),
  );

// The form: algorithm, tree or position, and limits. `mark` selects the mistake in the tree's text.
function lessonForm({ algorithms, classical, montecarlo, iterated, trees, limits }, games, problem, submit) {
  const algorithm = h(
    "select",
    { id: "algorithm", onchange: () => arrange() },
    algorithms.map((name) => h("option", { value: name }, name)),
  );
  const where = h(
    "select",
    {
      id: "where",
      onchange: () => {
        text.value = treeOf(where.value) ?? text.value;
        mark(null);
        arrange();
      },
    },
    h("option", { value: OWN }, t("learn.own")),
    h(
      "optgroup",
      { label: t("learn.trees") },
      Object.keys(trees).map((name) => h("option", { value: name }, `${name}: ${t(`tree.${name}`, {}, name)}`)),
    ),
    h(
      "optgroup",
      { label: t("learn.positions") },
      games
        .filter(({ name }) => name !== "tree")
        .map(({ name }) => h("option", { value: `game ${name}` }, gameName(name))),
    ),
  );
  const text = h("textarea", {
    id: "tree-text",
    rows: 9,
    wrap: "off",
    spellcheck: "false",
    maxlength: limits.text,
    "aria-describedby": "learn-problem",
    oninput: () => {
      where.value = OWN;
    },
  });
  const game = h("input", { type: "text", id: "lesson-game", maxlength: 400 });
  const moves = h("input", { type: "text", id: "lesson-moves", maxlength: 4000 });
  const count = (name, least, most) =>
    h("input", {
      type: "number",
      id: `lesson-${name}`,
      min: least,
      max: most,
      step: name === "c" ? "any" : 1,
      placeholder: t("auto"),
    });
  const inputs = {
    depth: count("depth", 0, limits.depth),
    simulations: count("simulations", 1, limits.simulations),
    seed: count("seed", 0, 2 ** 31 - 1),
    c: count("c", 0, 100),
  };
  const fields = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, labelled(t(`learn.${name}`), input)]),
  );
  const grammar = h(
    "details",
    {},
    h("summary", {}, t("learn.grammar")),
    h("pre", { class: "hint" }, t("learn.grammar.lines")),
  );
  const textField = h("div", {}, labelled(t("learn.text"), text), grammar);
  const gameFields = h("div", { class: "fields" }, labelled(t("game"), game), labelled(t("learn.moves"), moves));
  const treeOf = (name) => trees[name]?.replace(/^#.*\n/gm, "").trim();
  const isGame = () => where.value.startsWith("game ");

  function arrange() {
    textField.hidden = isGame();
    gameFields.hidden = !isGame();
    if (isGame() && game.value.split(":")[0] !== where.value.slice(5))
      [game.value, moves.value] = [where.value.slice(5), ""];
    fields.depth.hidden = !classical.includes(algorithm.value);
    for (const name of ["seed", "c"]) fields[name].hidden = !montecarlo.includes(algorithm.value);
    fields.simulations.hidden = ![...montecarlo, ...iterated].includes(algorithm.value);
  }

  function asked() {
    const place = isGame()
      ? { game: game.value.trim(), moves: moves.value.split(/[\s,]+/).filter(Boolean) }
      : where.value === OWN
        ? { text: text.value }
        : { tree: where.value };
    const given = Object.entries(inputs)
      .filter(([name, input]) => input.value !== "" && !fields[name].hidden)
      .map(([name, input]) => [name, Number(input.value)]);
    return { algorithm: algorithm.value, ...place, ...Object.fromEntries(given) };
  }

  function fill(lesson) {
    algorithm.value = lesson.algorithm;
    where.value = lesson.game !== undefined ? `game ${lesson.game.split(":")[0]}` : (lesson.tree ?? OWN);
    game.value = lesson.game ?? "";
    moves.value = (lesson.moves ?? []).join(" ");
    text.value = lesson.text ?? treeOf(lesson.tree) ?? "";
    for (const [name, input] of Object.entries(inputs)) input.value = lesson[name] ?? "";
    arrange();
  }

  // Selects the mistake in the text, ready to be typed over.
  function mark(error) {
    text.setAttribute("aria-invalid", String(Boolean(error?.line)));
    if (!error?.line) return;
    const start =
      text.value
        .split("\n")
        .slice(0, error.line - 1)
        .reduce((sum, line) => sum + line.length + 1, 0) +
      error.column -
      1;
    text.focus();
    text.setSelectionRange(start, start + 1);
  }

  const element = h(
    "form",
    {
      class: "lesson-form",
      onsubmit: (event) => {
        event.preventDefault();
        submit(asked());
      },
    },
    labelled(t("learn.algorithm"), algorithm),
    labelled(t("learn.where"), where),
    textField,
    gameFields,
    problem,
    h("div", { class: "options" }, Object.values(fields)),
    h("button", { type: "submit", class: "primary", id: "show-lesson" }, t("learn.show")),
  );
  return { element, fill, mark };
}
