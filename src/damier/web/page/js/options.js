// Forms made from the registry: the options of a game, and a player with its options.

import { h, replace, labelled } from "./dom.js";
import { t } from "./i18n.js";

function control(option) {
  const choices = option.kind === "bool" ? ["true", "false"] : option.choices;
  if (choices.length) {
    const usual =
      option.default === null || option.default === undefined
        ? t("auto")
        : t("default", { value: t(String(option.default), {}, String(option.default)) });
    return h(
      "select",
      { "data-option": option.name },
      ["", ...choices].map((value) => h("option", { value }, value ? t(value, {}, value) : usual)),
    );
  }
  const numeric = option.kind === "int" || option.kind === "float";
  return h("input", {
    "data-option": option.name,
    type: numeric ? "number" : "text",
    step: option.kind === "int" ? 1 : "any",
    maxlength: 300,
    required: option.is_required,
    placeholder: option.default === null || option.default === undefined ? t("auto") : String(option.default),
  });
}

// The spec `name:option=value,...` of a filled-in form.
function spec(name, form) {
  const given = [...form.querySelectorAll("[data-option]")]
    .filter((each) => each.value !== "")
    .map((each) => `${each.dataset.option}=${each.value}`);
  return given.length ? `${name}:${given.join(",")}` : name;
}

export function gameForm(game, changed) {
  const form = h(
    "div",
    { class: "options" },
    game.options.map((option) => labelled(t(`option.${option.name}`, {}, option.name), control(option))),
  );
  form.addEventListener("change", changed);
  return { element: form, spec: () => spec(game.name, form) };
}

const OWN = "own"; // a player of one's own, by its file and class

// The choice of a player: you, a preset, any player with its options, or your own if the server allows files.
export function seatForm(label, game, players, chosen, allowsFiles) {
  const options = h("div", { class: "options" });
  const hint = h("small", { class: "hint" });
  const own = h("input", {
    type: "text",
    placeholder: "path/to/file.py:Class",
    size: 34,
    maxlength: 300,
    required: true,
  });
  const select = h(
    "select",
    { class: "who" },
    h(
      "optgroup",
      { label: t("seat.easy") },
      h("option", { value: "human" }, t("human")),
      Object.entries(game.presets).map(([preset, name]) =>
        h("option", { value: `preset ${name}` }, t(`preset.${preset}`)),
      ),
    ),
    h(
      "optgroup",
      { label: t("seat.all") },
      players.filter((player) => !player.is_human).map((player) => h("option", { value: player.name }, player.name)),
      allowsFiles ? h("option", { value: OWN }, t("seat.own")) : null,
    ),
  );
  select.value = chosen;
  if (select.selectedIndex < 0) select.selectedIndex = 0;
  const shown = () => {
    const player = players.find(({ name }) => name === select.value);
    const listed = player && !player.is_human ? player.options : [];
    replace(
      options,
      select.value === OWN ? labelled(t("seat.own"), own) : null,
      listed.map((option) => labelled(t(`option.${option.name}`, {}, option.name), control(option))),
    );
    const preset = select.value.startsWith("preset ") ? select.value.slice(7) : "";
    hint.textContent = player ? t(`player.${player.name}`, {}, player.summary) : preset;
  };
  const chosenSpec = () => {
    if (select.value === "human") return "human";
    if (select.value === OWN) return own.value.trim();
    return select.value.startsWith("preset ") ? select.value.slice(7) : spec(select.value, options);
  };
  select.addEventListener("change", shown);
  shown();
  return {
    element: h("fieldset", { class: "seat" }, h("legend", {}, label), labelled(t("player"), select), hint, options),
    spec: chosenSpec,
  };
}
