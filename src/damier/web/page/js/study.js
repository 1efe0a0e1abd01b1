// The analysis board, where you play all sides, and the replay of stored games.

import { h, replace, complain, labelled } from "./dom.js";
import { t, gameName } from "./i18n.js";
import { catalogue, get, post } from "./api.js";
import { Desk, verdict } from "./desk.js";
import { textEntry } from "./room.js";
import { lessonLink } from "./learn.js";
import { chip } from "./pieces.js";
import { sampleName } from "./runs.js";
import { breakable, numbered } from "./seats.js";

export async function studyPage(main, _, query) {
  const game = query.get("game") ?? "connect4";
  let moves = (query.get("moves") ?? "").split(" ").filter(Boolean);
  const { games } = await catalogue();
  const about = games.find(({ name }) => game === name || game.startsWith(`${name}:`));
  const isHidden = Boolean(about?.is_hidden);
  const isSmall = !isHidden || about.presets.strong === "cfr"; // a lesson with hidden cards looks at all deals
  const show = async (line, draw = false) => {
    const position = await post("positions", { game, moves: line, draw });
    moves = position.line.map(({ notation }) => notation);
    history.replaceState(null, "", `#/study?${new URLSearchParams({ game, moves: moves.join(" ") })}`);
    desk.set(position, { isMine: true });
    entry.list(position.moves);
    // Where cards are hidden, the lesson is about what players know, and a game with people begins with its deal.
    lesson.href = lessonLink({ algorithm: isHidden ? "ismcts" : "uct", game, moves });
    lesson.hidden = position.is_chance || position.is_over || !isSmall;
    again.hidden = isHidden;
    chance.hidden = !position.is_chance;
    again.href = `#/new/${position.title}?${new URLSearchParams({ moves: moves.join(" ") })}`;
  };
  const desk = new Desk({
    onMove: (move) =>
      show([...desk.notations(), move]).catch((error) => {
        complain(error.message);
        show(moves);
      }),
    label: t("board"),
    onBack: (ply) => show(desk.notations(ply)),
  });
  const entry = textEntry(
    (text) => text.trim() && show([...desk.notations(), text.trim()]).catch((error) => complain(error.message)),
  );
  const chance = h(
    "div",
    { class: "row chance", hidden: true },
    h("p", {}, t("study.chance")),
    h(
      "button",
      {
        type: "button",
        class: "primary do-draw",
        onclick: () => show(desk.notations(), true).catch((error) => complain(error.message)),
      },
      t("study.draw"),
    ),
  );
  const again = h("a", { class: "button" }, t("play.from.here"));
  const lesson = h("a", { class: "button" }, t("study.lesson"));
  const select = h(
    "select",
    {
      onchange: () => {
        location.hash = `#/study?${new URLSearchParams({ game: select.value })}`;
      },
    },
    games.map((each) =>
      h(
        "option",
        { value: each.name, selected: game === each.name || game.startsWith(`${each.name}:`) },
        gameName(each.name),
      ),
    ),
  );
  replace(
    main,
    desk.layout(
      h(
        "section",
        { class: "panel" },
        h("h1", {}, t("nav.study")),
        h("p", {}, t("study.lead")),
        labelled(t("game"), select),
        h("div", { class: "row" }, again, lesson),
      ),
      entry.element,
      chance,
    ),
  );
  await show(moves);
  return () => desk.leave();
}

async function replay(main, shown, heading, facts) {
  const desk = new Desk({ label: t("board") });
  const seats = h(
    "ul",
    { class: "seat-list" },
    shown.seats.map((seat, number) =>
      h(
        "li",
        {},
        chip(number, shown.board),
        numbered(number, shown.seats.length),
        h("span", { class: "seat-name" }, breakable(seat === "human" ? t("human") : seat)),
        verdict(shown.returns, number),
      ),
    ),
  );
  replace(main, desk.layout(h("section", { class: "panel" }, h("h1", {}, heading), seats, facts)));
  desk.set(shown, { chances: shown.chances ?? [] });
  return () => desk.leave();
}

export async function recordPage(main, [number]) {
  const shown = await get(`records/${number}`);
  return replay(
    main,
    shown,
    t("record", { number }),
    h(
      "div",
      {},
      h("p", {}, gameName(shown.title), shown.note ? ` – ${shown.note}` : ""),
      h(
        "div",
        { class: "row" },
        shown.formats.map((format) =>
          h(
            "a",
            { class: "button", href: `api/records/${number}/export?format=${format}`, download: "" },
            t("export", { format: format.toUpperCase() }),
          ),
        ),
        shown.key ? h("a", { class: "button", href: `#/game/${shown.key}` }, t("go.on")) : null,
      ),
    ),
  );
}

export async function runGamePage(main, [run, number]) {
  const [{ games }, { game }] = await Promise.all([
    get(`runs/${encodeURIComponent(run)}/games`),
    get(`runs/${encodeURIComponent(run)}`),
  ]);
  const sample = games[number];
  if (!sample) throw new Error(t("runs.gone"));
  const position = await post("positions", { game, moves: sample.moves });
  return replay(
    main,
    { ...position, seats: sample.seats, returns: sample.returns },
    sampleName(sample),
    h("p", {}, h("a", { href: `#/run/${encodeURIComponent(run)}` }, t("runs.back"))),
  );
}

export async function eventGamePage(main, [event, number]) {
  const record = await get(`events/${event}/games/${number}`);
  const position = await post("positions", { game: record.game, moves: record.line.map(({ notation }) => notation) });
  return replay(
    main,
    { ...position, seats: record.seats, returns: record.returns },
    t("event.game", { number: Number(number) + 1 }),
    h("p", {}, h("a", { href: `#/event/${event}` }, t("event.back"))),
  );
}
