// Languages: one table each. The default is the browser's language.

import en from "./en.js";
import fr from "./fr.js";

export const languages = { en: "English", fr: "Français" };
const tables = { en, fr };

export function language() {
  const chosen = localStorage.getItem("language");
  if (chosen in tables) return chosen;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in tables) ?? "en";
}

export function choose(tag) {
  localStorage.setItem("language", tag);
}

// The text of a key, with {name} replaced; `fallback` if no language has the key.
export function t(key, values = {}, fallback = undefined) {
  const text = tables[language()][key] ?? fallback ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// The display name of a game with its options; your own game is named by its file and class.
export function gameName(spec) {
  const [, name, options] = /^(.*\.py:[^:]*|[^:]*):?(.*)$/.exec(spec);
  const shown = t(`game.${name}`, {}, name.split(":").at(-1));
  return options ? `${shown} (${options})` : shown;
}

export const number = (value, digits = 0) =>
  value === null || value === undefined
    ? "–"
    : value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const percent = (value) => (value === null || value === undefined ? "–" : `${number(100 * value, 1)} %`);
export const listed = (values) => new Intl.ListFormat(language()).format(values.map(String));
export const date = (text) => new Date(text).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
