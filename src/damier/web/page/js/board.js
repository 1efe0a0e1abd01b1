// A board: the grid of any game, and buttons for moves that are not on the grid. See pointing.js for input by mouse,
// touch and keyboard, motion.js for moving pieces, and tray.js for pieces to place.

import { h, s, replace, say } from "./dom.js";
import { t } from "./i18n.js";
import { cardTable, movesOnCards } from "./cards.js";
import { animate } from "./motion.js";
import { CELL, piece } from "./pieces.js";
import { Pointing } from "./pointing.js";
import { Tray } from "./tray.js";

const MARGIN = 58;

export class Board {
  // `onMove(notation)` is called when the visitor makes a move; without it the board is read-only.
  constructor({ onMove = null, label = "" } = {}) {
    this.onMove = onMove;
    this.label = label;
    // Not on the drawing itself: an element that listens for focus becomes a Tab stop.
    this.host = h("div", {
      class: "board-host",
      onfocusin: (event) => {
        const group = event.target.closest("[data-cell]");
        if (group) this.focused = Number(group.dataset.cell);
      },
    });
    this.notes = h("p", { class: "notes" });
    this.others = h("div", { class: "other-moves" });
    this.element = h("div", { class: "board-and-tray" }, this.host, this.notes, this.others);
    this.position = null;
    this.isMine = false;
    this.pointing = new Pointing(this);
    this.focused = 0;
    this.pushed = null; // the last of the buttons for other moves that had the focus
  }

  // Shows a position; `isMine` says whether the visitor may move now.
  show(position, isMine = false) {
    const before = this.position;
    this.position = position;
    this.isMine = isMine && this.onMove !== null && !position.is_over;
    this.pointing.walked = [];
    const board = position.board;
    if (board.kind === "text") this.showText(board);
    else if (board.kind === "cards") this.showTable(board);
    else {
      if (!this.svg || !this.sameShape(before?.board, board)) this.build(board);
      this.draw(board);
      if (before && before.game === position.game && position.ply === before.ply + 1)
        animate(this, before.board, position);
    }
    replace(
      this.notes,
      (board.notes ?? []).map((note) => h("span", {}, note)),
    );
    this.showOthers();
  }

  showText(board) {
    this.svg = null;
    replace(this.host, h("pre", { class: "text-board", tabindex: 0, "aria-label": this.label }, board.text));
  }

  showTable(board) {
    this.svg = null;
    const hadFocus = this.host.contains(document.activeElement);
    const { player, viewer = -1, held = [], is_over: isOver } = this.position;
    const table = cardTable(board, {
      own: viewer >= 0 ? viewer : (held[0] ?? (this.isMine ? player : -1)),
      toMove: isOver ? -1 : player,
      onMove: this.isMine ? (notation) => this.make(notation) : null,
      label: this.label,
    });
    this.element.classList.remove("with-tray");
    this.tray?.element.remove();
    this.tray = null;
    replace(this.host, table);
    if (hadFocus) table.querySelector("button.playable")?.focus();
  }

  // Shows something else in place of the board, and nothing of the position.
  cover(element) {
    this.svg = null;
    this.position = null;
    this.isMine = false;
    replace(this.host, element);
    replace(this.notes);
    replace(this.others);
  }

  sameShape(a, b) {
    return (
      a?.kind === "grid" &&
      a.rows.length === b.rows.length &&
      a.cols.length === b.cols.length &&
      Boolean(a.tray.length) === Boolean(b.tray.length) &&
      a.motion === b.motion
    );
  }

  // -- drawing ------------------------------------------------------------------------------------------------

