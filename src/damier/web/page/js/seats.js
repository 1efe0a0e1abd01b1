// The players of a game: who sits where, free seats, and the cover between two people at one screen.

import { h, replace } from "./dom.js";
import { t } from "./i18n.js";
import { verdict } from "./desk.js";
import { chip } from "./pieces.js";

// Whether the visitor may move now. In a game with hidden cards, a seat belongs to one browser.
export function isMyTurn(state) {
  if (state.is_over || state.is_chance || state.seats[state.player] !== "human") return false;
  return !state.is_secret || state.held.includes(state.player);
}

// The number of a player, by which the table and the notes call them.
export function numbered(seat, count) {
  if (count === 1) return null;
  return h("b", {}, h("span", { class: "hidden-text" }, `${t("player")} `), seat + 1);
}

// A player's text name, which may be broken between its options.
export function breakable(name) {
  return name.split(/(?<=[,:(])/).flatMap((part) => [part, h("wbr")]);
}

function seatName(state, number) {
  if (state.seats[number] !== "human") return state.seats[number];
  if (!state.is_hidden || state.held.includes(number))
    return state.held?.length > 1 ? t("seats.you", { number: number + 1 }) : t("human");
  return t(state.free.includes(number) ? "seats.free" : "seats.taken");
}

export function showSeats(element, state, onSit) {
  const sit = (number) =>
    h(
      "button",
      { type: "button", class: "small do-sit", onclick: () => onSit(number) },
      t(state.held.length ? "seats.sit.too" : "seats.sit"),
    );
  replace(
    element,
    state.seats.map((_, number) =>
      h(
        "li",
        { class: number === state.player && !state.is_over ? "to-move" : "" },
        chip(number, state.board),
        numbered(number, state.seats.length),
        h("span", { class: "seat-name" }, breakable(seatName(state, number))),
        state.free?.includes(number) ? sit(number) : null,
        verdict(state.returns, number),
      ),
    ),
  );
}

// What is shown while the next person takes the seat; `onLook` is called when they look.
export function handOver(state, onLook) {
  const button = h("button", { type: "button", class: "primary do-look", onclick: onLook }, t("cover.look"));
  return h(
    "div",
    { class: "cover", role: "group", "aria-label": t("cover") },
    h("p", {}, t("cover.hand", { number: state.viewer + 1 })),
    button,
  );
}
