// A game in progress.

import { h, replace, say, complain } from "./dom.js";
import { t, gameName, listed } from "./i18n.js";
import { get, post, live } from "./api.js";
import { Beliefs } from "./beliefs.js";
import { Desk } from "./desk.js";
import { handOver, isMyTurn, showSeats } from "./seats.js";

export async function roomPage(main, [id]) {
  const act = (name, body) =>
    post(`games/${id}/${name}`, body).then(
      (next) => update(next),
      (error) => {
        complain(error.message);
        refresh();
      },
    );
  const refresh = () => get(`games/${id}`).then((next) => update(next, true));
  const desk = new Desk({
    onMove: (move) => act("moves", { move }),
    label: t("board"),
    onBack: (ply) => act("back", { ply }),
    atPly: (ply) => get(`games/${id}/plies/${ply}`),
  });
  const beliefs = new Beliefs(id);
  const title = h("h1");
  const seats = h("ul", { class: "seat-list" });
  const status = h("p", { class: "status", role: "status" });
  const buttons = h("div", { class: "row actions" });
  const pace = h("div", { class: "row pace" });
  const entry = textEntry((text) => typed(text));
  let state = null;
  let looker = null; // the seat whose cards this screen showed last
  let preparing = 0;
  let showControls = () => {
    showControls = makeControls();
    showControls();
  };

  function typed(text) {
    const word = text.trim().toLowerCase();
    if (word === "undo") act("undo");
    else if (word === "resign") act("resign");
    else if (word === "swap") act("swap");
    else if (word === "hint") desk.analysis.hint();
    else if (word === "moves") say(state.moves.map(({ notation }) => notation).join(" "));
    else if (word) act("moves", { move: text.trim() });
  }

  // States may arrive twice or in the wrong order.
  function update(next, isWanted = false) {
    const before = state;
    if (before && !isWanted && next.version <= before.version) return;
    state = next;
    const isMine = isMyTurn(state);
    const isCovered = state.is_secret && state.held.length > 1 && state.viewer !== looker;
    desk.board.label = t("board.of", { game: state.game });
    title.textContent = gameName(state.title);
    if (isCovered) desk.cover(handOver(state, look));
    else desk.set(state, { isMine, chances: state.chances, secret: state.is_secret ? id : null });
    beliefs.set(state.is_secret && state.viewer >= 0 && !isCovered ? state.viewer : null, isMine);
    showSeats(seats, state, (seat) => act("sit", { seat }));
    showStatus();
    showControls();
    entry.list(isMine && !isCovered ? state.moves : []);
    if (!isCovered && before && state.line.length > before.line.length) {
      const { player, notation } = state.line.at(-1);
      const made = t(player < 0 ? "said.chance" : "said.move", { player: player + 1, move: notation });
      say(`${made} ${state.is_over ? result() : isMine ? t("your.turn") : ""}`);
    }
  }

  // Another person looks at the screen now.
  function look() {
    looker = state.viewer;
    update(state, true);
  }

  function result() {
    if (state.resigned !== null) return t("resigned", { player: state.resigned + 1 });
    if (state.players === 1) return state.score !== null ? t("score", { score: state.score }) : t("over");
    const best = Math.max(...state.returns);
    const winners = state.returns.flatMap((value, seat) => (value === best ? [seat + 1] : []));
    if (winners.length === state.returns.length) return t("draw");
    return winners.length > 1 ? t("wins.many", { players: listed(winners) }) : t("wins", { player: winners[0] });
  }

  function showStatus() {
    clearTimeout(preparing);
    status.className = "status";
    if (state.error) {
      status.classList.add("problem");
      return replace(status, state.error);
    }
    if (state.is_over) {
      status.classList.add("result");
      return replace(status, result());
    }
    const score = state.score !== null ? ` – ${t("score", { score: state.score })}` : "";
    if (isMyTurn(state)) return replace(status, t("your.turn") + score);
    if (state.seats[state.player] === "human") {
      const isFree = state.free.includes(state.player);
      return replace(status, t(isFree ? "seats.invite" : "seats.waiting", { number: state.player + 1 }));
    }
    if (state.is_paused) return replace(status, t("paused") + score);
    replace(status, (state.is_chance ? t("chance") : t("thinking", { player: state.seats[state.player] })) + score);
    if (state.status === "preparing" || state.status === "queued") heard(state.status);
  }

  // What the search for an engine's move is doing.
  function heard(kind) {
    clearTimeout(preparing);
    state.status = kind;
    const player = state.seats[state.player];
    if (state.is_over || state.is_chance || player === "human") return;
    const spinner = () => h("span", { class: "spinner", "aria-hidden": "true" });
    if (kind === "preparing") preparing = setTimeout(() => replace(status, spinner(), t("preparing")), 300);
    else if (kind === "queued") replace(status, t("queued"));
    else if (kind === "searching") replace(status, t("thinking", { player }));
  }

  // Created once: a replaced button loses the focus, and a replaced slider can't be dragged.
  function makeControls() {
    const button = (key, action, text = t(key)) =>
      h("button", { type: "button", class: `do-${key}`, onclick: action }, text);
    const undo = button("undo", () => act("undo"));
    const hint = button("hint", () => desk.analysis.hint());
    const resign = button("resign", () => act("resign"));
    const swap = button("swap", () => act("swap"));
    const again = button("again", async () => {
      const next = await post("games", { game: state.game, seats: state.seats });
      location.hash = `#/game/${next.id}`;
    });
    const other = h("a", { class: "button", href: `#/new/${encodeURIComponent(state.title)}` }, t("other"));
    const pause = button("pause", () => act("pace", { is_paused: !state.is_paused }));
    pause.classList.add("primary");
    const delay = h("span");
    const slider = h("input", {
      type: "range",
      min: 0,
      max: 4,
      step: 0.25,
      value: state.delay,
      "aria-label": t("speed"),
      oninput: () => {
        delay.textContent = t("delay", { seconds: slider.value });
      },
      onchange: () => act("pace", { delay: Number(slider.value) }),
    });
    const human = state.seats.includes("human");
    const isFixed = state.is_hidden; // somebody would see too much
    const canSwap = state.seats.length > 1 && !isFixed;
    replace(buttons, human ? [isFixed ? null : undo, hint, resign] : [], canSwap ? swap : null, again, other);
    replace(pace, pause, human ? null : [h("label", {}, t("speed"), " ", slider), delay]);
    return () => {
      undo.disabled = !state.line.length;
      resign.disabled = pause.disabled = state.is_over;
      hint.disabled = state.is_over || (state.is_secret && !isMyTurn(state));
      if (state.is_secret) resign.hidden = hint.hidden = !state.held.length;
      pause.textContent = t(state.is_paused ? "go.on" : "pause");
      pause.hidden = (human && !state.is_paused) || (state.is_secret && !state.held.length); // else: another try
      if (document.activeElement === slider) return; // it is being drawn
      slider.value = state.delay;
      delay.textContent = t("delay", { seconds: state.delay });
    };
  }

  update(await get(`games/${id}`));
  entry.help(t(state.is_hidden ? "entry.hint.hidden" : "entry.hint"));
  replace(
    main,
    desk.layout(h("section", { class: "panel" }, title, seats, buttons, pace), entry.element, status, beliefs.element),
  );
  const ends = [
    live.listen((message) => {
      if (message.id !== id) return;
      if (message.kind === "state") update(message.state);
      if (message.kind === "status") heard(message.status);
      if (message.kind === "thought") desk.analysis.thought(message.result, message.ply);
    }),
    live.follow("watch", { do: "watch", id }),
  ];
  return () => {
    for (const end of ends) end();
    clearTimeout(preparing);
    beliefs.leave();
    desk.leave();
  };
}

// An input line for moves and commands, as in the terminal.
export function textEntry(onText) {
  const names = h("datalist", { id: "legal-moves" });
  const help = h("small", {}, t("entry.keys"));
  const input = h("input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    list: "legal-moves",
    maxlength: 200,
    id: "move-entry",
  });
  const element = h(
    "form",
    {
      class: "entry row",
      onsubmit: (event) => {
        event.preventDefault();
        const text = input.value;
        input.value = "";
        onText(text);
      },
    },
    h("label", { for: "move-entry" }, t("entry")),
    input,
    names,
    h("button", { type: "submit" }, t("entry.send")),
    help,
  );
  return {
    element,
    help: (text) => {
      help.textContent = text;
    },
    list: (moves) =>
      replace(
        names,
        moves.slice(0, 400).map(({ notation }) => h("option", { value: notation })),
      ),
  };
}
