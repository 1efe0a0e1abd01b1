// The page: which view is shown for which address.

import { h, replace, complain } from "./dom.js";
import { t, language, languages, choose } from "./i18n.js";
import { live } from "./api.js";
import { gallery } from "./gallery.js";
import { setup } from "./setup.js";
import { roomPage } from "./room.js";
import { studyPage, recordPage, eventGamePage, runGamePage } from "./study.js";
import { recordsPage } from "./records.js";
import { eventsPage, eventPage } from "./events.js";
import { learnPage } from "./learn.js";
import { exercisePage } from "./exercise.js";
import { runsPage, runPage } from "./runs.js";

const VIEWS = [
  [/^\/?$/, "nav.play", gallery],
  [/^\/new\/(.+)$/, "nav.play", setup],
  [/^\/game\/([\w-]+)$/, "nav.play", roomPage],
  [/^\/study$/, "nav.study", studyPage],
  [/^\/learn$/, "nav.learn", learnPage],
  [/^\/learn\/exercise$/, "nav.learn", exercisePage],
  [/^\/records$/, "nav.records", recordsPage],
  [/^\/record\/(\d+)$/, "nav.records", recordPage],
  [/^\/events$/, "nav.events", eventsPage],
  [/^\/event\/(\d+)$/, "nav.events", eventPage],
  [/^\/event\/(\d+)\/game\/(\d+)$/, "nav.events", eventGamePage],
  [/^\/runs$/, "nav.runs", runsPage],
  [/^\/run\/([^/]+)\/game\/(\d+)$/, "nav.runs", runGamePage],
  [/^\/run\/(.+)$/, "nav.runs", runPage],
];
const LINKS = [
  ["nav.play", "#/"],
  ["nav.study", "#/study"],
  ["nav.learn", "#/learn"],
  ["nav.records", "#/records"],
  ["nav.events", "#/events"],
  ["nav.runs", "#/runs"],
];

let leave = () => {};
let shown = 0;

async function show() {
  const [path, query] = location.hash.slice(1).split("?");
  const values = new URLSearchParams(query ?? "");
  const found = VIEWS.find(([pattern]) => pattern.test(path)) ?? VIEWS[0];
  const main = document.getElementById("main");
  leave();
  leave = () => {};
  const turn = ++shown;
  frame(found[1]);
  replace(main);
  try {
    const left = await found[2](main, (found[0].exec(path) ?? []).slice(1).map(decodeURIComponent), values);
    if (turn === shown) leave = left ?? (() => {});
    else left?.();
  } catch (error) {
    if (turn === shown) replace(main, h("p", { class: "problem" }, error.message));
  }
  document.documentElement.dataset.ready = "yes";
}

function frame(current) {
  document.documentElement.lang = language();
  document.getElementById("skip").textContent = t("skip");
  const nav = document.getElementById("nav");
  nav.setAttribute("aria-label", t("nav"));
  replace(
    nav,
    LINKS.map(([key, link]) => h("a", { href: link, "aria-current": key === current ? "page" : null }, t(key))),
  );
  document.title = current === "nav.play" ? "damier" : `${t(current)} – damier`;
  const select = document.getElementById("language");
  select.setAttribute("aria-label", t("language"));
  replace(
    select,
    Object.entries(languages).map(([tag, name]) => h("option", { value: tag, selected: tag === language() }, name)),
  );
  theme();
}

function theme() {
  const chosen = localStorage.getItem("theme");
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const button = document.getElementById("theme");
  button.textContent = dark ? "☀" : "☾";
  button.setAttribute("aria-label", t(dark ? "theme.light" : "theme.dark"));
  button.title = t(dark ? "theme.light" : "theme.dark");
}

document.getElementById("theme").addEventListener("click", () => {
  localStorage.setItem("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  theme();
});
document.getElementById("language").addEventListener("change", (event) => {
  choose(event.target.value);
  show();
});
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  complain(event.reason?.message ?? String(event.reason));
});
live.listen((message) => message.kind === "error" && complain(message.error));
show();
