// Makes moves on a board by mouse, touch or keyboard.
//
// A move has trails: the cells to point at, in order. A click takes the next cell of the remaining trails. When one
// move remains and its trail is complete, the move is made. In games with a tray, pieces are placed: see tray.js.

import { h } from "./dom.js";
import { t } from "./i18n.js";

export class Pointing {
  constructor(board) {
    this.board = board;
    this.walked = []; // the cells of a trail so far
    this.pressed = -1;
  }

  listen() {
    const cellOf = (event) => {
      const group =
        event.target.closest?.("[data-cell]") ??
        document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-cell]");
      return group && this.board.svg.contains(group) ? Number(group.dataset.cell) : -1;
    };
    this.board.svg.addEventListener("pointerdown", (event) => {
      this.pressed = cellOf(event);
      if (event.pointerType === "touch") event.target.releasePointerCapture?.(event.pointerId);
    });
    this.board.svg.addEventListener("pointerup", (event) => {
      const cell = cellOf(event);
      const pressed = this.pressed;
      this.pressed = -1;
      if (cell < 0 || pressed < 0) return;
      if (this.board.tray) {
        this.board.tray.place(cell, event.pointerType === "touch");
        return;
      }
      if (cell !== pressed && this.walked.at(-1) !== pressed) this.click(pressed); // dragged from there to here
      this.click(cell);
    });
    this.board.svg.addEventListener("pointermove", (event) => this.board.tray?.hover(cellOf(event)));
    this.board.svg.addEventListener("pointerleave", () => this.board.tray?.hover(-1));
    this.board.svg.addEventListener(
      "wheel",
      (event) => {
        if (!this.board.tray || !this.board.isMine) return;
        event.preventDefault();
        this.board.tray.rotate(event.deltaY > 0 ? 1 : 3);
      },
      { passive: false },
    );
    this.board.svg.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.board.cols, ArrowDown: this.board.cols }[event.key];
    if (step) {
      const next = this.board.focused + step;
      const sameRow =
        Math.abs(step) > 1 || Math.floor(next / this.board.cols) === Math.floor(this.board.focused / this.board.cols);
      if (next >= 0 && next < this.board.cells.length && sameRow) this.board.focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.board.tray) this.board.tray.place(this.board.focused);
      else this.click(this.board.focused);
    } else if (event.key === "Escape") {
      this.walked = [];
      this.board.mark();
    } else if (!this.board.tray?.key(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The trails that begin with the cells chosen so far.
  left() {
    const walked = this.walked;
    return this.board.position.moves.flatMap(({ notation, trails }) =>
      trails
        .filter((trail) => trail.length > walked.length && walked.every((cell, i) => trail[i] === cell))
        .map((trail) => ({ notation, trail })),
    );
  }

  click(cell) {
    if (!this.board.isMine || this.board.tray) return;
    const here = this.left().filter(({ trail }) => trail[this.walked.length] === cell);
    if (!here.length) {
      const ends = new Set(
        this.left()
          .filter(({ trail }) => trail.at(-1) === cell)
          .map(({ notation }) => notation),
      );
      if (this.walked.length && ends.size === 1) return this.board.make([...ends][0]);
      const again = this.walked.length > 0 && this.walked[0] !== cell;
      this.walked = [];
      if (again) this.click(cell);
      this.board.mark();
      return;
    }
    this.walked.push(cell);
    const done = new Set(
      here.filter(({ trail }) => trail.length === this.walked.length).map(({ notation }) => notation),
    );
    if (done.size === 1) return this.board.make([...done][0]);
    if (done.size > 1) this.choose([...done]);
    this.board.mark();
  }

  // Several moves have the same cells: asks which is meant.
  choose(notations) {
    const dialog = h(
      "dialog",
      { class: "choice", "aria-label": t("choose") },
      h("p", {}, t("choose")),
      h(
        "div",
        { class: "row" },
        notations.map((notation) =>
          h(
            "button",
            {
              type: "button",
              onclick: () => {
                dialog.close();
                this.board.make(notation);
              },
            },
            notation,
          ),
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      this.walked = [];
      this.board.mark();
    });
    document.body.append(dialog);
    dialog.showModal();
  }
}
