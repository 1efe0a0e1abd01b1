// A game that is being played.

import { h, replace, say, complain } from "./dom.js";
import { t, tellError } from "./i18n.js";
import { get, post, live } from "./api.js";
import { Desk } from "./desk.js";
import { chip } from "./pieces.js";

export async function tablePage(main, [id]) {
  const act = (name, body) => post(`games/${id}/${name}`, body).then((next) => update(next), (error) => { complain(error.message); refresh(); });
  const refresh = () => get(`games/${id}`).then((next) => update(next, true));
  const desk = new Desk({ onMove: (move) => act("moves", { move }), label: t("board"), onBack: (ply) => act("back", { ply }) });
  const title = h("h1");
  const seats = h("ul", { class: "seat-list" });
  const status = h("p", { class: "status", role: "status" });
  const buttons = h("div", { class: "row actions" });
  const pace = h("div", { class: "row pace" });
  const entry = textEntry((text) => typed(text));
  let state = null;
  let preparing = 0;

  function typed(text) {
    const word = text.trim().toLowerCase();
    if (word === "undo") act("undo");
    else if (word === "resign") act("resign");
    else if (word === "swap") act("swap");
    else if (word === "hint") desk.analysis.hint();
    else if (word === "moves") say(state.moves.map(({ notation }) => notation).join(" "));
    else if (word) act("moves", { move: text.trim() });
  }

  // States may come twice, and in the wrong order.
  function update(next, isWanted = false) {
    const before = state;
    if (before && !isWanted && next.version <= before.version) return;
    state = next;
    const human = state.seats[state.player] === "human" && !state.is_chance;
    desk.board.label = t("board.of", { game: state.game });
    title.textContent = t(`game.${state.title}`, {}, state.title);
    desk.set(state, { isMine: human && !state.is_over, chances: state.chances });
    showSeats();
    showStatus();
    showButtons();
    entry.list(human && !state.is_over ? state.moves : []);
    if (before && state.line.length > before.line.length) {
      const last = state.line.at(-1);
      say(`${t("said.move", { player: last.player + 1, move: last.notation })} ${state.is_over ? result() : human ? t("your.turn") : ""}`);
    }
  }

  function showSeats() {
    replace(seats, state.seats.map((seat, number) =>
      h("li", { class: number === state.player && !state.is_over ? "to-move" : "" }, chip(number, state.board),
        h("span", {}, seat === "human" ? t("human") : seat),
        state.returns ? h("b", {}, t(state.returns[number] === Math.max(...state.returns) && state.returns[number] > 0 ? "won" : state.returns[number] === 0 ? "drawn" : "lost")) : null)));
  }

  function result() {
    if (state.resigned !== null) return t("resigned", { player: state.resigned + 1 });
    if (state.players === 1) return state.score !== null ? t("score", { score: state.score }) : t("over");
    const best = Math.max(...state.returns);
    const winners = state.returns.flatMap((value, seat) => (value === best ? [seat + 1] : []));
    return winners.length === state.returns.length ? t("draw") : t("wins", { player: winners.join(", ") });
  }

  function showStatus() {
    clearTimeout(preparing);
    status.className = "status";
    if (state.error) {
      status.classList.add("problem");
      return replace(status, tellError(state.error));
    }
    if (state.is_over) {
      status.classList.add("result");
      return replace(status, result());
    }
    const score = state.score !== null ? ` – ${t("score", { score: state.score })}` : "";
    if (state.seats[state.player] === "human") return replace(status, t("your.turn") + score);
    if (state.is_paused) return replace(status, t("paused") + score);
    replace(status, t("thinking", { player: state.seats[state.player] }) + score);
    if (state.status === "preparing") heard("preparing");
  }

  function heard(kind) {
    clearTimeout(preparing);
    if (kind === "preparing") preparing = setTimeout(() => {
      if (!state.is_over && state.seats[state.player] !== "human") replace(status, h("span", { class: "spinner", "aria-hidden": "true" }), t("preparing"));
    }, 300);
    if (kind === "queued") replace(status, t("queued"));
    if (kind === "searching" && !state.is_over && state.seats[state.player] !== "human") replace(status, t("thinking", { player: state.seats[state.player] }));
  }

  function showButtons() {
    const human = state.seats.includes("human");
    const button = (key, action, disabled = false) => h("button", { type: "button", class: `do-${key}`, disabled, onclick: action }, t(key));
    replace(buttons,
      human ? button("undo", () => act("undo"), !state.line.length) : null,
      human ? button("hint", () => desk.analysis.hint(), state.is_over) : null,
      human ? button("resign", () => act("resign"), state.is_over) : null,
      state.seats.length > 1 ? button("swap", () => act("swap")) : null,
      button("again", async () => {
        const next = await post("games", { game: state.game, seats: state.seats });
        location.hash = `#/game/${next.id}`;
      }),
      h("a", { class: "button", href: `#/new/${state.title}` }, t("other")));
    if (human) return replace(pace);
    const slider = h("input", { type: "range", min: 0, max: 4, step: 0.25, value: state.delay, "aria-label": t("speed"), onchange: () => act("pace", { delay: Number(slider.value) }) });
    replace(pace,
      h("button", { type: "button", class: "primary do-pause", disabled: state.is_over, onclick: () => act("pace", { is_paused: !state.is_paused }) }, t(state.is_paused ? "go.on" : "pause")),
      h("label", {}, t("speed"), " ", slider), h("span", {}, t("delay", { seconds: state.delay })));
  }

  const end = live.listen((message) => {
    if (message.id !== id) return;
    if (message.kind === "state") update(message.state);
    if (message.kind === "status") heard(message.kind === "status" ? message.status : "");
    if (message.kind === "thought") desk.analysis.thought(message.result, message.ply);
  });
  update(await get(`games/${id}`));
  replace(main, desk.layout(
    h("section", { class: "panel" }, title, seats, buttons, pace),
    entry.element, status));
  live.send({ do: "watch", id }, "watch");
  return () => {
    end();
    clearTimeout(preparing);
    live.forget("watch");
    live.send({ do: "watch", id: "" });
    desk.leave();
  };
}

// A line to type moves and commands into, as in the terminal.
export function textEntry(onText) {
  const names = h("datalist", { id: "legal-moves" });
  const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", list: "legal-moves", maxlength: 200, id: "move-entry" });
  const element = h("form", {
    class: "entry row", onsubmit: (event) => {
      event.preventDefault();
      const text = input.value;
      input.value = "";
      onText(text);
    },
  }, h("label", { for: "move-entry" }, t("entry")), input, names, h("button", { type: "submit" }, t("entry.send")), h("small", {}, t("entry.hint")));
  return {
    element,
    list: (moves) => replace(names, moves.slice(0, 400).map(({ notation }) => h("option", { value: notation }))),
  };
}
