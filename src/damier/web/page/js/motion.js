// Animates pieces on a board: they fall, flip, or walk from cell to cell.

import { s, moves as mayMove } from "./dom.js";
import { CELL, piece } from "./pieces.js";

// Animates from the board before a move to the board after it, which `view` already shows.
export function animate(view, before, position) {
  if (!mayMove() || before.kind !== "grid" || document.hidden) return;
  const board = position.board;
  const changed = board.cells
    .map((value, cell) => (value !== before.cells[cell] ? cell : -1))
    .filter((cell) => cell >= 0);
  const moving = (cell) => view.drawn[cell]?.querySelector(".moving");
  if (board.motion === "fall") {
    for (const cell of changed) {
      const rows = Math.floor(cell / view.cols) + 1;
      moving(cell)?.animate([{ transform: `translateY(${-rows * CELL}px)` }, { transform: "none" }], {
        duration: 110 + 75 * rows,
        easing: "cubic-bezier(.55,0,.9,.65)",
      });
    }
  } else if (board.motion === "flip") {
    for (const cell of changed) {
      const old = before.cells[cell];
      const disc = moving(cell);
      if (!disc) continue;
      const isNew = old < 0;
      if (isNew)
        disc.animate(
          [
            { transform: "scale(.3)", opacity: 0 },
            { transform: "none", opacity: 1 },
          ],
          { duration: 180 },
        );
      else flip(view, cell, before.symbols[old], old, board);
    }
  } else {
    slide(view, position.last?.cells ?? [], before, board);
  }
}

function flip(view, cell, symbol, index, board) {
  const place = view.drawn[cell];
  const now = place.firstChild;
  const old = s("g", { class: "moving" }, piece(symbol, index, board));
  place.append(old);
  const half = { duration: 190, easing: "ease-in", fill: "forwards", delay: 120 };
  now.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(0)" }], { duration: 310 });
  old.animate([{ transform: "none" }, { transform: "scaleX(0)" }], half).onfinish = () => {
    old.remove();
    now.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: 190, easing: "ease-out" });
  };
}

// Moves a piece along the trail of the last move, square by square.
function slide(view, trail, before, board) {
  const last = trail.at(-1);
  const mover = view.drawn[last]?.querySelector(".moving");
  if (trail.length < 2 || !mover || before.cells[trail[0]] === board.cells[trail[0]] || board.tray.length) return;
  const offset = (cell) =>
    `translate(${((cell % view.cols) - (last % view.cols)) * CELL}px, ${(Math.floor(cell / view.cols) - Math.floor(last / view.cols)) * CELL}px)`;
  mover.animate(
    trail.map((cell) => ({ transform: offset(cell) })),
    { duration: 260 * (trail.length - 1), easing: "ease-in-out" },
  );
}
