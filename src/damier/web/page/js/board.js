// A board: any grid that a game shows, with everything one does on it by mouse, touch or keys.
//
// A move has trails: the cells one points at, in order. A click takes the next cell of the trails that are left; when
// one move is left and its trail is walked, it is made. Games with a tray are laid piece by piece: see tray.js.

import { h, s, replace, say, moves as mayMove } from "./dom.js";
import { t } from "./i18n.js";
import { CELL, piece } from "./pieces.js";
import { Tray } from "./tray.js";

const MARGIN = 58;

export class Board {
  // `onMove(notation)` is called when a person made a move; without it the board is only looked at.
  constructor({ onMove = null, label = "" } = {}) {
    this.onMove = onMove;
    this.label = label;
    // Not on the drawing itself: one that listens for the focus is a stop of the Tab key of its own.
    this.host = h("div", { class: "board-host", onfocusin: (event) => {
      const group = event.target.closest("[data-cell]");
      if (group) this.focused = Number(group.dataset.cell);
    } });
    this.notes = h("p", { class: "notes" });
    this.others = h("div", { class: "other-moves" });
    this.element = h("div", { class: "board-and-tray" }, this.host, this.notes, this.others);
    this.position = null;
    this.isMine = false;
    this.walked = [];
    this.focused = 0;
    this.pushed = null; // the last of the buttons for other moves that had the focus
  }

  // Show a position; `isMine`: a person may move now.
  show(position, isMine = false) {
    const before = this.position;
    this.position = position;
    this.isMine = isMine && this.onMove !== null && !position.is_over;
    this.walked = [];
    const board = position.board;
    if (board.kind === "text") this.showText(board);
    else {
      if (!this.svg || !this.sameShape(before?.board, board)) this.build(board);
      this.draw(board);
      if (before && before.game === position.game && position.ply === before.ply + 1) this.animate(before.board, position);
    }
    replace(this.notes, (board.notes ?? []).map((note) => h("span", {}, note)));
    this.showOthers();
  }

  showText(board) {
    this.svg = null;
    replace(this.host, h("pre", { class: "text-board", tabindex: 0, "aria-label": this.label }, board.text));
  }

  sameShape(a, b) {
    return a?.kind === "grid" && a.rows.length === b.rows.length && a.cols.length === b.cols.length
      && Boolean(a.tray.length) === Boolean(b.tray.length) && a.motion === b.motion;
  }

  // -- drawing ------------------------------------------------------------------------------------------------

