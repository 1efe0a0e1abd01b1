// The pieces beside the board in games that place pieces: choose one, rotate it, and see where it fits.

import { h, s, replace, say } from "./dom.js";
import { t } from "./i18n.js";
import { CELL, piece } from "./pieces.js";

const turned = (cells) => cells.map(([row, col]) => [col, -row]);
const mirrored = (cells) => cells.map(([row, col]) => [row, -col]);

export class Tray {
  constructor(board) {
    this.board = board;
    this.chosen = null;
    this.cells = [];
    this.where = -1;
    this.list = h("div", { class: "tiles", role: "group", "aria-label": t("tray") });
    const button = (key, sign, act) =>
      h(
        "button",
        { type: "button", class: `turn-${key}`, title: t(`tray.${key}`), onclick: act },
        `${sign} `,
        t(`tray.${key}`),
      );
    this.element = h(
      "div",
      { class: "tray" },
      h(
        "div",
        { class: "row" },
        button("left", "↺", () => this.rotate(3)),
        button("right", "↻", () => this.rotate(1)),
        button("flip", "⇋", () => this.flip()),
      ),
      this.list,
      h("p", { class: "hint" }, t("tray.hint")),
    );
    this.drop = (event) => this.dropped(event);
    this.drag = (event) => this.dragged(event);
  }

  show(shown, isMine) {
    this.isMine = isMine;
    this.legal = new Map();
    for (const { notation, trails } of this.board.position.moves)
      for (const trail of trails) this.legal.set(key(trail), notation);
    this.shown = shown;
    const fits = new Set(this.board.position.moves.map(({ trails }) => shape(trails[0] ?? [], this.board.cols)));
    replace(
      this.list,
      shown.tray.map((tile) => this.tile(tile, fits.has(normal(tile.cells)))),
    );
    const still = shown.tray.find((tile) => tile.name === this.chosen);
    if (!still) this.choose(null);
    else this.light();
    this.element.classList.toggle("idle", !isMine);
  }

  tile(tile, fits) {
    const rows = Math.max(...tile.cells.map(([row]) => row)) + 1;
    const cols = Math.max(...tile.cells.map(([, col]) => col)) + 1;
    const drawing = s(
      "svg",
      { viewBox: `0 0 ${cols * CELL} ${rows * CELL}`, style: `width:${cols * 0.85}rem`, "aria-hidden": "true" },
      tile.cells.map(([row, col]) =>
        s(
          "g",
          { transform: `translate(${col * CELL} ${row * CELL})` },
          piece(this.shown.symbols[tile.symbol], tile.symbol, this.shown),
        ),
      ),
    );
    const button = h(
      "button",
      {
        type: "button",
        class: fits ? "tile-button" : "tile-button unfit",
        "data-tile": tile.name,
        "aria-pressed": "false",
        "aria-label": t(fits ? "tray.tile" : "tray.unfit", { name: tile.name }),
        title: tile.name,
        onclick: () => this.choose(tile),
        onpointerdown: (event) => {
          if (!this.isMine) return;
          this.choose(tile);
          event.target.releasePointerCapture?.(event.pointerId);
          addEventListener("pointermove", this.drag);
          addEventListener("pointerup", this.drop, { once: true });
        },
      },
      drawing,
      tile.count > 1 ? h("span", { class: "count" }, `×${tile.count}`) : null,
    );
    return button;
  }

  choose(tile) {
    if (tile && this.chosen === tile.name) return this.light();
    this.chosen = tile?.name ?? null;
    this.cells = tile ? tile.cells : [];
    this.light();
    if (tile) say(t("tray.tile", { name: tile.name }));
  }

  light() {
    for (const button of this.list.children)
      button.setAttribute("aria-pressed", String(button.dataset.tile === this.chosen));
    this.hover(this.where);
  }

  rotate(times) {
    for (let i = 0; i < times; i++) this.cells = turned(this.cells);
    this.hover(this.where);
  }

  flip() {
    this.cells = mirrored(this.cells);
    this.hover(this.where);
  }

