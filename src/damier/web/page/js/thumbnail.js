import { cardTable } from "./cards.js";
import { h, s } from "./dom.js";
import { CELL, piece } from "./pieces.js";

// A small read-only board.
export function thumbnail(board) {
  if (board.kind === "text")
    return h("pre", { class: "thumbnail-text" }, board.text.split("\n").slice(0, 14).join("\n"));
  if (board.kind === "cards") {
    const table = cardTable(board);
    table.classList.add("small");
    table.setAttribute("aria-hidden", "true");
    return table;
  }
  const [rows, cols] = [board.rows.length, board.cols.length];
  const style =
    board.motion === "fall" ? "rack" : board.motion === "flip" ? "felt" : board.chequered ? "chequered" : "plain";
  const svg = s(
    "svg",
    { viewBox: `-8 -8 ${cols * CELL + 16} ${rows * CELL + 16}`, class: `board small ${style}`, "aria-hidden": "true" },
    s("rect", { x: -6, y: -6, width: cols * CELL + 12, height: rows * CELL + 12, rx: 10, class: "frame" }),
  );
  board.cells.forEach((value, cell) => {
    const unused = board.chequered && value < 0;
    svg.append(
      s(
        "g",
        {
          transform: `translate(${(cell % cols) * CELL} ${Math.floor(cell / cols) * CELL})`,
          class: unused ? "unused" : "",
        },
        s("rect", { width: CELL, height: CELL, class: "ground" }),
        style === "rack" ? s("circle", { cx: 50, cy: 50, r: 43, class: "hole" }) : null,
        value >= 0 ? piece(board.symbols[value], value, board) : null,
      ),
    );
  });
  return svg;
}