  build(board) {
    const [rows, cols] = [board.rows.length, board.cols.length];
    this.cols = cols;
    const [width, height] = [cols * CELL, rows * CELL];
    const style =
      board.motion === "fall"
        ? "rack"
        : board.motion === "flip"
          ? "felt"
          : board.chequered
            ? "chequered"
            : rows * cols > 150
              ? "fine"
              : "plain";
    this.cells = [];
    const grid = s("g", { role: "grid", "aria-label": this.label || t("board"), class: "cells" });
    for (let row = 0; row < rows; row++) {
      const line = s("g", { role: "row" });
      for (let col = 0; col < cols; col++) {
        const cell = row * cols + col;
        const group = s(
          "g",
          {
            role: "gridcell",
            tabindex: cell === this.focused ? 0 : -1,
            class: "cell",
            "data-cell": cell,
            transform: `translate(${col * CELL} ${row * CELL})`,
          },
          s("rect", { width: CELL, height: CELL, class: "ground" }),
          style === "rack" ? s("circle", { cx: 50, cy: 50, r: 43, class: "hole" }) : null,
        );
        line.append(group);
        this.cells.push(group);
      }
      grid.append(line);
    }
    this.pieces = s("g", { class: "pieces", "aria-hidden": "true" });
    this.over = s("g", { class: "over", "aria-hidden": "true" });
    this.ghost = s("g", { class: "ghost", "aria-hidden": "true" });
    const size = Math.max(24, Math.min(46, 2.6 * Math.max(rows, cols)));
    const labels = s(
      "g",
      { class: "labels", "aria-hidden": "true", "font-size": size },
      board.rows.map((text, row) => s("text", { x: -MARGIN / 2, y: row * CELL + 54 }, text)),
      board.cols.map((text, col) => s("text", { x: col * CELL + 50, y: height + MARGIN / 2 + 4 }, text)),
    );
    this.svg = s(
      "svg",
      {
        viewBox: `${-MARGIN - 8} -8 ${width + MARGIN + 16} ${height + MARGIN + 16}`,
        class: `board ${style}`,
        style: `--ratio:${(width + MARGIN + 16) / (height + MARGIN + 16)}`,
      },
      s("rect", { x: -6, y: -6, width: width + 12, height: height + 12, rx: 10, class: "frame" }),
      labels,
      grid,
      this.pieces,
      this.over,
      this.ghost,
    );
    this.tray?.element.remove();
    this.tray = board.tray.length ? new Tray(this) : null;
    replace(this.host, this.svg);
    if (this.tray) this.host.after(this.tray.element);
    this.element.classList.toggle("with-tray", Boolean(this.tray));
    this.pointing.listen();
  }

  draw(board) {
    replace(this.pieces);
    this.drawn = [];
    board.cells.forEach((value, cell) => {
      const group = this.cells[cell];
      group.classList.toggle("unused", board.chequered && value < 0);
      const symbol = value >= 0 ? board.symbols[value] : null;
      group.setAttribute("aria-label", this.describe(board, cell, symbol));
      const shape = symbol ? piece(symbol, value, board) : null;
      if (!shape) return;
      const place = s("g", { transform: this.at(cell), "data-piece": cell }, s("g", { class: "moving" }, shape));
      this.drawn[cell] = place;
      this.pieces.append(place);
    });
    replace(this.ghost);
    this.mark();
    this.tray?.show(board, this.isMine);
  }

  describe(board, cell, symbol) {
    const name = board.cols[cell % this.cols] + board.rows[Math.floor(cell / this.cols)];
    if (!symbol || (symbol.player < 0 && "·+".includes(symbol.text))) return `${name}, ${t("cell.empty")}`;
    return `${name}, ${symbol.player >= 0 ? t("cell.piece", { player: symbol.player + 1, sign: symbol.text }) : symbol.text}`;
  }

  at(cell) {
    return `translate(${(cell % this.cols) * CELL} ${Math.floor(cell / this.cols) * CELL})`;
  }

