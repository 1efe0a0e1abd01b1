// A table with hands of cards: the others' above, the trick in the middle, your own below.

import { h } from "./dom.js";
import { t } from "./i18n.js";

const SUITS = "♠♥♦♣";
const MANY = 5; // more cards of a hand lie on each other

// The name of a hand: yours, another player's, or what the game calls it.
export function handName({ title, player }, own) {
  if (player < 0) return title;
  const name = player === own ? t("cards.yours") : t("seat", { number: player + 1 });
  return title.endsWith(String(player + 1)) ? name : `${name} – ${title}`;
}

function suitOf(text) {
  return [...SUITS].find((suit) => text.includes(suit)) ?? "";
}

// How a card is said: "king of spades".
export function cardName(text) {
  const suit = suitOf(text);
  if (!suit) return text;
  const rank = text.replace(suit, "");
  return t("card.name", { rank: t(`rank.${rank}`, {}, rank), suit: t(`suit.${suit}`) });
}

export function isRed({ text, colour }) {
  return colour === "red" || "♥♦".includes(suitOf(text) || " ");
}

// Who has played a card, on the card.
function playedBy(card) {
  if (!(card.player >= 0)) return null;
  return h(
    "span",
    { class: "played-by" },
    h("span", { class: "hidden-text" }, `, ${t("player")} `),
    String(card.player + 1),
  );
}

function face(card) {
  const suit = suitOf(card.text);
  if (!suit) return h("span", { class: "pip", "aria-hidden": "true" }, card.text);
  return [
    h("span", { class: "corner", "aria-hidden": "true" }, card.text.replace(suit, ""), h("br"), suit),
    h("span", { class: "pip", "aria-hidden": "true" }, suit),
  ];
}

function drawn(card, onMove) {
  if (!card.text) return h("li", { class: "playing-card back", "aria-hidden": "true" });
  const isWord = !suitOf(card.text) && card.text.length > 3;
  const kind = `playing-card ${isRed(card) ? "red" : "black"} ${isWord ? "word" : ""}`;
  const name = cardName(card.text);
  if (!card.move || !onMove)
    return h("li", { class: kind }, face(card), h("span", { class: "hidden-text" }, name), playedBy(card));
  const play = h(
    "button",
    {
      type: "button",
      class: `${kind} playable`,
      "data-move": card.move,
      "aria-label": t("card.play", { card: name }),
      onclick: () => onMove(card.move),
    },
    face(card),
  );
  return h("li", {}, play);
}

// Whether a hand lies open before all while others are hidden, like dummy's in bridge. It has a row of its own, even when
// another hand is to play: the table must not jump.
function isDummys(hand, hands) {
  const isOpen = hand.cards.every(({ text }) => text);
  return isOpen && hand.cards.length > MANY && hands.some(({ cards }) => cards.some(({ text }) => !text));
}

function shownHand(hand, { own, onMove, toMove, isDummy }) {
  const down = hand.cards.filter(({ text }) => !text).length;
  const name = handName(hand, own);
  const kind = hand.player < 0 ? "middle" : hand.player === own ? "own" : "other";
  const isPlayed = isDummy || hand.cards.some(({ move }) => move); // dummy's cards must lie apart to be clicked
  const many = `${hand.cards.length > MANY && !isPlayed ? "many" : ""} ${isDummy ? "dummy" : ""}`;
  return h(
    "section",
    { class: `hand ${kind} ${many} ${hand.player >= 0 && hand.player === toMove ? "to-move" : ""}` },
    h("h3", {}, name, hand.cards.length > 1 ? h("small", {}, ` · ${hand.cards.length}`) : null),
    h(
      "ul",
      { class: "cards", "aria-label": down ? t("cards.down", { hand: name, count: down }) : name },
      hand.cards.map((card) => drawn(card, onMove)),
    ),
  );
}

// Draws a table as the player `own` sees it; `onMove` is called for a card that may be played now.
export function cardTable(board, { own = -1, toMove = -1, onMove = null, label = "" } = {}) {
  const players = board.hands.filter(({ player }) => player >= 0);
  const count = Math.max(1, ...players.map(({ player }) => player + 1));
  const turn = ({ player }) => (player - Math.max(0, own) + count) % count; // clockwise, yours is first
  const others = players.filter(({ player }) => player !== own).sort((a, b) => turn(a) - turn(b));
  const mine = players.filter(({ player }) => player === own);
  const middle = board.hands.filter(({ player }) => player < 0);
  const show = (hand) => {
    const isDummy = others.length > 1 && others.includes(hand) && isDummys(hand, players);
    return shownHand(hand, { own, onMove, toMove, isDummy });
  };
  const row = (kind, hands) => (hands.length ? h("div", { class: kind }, hands.map(show)) : null);
  return h(
    "div",
    {
      class: "card-table",
      role: "group",
      "aria-label": label || t("cards.table"),
      onkeydown: (event) => walk(event),
    },
    row(others.length > 1 ? "others crowded" : "others", others),
    row("middles", middle),
    row("mine", mine),
  );
}

// The arrow keys go from one playable card to the next.
function walk(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const cards = [...event.currentTarget.querySelectorAll("button.playable")];
  const at = cards.indexOf(event.target.closest("button.playable"));
  if (!step || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  cards[(at + step + cards.length) % cards.length].focus();
}

// The moves that are on cards, which need no button.
export function movesOnCards(board) {
  const hands = board.kind === "cards" ? board.hands : [];
  return new Set(hands.flatMap(({ cards }) => cards.map(({ move }) => move)).filter(Boolean));
}