  build(board) {
    const [rows, cols] = [board.rows.length, board.cols.length];
    this.cols = cols;
    const [width, height] = [cols * CELL, rows * CELL];
    const style = board.motion === "fall" ? "rack" : board.motion === "flip" ? "felt" : board.chequered ? "chequered"
      : rows * cols > 150 ? "fine" : "plain";
    this.cells = [];
    const grid = s("g", { role: "grid", "aria-label": this.label || t("board"), class: "cells" });
    for (let row = 0; row < rows; row++) {
      const line = s("g", { role: "row" });
      for (let col = 0; col < cols; col++) {
        const cell = row * cols + col;
        const group = s("g", {
          role: "gridcell", tabindex: cell === this.focused ? 0 : -1, class: "cell", "data-cell": cell,
          transform: `translate(${col * CELL} ${row * CELL})`,
        }, s("rect", { width: CELL, height: CELL, class: "ground" }), style === "rack" ? s("circle", { cx: 50, cy: 50, r: 43, class: "hole" }) : null);
        line.append(group);
        this.cells.push(group);
      }
      grid.append(line);
    }
    this.pieces = s("g", { class: "pieces", "aria-hidden": "true" });
    this.over = s("g", { class: "over", "aria-hidden": "true" });
    this.ghost = s("g", { class: "ghost", "aria-hidden": "true" });
    const size = Math.max(24, Math.min(46, 2.6 * Math.max(rows, cols)));
    const labels = s("g", { class: "labels", "aria-hidden": "true", "font-size": size },
      board.rows.map((text, row) => s("text", { x: -MARGIN / 2, y: row * CELL + 54 }, text)),
      board.cols.map((text, col) => s("text", { x: col * CELL + 50, y: height + MARGIN / 2 + 4 }, text)));
    this.svg = s("svg", {
      viewBox: `${-MARGIN - 8} -8 ${width + MARGIN + 16} ${height + MARGIN + 16}`, class: `board ${style}`,
      style: `--ratio:${(width + MARGIN + 16) / (height + MARGIN + 16)}`,
    }, s("rect", { x: -6, y: -6, width: width + 12, height: height + 12, rx: 10, class: "frame" }), labels, grid, this.pieces, this.over, this.ghost);
    this.tray?.element.remove();
    this.tray = board.tray.length ? new Tray(this) : null;
    replace(this.host, this.svg);
    if (this.tray) this.host.after(this.tray.element);
    this.element.classList.toggle("with-tray", Boolean(this.tray));
    this.listen();
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

  // The last move, what can be moved, and the way walked so far.
  mark() {
    if (!this.svg) return;
    replace(this.over);
    for (const cell of this.position.last?.cells ?? []) {
      this.over.append(s("rect", { transform: this.at(cell), x: 4, y: 4, width: 92, height: 92, rx: 12, class: "last" }));
    }
    const next = new Set();
    if (this.isMine && !this.tray) for (const { trail } of this.left()) next.add(trail[this.walked.length]);
    this.cells.forEach((group, cell) => {
      group.classList.toggle("legal", next.has(cell));
      group.classList.toggle("walked", this.walked.includes(cell));
    });
    const few = next.size < this.cells.length / 2 || this.walked.length;
    if (few && this.position.board.motion !== "fall") {
      for (const cell of next) {
        const busy = this.drawn?.[cell];
        this.over.append(busy
          ? s("circle", { transform: this.at(cell), cx: 50, cy: 50, r: 46, class: "can-move" })
          : s("circle", { transform: this.at(cell), cx: 50, cy: 50, r: 13, class: "can-go" }));
      }
    }
    if (this.walked.length) this.path(this.walked, "way");
  }

  path(cells, kind) {
    const point = (cell) => `${(cell % this.cols) * CELL + 50},${Math.floor(cell / this.cols) * CELL + 50}`;
    this.over.append(s("polyline", { points: cells.map(point).join(" "), class: kind }));
  }

  // A line of moves, as an analysis expects it: numbers on the cells that each of them reaches.
  showLine(steps) {
    if (!this.svg) return;
    this.mark();
    steps.forEach((cells, index) => {
      if (cells.length > 1 && !this.position.board.tray.length) this.path(cells, "expected");
      for (const cell of this.position.board.tray.length ? cells : cells.slice(-1)) {
        this.over.append(s("g", { transform: this.at(cell), class: "step" },
          s("circle", { cx: 50, cy: 50, r: 26 }), s("text", { x: 50, y: 53, class: "glyph" }, String(index + 1))));
      }
    });
  }

  // -- motion -------------------------------------------------------------------------------------------------

  animate(before, position) {
    if (!mayMove() || before.kind !== "grid" || document.hidden) return;
    const board = position.board;
    const changed = board.cells.map((value, cell) => (value !== before.cells[cell] ? cell : -1)).filter((cell) => cell >= 0);
    const moving = (cell) => this.drawn[cell]?.querySelector(".moving");
    if (board.motion === "fall") {
      for (const cell of changed) {
        const rows = Math.floor(cell / this.cols) + 1;
        moving(cell)?.animate([{ transform: `translateY(${-rows * CELL}px)` }, { transform: "none" }],
          { duration: 110 + 75 * rows, easing: "cubic-bezier(.55,0,.9,.65)" });
      }
    } else if (board.motion === "flip") {
      for (const cell of changed) {
        const old = before.cells[cell];
        const disc = moving(cell);
        if (!disc) continue;
        const isNew = old < 0;
        if (isNew) disc.animate([{ transform: "scale(.3)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 180 });
        else this.flip(cell, before.symbols[old], old, board);
      }
    } else {
      this.slide(position.last?.cells ?? [], before, board);
    }
  }

  flip(cell, symbol, index, board) {
    const place = this.drawn[cell];
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

  // A piece walks the trail of the last move, square by square.
  slide(trail, before, board) {
    const last = trail.at(-1);
    const mover = this.drawn[last]?.querySelector(".moving");
    if (trail.length < 2 || !mover || before.cells[trail[0]] === board.cells[trail[0]] || board.tray.length) return;
    const offset = (cell) => `translate(${((cell % this.cols) - (last % this.cols)) * CELL}px, ${(Math.floor(cell / this.cols) - Math.floor(last / this.cols)) * CELL}px)`;
    mover.animate(trail.map((cell) => ({ transform: offset(cell) })), { duration: 260 * (trail.length - 1), easing: "ease-in-out" });
  }

  // -- pointing -----------------------------------------------------------------------------------------------

  listen() {
    const cellOf = (event) => {
      const group = event.target.closest?.("[data-cell]") ?? document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-cell]");
      return group && this.svg.contains(group) ? Number(group.dataset.cell) : -1;
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.pressed = cellOf(event);
      if (event.pointerType === "touch") event.target.releasePointerCapture?.(event.pointerId);
    });
    this.svg.addEventListener("pointerup", (event) => {
      const cell = cellOf(event);
      const pressed = this.pressed;
      this.pressed = -1;
      if (cell < 0 || pressed < 0) return;
      if (this.tray) {
        this.tray.place(cell, event.pointerType === "touch");
        return;
      }
      if (cell !== pressed && this.walked.at(-1) !== pressed) this.click(pressed); // dragged from there to here
      this.click(cell);
    });
    this.svg.addEventListener("pointermove", (event) => this.tray?.hover(cellOf(event)));
    this.svg.addEventListener("pointerleave", () => this.tray?.hover(-1));
    this.svg.addEventListener("wheel", (event) => {
      if (!this.tray || !this.isMine) return;
      event.preventDefault();
      this.tray.rotate(event.deltaY > 0 ? 1 : 3);
    }, { passive: false });
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.cols, ArrowDown: this.cols }[event.key];
    if (step) {
      const next = this.focused + step;
      const sameRow = Math.abs(step) > 1 || Math.floor(next / this.cols) === Math.floor(this.focused / this.cols);
      if (next >= 0 && next < this.cells.length && sameRow) this.focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.tray) this.tray.place(this.focused);
      else this.click(this.focused);
    } else if (event.key === "Escape") {
      this.walked = [];
      this.mark();
    } else if (!this.tray?.key(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  focus(cell) {
    this.cells[this.focused].setAttribute("tabindex", -1);
    this.focused = cell;
    this.cells[cell].setAttribute("tabindex", 0);
    this.cells[cell].focus();
    this.tray?.hover(cell);
  }

  // The trails that begin with the cells walked so far.
  left() {
    const walked = this.walked;
    return this.position.moves.flatMap(({ notation, trails }) =>
      trails.filter((trail) => trail.length > walked.length && walked.every((cell, i) => trail[i] === cell)).map((trail) => ({ notation, trail })));
  }

  click(cell) {
    if (!this.isMine || this.tray) return;
    const here = this.left().filter(({ trail }) => trail[this.walked.length] === cell);
    if (!here.length) {
      const ends = new Set(this.left().filter(({ trail }) => trail.at(-1) === cell).map(({ notation }) => notation));
      if (this.walked.length && ends.size === 1) return this.make([...ends][0]);
      const again = this.walked.length > 0 && this.walked[0] !== cell;
      this.walked = [];
      if (again) this.click(cell);
      this.mark();
      return;
    }
    this.walked.push(cell);
    const done = new Set(here.filter(({ trail }) => trail.length === this.walked.length).map(({ notation }) => notation));
    if (done.size === 1) return this.make([...done][0]);
    if (done.size > 1) this.choose([...done]);
    this.mark();
  }

  // Several moves lead over the same cells: ask which is meant.
  choose(notations) {
    const dialog = h("dialog", { class: "choice", "aria-label": t("choose") }, h("p", {}, t("choose")),
      h("div", { class: "row" }, notations.map((notation) => h("button", { type: "button", onclick: () => { dialog.close(); this.make(notation); } }, notation))));
    dialog.addEventListener("close", () => { dialog.remove(); this.walked = []; this.mark(); });
    document.body.append(dialog);
    dialog.showModal();
  }

  make(notation) {
    if (!this.isMine) return;
    this.walked = [];
    this.isMine = false;
    this.mark();
    this.showOthers();
    this.onMove(notation);
    say(t("said.you", { move: notation }));
  }

  // Moves that are nowhere on the board: a pass, or all of them where there is no grid.
  showOthers() {
    const moves = this.isMine ? this.position.moves.filter(({ trails }) => !trails.length) : [];
    const isPass = moves.length === 1 && this.position.moves.length === 1;
    if (this.others.contains(document.activeElement)) this.pushed = document.activeElement.textContent;
    replace(this.others,
      isPass ? h("p", {}, t("only", { move: moves[0].notation })) : null,
      h("div", { class: "row" }, moves.slice(0, 300).map(({ notation }) =>
        h("button", { type: "button", class: isPass ? "primary" : "", onclick: () => this.make(notation) }, notation))));
    if (moves.length && this.pushed !== null) this.focusOther();
  }

  // Who pushed one of these buttons goes on there, without looking for it anew.
  focusOther() {
    const buttons = [...this.others.querySelectorAll("button")];
    if (document.activeElement === document.body) (buttons.find(({ textContent }) => textContent === this.pushed) ?? buttons[0]).focus();
    this.pushed = null;
  }
}

// A board to look at, small.
export function thumbnail(board) {
  if (board.kind === "text") return h("pre", { class: "thumbnail-text" }, board.text.split("\n").slice(0, 14).join("\n"));
  const [rows, cols] = [board.rows.length, board.cols.length];
  const style = board.motion === "fall" ? "rack" : board.motion === "flip" ? "felt" : board.chequered ? "chequered" : "plain";
  const svg = s("svg", { viewBox: `-8 -8 ${cols * CELL + 16} ${rows * CELL + 16}`, class: `board small ${style}`, "aria-hidden": "true" },
    s("rect", { x: -6, y: -6, width: cols * CELL + 12, height: rows * CELL + 12, rx: 10, class: "frame" }));
  board.cells.forEach((value, cell) => {
    const unused = board.chequered && value < 0;
    svg.append(s("g", { transform: `translate(${(cell % cols) * CELL} ${Math.floor(cell / cols) * CELL})`, class: unused ? "unused" : "" },
      s("rect", { width: CELL, height: CELL, class: "ground" }),
      style === "rack" ? s("circle", { cx: 50, cy: 50, r: 43, class: "hole" }) : null,
      value >= 0 ? piece(board.symbols[value], value, board) : null));
  });
  return svg;
}