  // Highlights the last move, the pieces that can move, and the cells chosen so far.
  mark() {
    if (!this.svg) return;
    replace(this.over);
    for (const cell of this.position.last?.cells ?? []) {
      this.over.append(
        s("rect", { transform: this.at(cell), x: 4, y: 4, width: 92, height: 92, rx: 12, class: "last" }),
      );
    }
    const next = new Set();
    if (this.isMine && !this.tray)
      for (const { trail } of this.pointing.left()) next.add(trail[this.pointing.walked.length]);
    this.cells.forEach((group, cell) => {
      group.classList.toggle("legal", next.has(cell));
      group.classList.toggle("walked", this.pointing.walked.includes(cell));
    });
    const few = next.size < this.cells.length / 2 || this.pointing.walked.length;
    if (few && this.position.board.motion !== "fall") {
      for (const cell of next) {
        const busy = this.drawn?.[cell];
        this.over.append(
          busy
            ? s("circle", { transform: this.at(cell), cx: 50, cy: 50, r: 46, class: "can-move" })
            : s("circle", { transform: this.at(cell), cx: 50, cy: 50, r: 13, class: "can-go" }),
        );
      }
    }
    if (this.pointing.walked.length) this.path(this.pointing.walked, "way");
  }

  path(cells, kind) {
    const point = (cell) => `${(cell % this.cols) * CELL + 50},${Math.floor(cell / this.cols) * CELL + 50}`;
    this.over.append(s("polyline", { points: cells.map(point).join(" "), class: kind }));
  }

  // The main line of an analysis: numbers on the cells that its moves reach.
  showLine(steps) {
    if (!this.svg) return;
    this.mark();
    steps.forEach((cells, index) => {
      if (cells.length > 1 && !this.position.board.tray.length) this.path(cells, "expected");
      for (const cell of this.position.board.tray.length ? cells : cells.slice(-1)) {
        this.over.append(
          s(
            "g",
            { transform: this.at(cell), class: "step" },
            s("circle", { cx: 50, cy: 50, r: 26 }),
            s("text", { x: 50, y: 53, class: "glyph" }, String(index + 1)),
          ),
        );
      }
    });
  }

  // Marks a move: its card or its button, or where it goes on the board. Without one, no card and no button is marked.
  hint(notation) {
    for (const marked of this.element.querySelectorAll(".hinted")) marked.classList.remove("hinted");
    if (notation === null) return;
    const move = this.position.moves.find((each) => each.notation === notation);
    if (move?.trails.length) this.showLine([move.trails[0]]);
    this.element.querySelector(`[data-move="${CSS.escape(notation)}"]`)?.classList.add("hinted");
  }

  focus(cell) {
    this.cells[this.focused].setAttribute("tabindex", -1);
    this.focused = cell;
    this.cells[cell].setAttribute("tabindex", 0);
    this.cells[cell].focus();
    this.tray?.hover(cell);
  }

  make(notation) {
    if (!this.isMine) return;
    this.pointing.walked = [];
    this.isMine = false;
    this.mark();
    if (this.position.board.kind === "cards") this.showTable(this.position.board);
    this.showOthers();
    this.onMove(notation);
    say(t("said.you", { move: notation }));
  }

  // Moves that are not on the board: a pass, or every move if there is no grid.
  showOthers() {
    const onCards = movesOnCards(this.position.board);
    const isElsewhere = ({ notation, trails }) => !trails.length && !onCards.has(notation);
    const moves = this.isMine ? this.position.moves.filter(isElsewhere) : [];
    const isPass = moves.length === 1 && this.position.moves.length === 1;
    if (this.others.contains(document.activeElement)) this.pushed = document.activeElement.textContent;
    replace(
      this.others,
      isPass ? h("p", {}, t("only", { move: moves[0].notation })) : null,
      h(
        "div",
        { class: "row" },
        moves.slice(0, 300).map(({ notation }) =>
          h(
            "button",
            {
              type: "button",
              class: isPass ? "primary" : "",
              "data-move": notation,
              onclick: () => this.make(notation),
            },
            notation,
          ),
        ),
      ),
    );
    if (moves.length && this.pushed !== null) this.focusOther();
  }

  // Keeps the focus on the button that was pressed.
  focusOther() {
    const buttons = [...this.others.querySelectorAll("button")];
    if (document.activeElement === document.body)
      (buttons.find(({ textContent }) => textContent === this.pushed) ?? buttons[0]).focus();
    this.pushed = null;
  }
}