  // The squares that the piece covers when centred on this cell; null if it leaves the board.
  cover(cell) {
    if (!this.cells.length || cell < 0) return null;
    const cols = this.board.cols;
    const rows = this.board.cells.length / cols;
    const middle = (axis) => {
      const along = this.cells.map((each) => each[axis]);
      return Math.floor((Math.min(...along) + Math.max(...along) + 1) / 2);
    };
    const [down, right] = [Math.floor(cell / cols) - middle(0), (cell % cols) - middle(1)];
    const covered = this.cells.map(([row, col]) => [row + down, col + right]);
    return covered.every(([row, col]) => row >= 0 && row < rows && col >= 0 && col < cols)
      ? covered.map(([row, col]) => row * cols + col)
      : null;
  }

  hover(cell) {
    this.where = cell;
    replace(this.board.ghost);
    const covered = this.isMine ? this.cover(cell) : null;
    if (!covered) return;
    const legal = this.legal.has(key(covered));
    this.board.ghost.setAttribute("class", legal ? "ghost fits" : "ghost");
    for (const each of covered) {
      this.board.ghost.append(s("rect", { transform: this.board.at(each), x: 4, y: 4, width: 92, height: 92, rx: 8 }));
    }
  }

  // On a touch screen, the first tap shows the piece and a second tap on it places it.
  place(cell, byTouch = false) {
    if (!this.isMine) return;
    const shown = byTouch ? this.cover(this.tapped ?? -1) : null;
    if (byTouch && !(shown ?? []).includes(cell)) {
      this.tapped = cell;
      this.hover(cell);
      return;
    }
    const covered = byTouch ? shown : this.cover(cell);
    const notation = covered && this.legal.get(key(covered));
    this.tapped = -1;
    if (notation) {
      this.chosen = null;
      this.cells = [];
      this.board.make(notation);
    } else say(t(this.chosen ? "tray.no" : "tray.choose"));
  }

  key(event) {
    const letter = event.key.toLowerCase();
    if (letter === "r") this.rotate(event.shiftKey ? 3 : 1);
    else if (letter === "f") this.flip();
    else if (letter === "n" || letter === "p") this.step(letter === "n" ? 1 : -1);
    else return false;
    return true;
  }

  step(by) {
    const buttons = [...this.list.children];
    if (!buttons.length) return;
    const now = buttons.findIndex((button) => button.dataset.tile === this.chosen);
    const name = buttons[(now + by + buttons.length) % buttons.length].dataset.tile;
    this.choose(this.board.position.board.tray.find((tile) => tile.name === name));
    this.hover(this.board.focused);
  }

  under(event) {
    const group = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    return group && this.board.svg.contains(group) ? Number(group.dataset.cell) : -1;
  }

  dragged(event) {
    this.hover(this.under(event));
  }

  dropped(event) {
    removeEventListener("pointermove", this.drag);
    const cell = this.under(event);
    if (cell >= 0 && event.pointerType !== "touch") this.place(cell);
    else if (cell >= 0) {
      this.tapped = cell;
      this.place(cell, true);
    }
  }
}

const key = (cells) => [...cells].sort((a, b) => a - b).join(" ");

// A text that is equal for all orientations of a shape; it tells which pieces fit somewhere.
function normal(cells) {
  let [best, way] = ["~", cells];
  for (let i = 0; i < 8; i++) {
    way = i === 4 ? mirrored(way) : turned(way);
    const top = Math.min(...way.map(([row]) => row));
    const left = Math.min(...way.map(([, col]) => col));
    const text = way
      .map(([row, col]) => `${row - top}.${col - left}`)
      .sort()
      .join(" ");
    if (text < best) best = text;
  }
  return best;
}

const shapes = new Map();
function shape(cells, cols) {
  const places = cells.map((cell) => [Math.floor(cell / cols), cell % cols]);
  const top = Math.min(...places.map(([row]) => row));
  const left = Math.min(...places.map(([, col]) => col));
  const moved = places.map(([row, col]) => [row - top, col - left]);
  const text = moved.join(" ");
  if (!shapes.has(text)) shapes.set(text, normal(moved));
  return shapes.get(text);
}
