// Pieces as shapes. Players differ in colour and in a mark, for readers who can't tell the colours apart.

import { s } from "./dom.js";

export const CELL = 100;
const COLOURS = { blue: "var(--blue)", yellow: "var(--yellow)", red: "var(--red)", green: "var(--green)" };
const KINGS = "⛁⛃";
const MEN = "⛀⛂";
const TILES = [
  "var(--blue)",
  "var(--yellow)",
  "var(--red)",
  "var(--green)",
  "var(--pink)",
  "var(--sky)",
  "var(--orange)",
];

// Draws a symbol of a game in a cell of CELL x CELL.
export function piece(symbol, index, board) {
  if (symbol.colour) return tile(COLOURS[symbol.colour] ?? symbol.colour, symbol.text);
  if (symbol.player < 0) return nobodys(symbol, index);
  if (MEN.includes(symbol.text) || KINGS.includes(symbol.text)) {
    return draughtsman("⛀⛁".includes(symbol.text), KINGS.includes(symbol.text));
  }
  if ("●○".includes(symbol.text)) return disc(symbol.player, board.motion);
  const stack = /^(\d+)[●○]$/.exec(symbol.text);
  if (stack)
    return s(
      "g",
      { class: "stack" },
      disc(symbol.player, ""),
      s("text", { x: 50, y: 53, class: `glyph on${symbol.player}` }, stack[1]),
    );
  return s(
    "g",
    {},
    s("circle", { cx: 50, cy: 50, r: 44, class: `disc player${symbol.player}` }),
    s("text", { x: 50, y: 52, class: `glyph on${symbol.player}` }, symbol.text),
  );
}

function disc(player, motion) {
  const kind = motion === "fall" ? "counter" : "stone";
  const mark =
    player === 0
      ? s("circle", { cx: 50, cy: 50, r: 16, class: "mark" })
      : s("circle", { cx: 50, cy: 50, r: 26, class: "ring" });
  return s("g", { class: `${kind} player${player}` }, s("circle", { cx: 50, cy: 50, r: 41, class: "disc" }), mark);
}

function draughtsman(white, king) {
  const shade = white ? "white" : "black";
  return s(
    "g",
    { class: `man ${shade}` },
    s("circle", { cx: 50, cy: 54, r: 40, class: "edge" }),
    s("circle", { cx: 50, cy: 48, r: 40, class: "disc" }),
    s("circle", { cx: 50, cy: 48, r: 28, class: "ring" }),
    king ? s("path", { d: "M28 62 L24 34 L39 46 L50 28 L61 46 L76 34 L72 62 Z", class: "crown" }) : null,
  );
}

function tile(colour, text) {
  return s(
    "g",
    { class: "tile" },
    s("rect", { x: 2, y: 2, width: 96, height: 96, rx: 8, style: `fill:${colour}` }),
    text === "█" ? null : s("text", { x: 50, y: 53, class: "glyph small" }, text),
  );
}

function nobodys(symbol, index) {
  if (symbol.text === "·") return null;
  if ("+•".includes(symbol.text)) return s("circle", { cx: 50, cy: 50, r: 14, class: "point" });
  return s(
    "g",
    { class: "tile" },
    s("rect", { x: 3, y: 3, width: 94, height: 94, rx: 10, style: `fill:${TILES[index % TILES.length]}` }),
    s("text", { x: 50, y: 53, class: "glyph" }, symbol.text),
  );
}

// A small piece beside a player's name.
export function chip(player, board) {
  const index = board?.symbols?.findIndex((symbol) => symbol.player === player) ?? -1;
  const drawn = index >= 0 ? piece(board.symbols[index], index, board) : disc(player, "");
  return s("svg", { viewBox: `0 0 ${CELL} ${CELL}`, class: "chip", "aria-hidden": "true" }, drawn);
}
