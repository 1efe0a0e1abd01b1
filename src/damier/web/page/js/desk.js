// The parts of every page with a board: the board, the move list and the engine analysis.

import { h, replace, complain, say } from "./dom.js";
import { t } from "./i18n.js";
import { post } from "./api.js";
import { Board } from "./board.js";
import { Analysis } from "./analysis.js";
import { winChart } from "./chart.js";

export class Desk {
  // `onMove(notation)` is called for a move; `onPly(ply)` when a point of the game is chosen.
  // `atPly(ply)` gives an earlier position of a game with secrets, whose moves can't be played again here.
  constructor({ onMove = null, label, onBack = null, atPly = null }) {
    this.board = new Board({ onMove, label });
    this.onBack = onBack;
    this.atPly = atPly;
    this.secret = null; // the key of a game in progress with hidden cards
    this.moves = h("ol", { class: "moves", "aria-label": t("moves") });
    this.curve = h("div", { class: "curve" });
    this.advice = h("p", { class: "advice" });
    this.told = h("p", { class: "told", role: "status" });
    this.link = h("a", { class: "link" }, t("link"));
    const step = (sign, key, act) =>
      h("button", { type: "button", class: "step-button", "aria-label": t(key), title: t(key), onclick: act }, sign);
    this.steps = h(
      "div",
      { class: "row steps" },
      step("|◀", "first", () => this.go(0)),
      step("◀", "previous", () => this.go(this.ply - 1)),
      step("▶", "next", () => this.go(this.ply + 1)),
      step("▶|", "last", () => this.go(this.line.length)),
      this.link,
    );
    this.analysis = new Analysis(this);
    this.line = [];
    this.ply = 0;
    this.keys = (event) => this.key(event);
    addEventListener("keydown", this.keys);
  }

  leave() {
    removeEventListener("keydown", this.keys);
    this.analysis.leave();
  }

  key(event) {
    if (
      event.target.closest("input, select, textarea, [role=grid], .card-table button, dialog") ||
      event.ctrlKey ||
      event.altKey ||
      event.metaKey
    )
      return;
    if (event.key === "ArrowLeft") this.go(this.ply - 1);
    else if (event.key === "ArrowRight") this.go(this.ply + 1);
    else if (event.key === "/") {
      event.preventDefault();
      document.querySelector(".entry input")?.focus();
    }
  }

  // Shows the newest position of a game and its moves.
  set(position, { isMine = false, chances = [], secret = null } = {}) {
    this.secret = secret;
    this.setCovered(false);
    this.link.hidden = Boolean(secret);
    const wasAtEnd = this.ply >= this.line.length;
    this.game = position.game;
    this.players = position.players;
    this.line = position.line;
    this.chances = chances;
    this.newest = position;
    this.isMine = isMine;
    if (wasAtEnd || this.ply > this.line.length) {
      this.ply = this.line.length;
      this.look(position, isMine);
    }
    this.list();
    const { players } = position;
    winChart(this.curve, { chances, players, isSecret: Boolean(secret), onPly: (ply) => this.go(ply) });
  }

  // Shows something else in place of the board and the moves.
  cover(element) {
    this.setCovered(true);
    this.link.hidden = true;
    this.line = [];
    this.ply = 0;
    this.newest = this.position = null;
    this.board.cover(element);
    this.analysis.moved();
    this.list();
  }

  setCovered(isCovered) {
    this.isCovered = isCovered;
    this.root?.classList.toggle("covered", isCovered);
  }

  // Says something in sight of the board, and marks a move there.
  advise(text, move = null) {
    this.advice.textContent = text ?? "";
    this.board.hint(move);
    if (!text) return;
    say(text);
    this.advice.scrollIntoView({ block: "nearest" });
  }

  look(position, isMine) {
    this.position = position;
    this.board.show(position, isMine);
    this.link.href = `#/study?${new URLSearchParams({ game: this.game, moves: this.notations().join(" ") })}`;
    this.analysis.moved();
  }

  notations(ply = this.ply) {
    return this.line.slice(0, ply).map(({ notation }) => notation);
  }

  async go(ply) {
    const wanted = Math.max(0, Math.min(ply, this.line.length));
    if (wanted === this.ply) return;
    this.ply = wanted;
    try {
      const position =
        wanted === this.line.length
          ? this.newest
          : this.secret
            ? await this.atPly(wanted)
            : await post("positions", { game: this.game, moves: this.notations() });
      if (this.ply !== wanted) return;
      this.look(position, wanted === this.line.length && this.isMine);
    } catch (error) {
      complain(error.message);
    }
    this.list();
  }

  list() {
    const texts = this.line.map(({ notation, player }, index) => `${index + 1}. ${player < 0 ? "⚄ " : ""}${notation}`);
    const wide = texts.some((text) => text.length > 7);
    const focused = [...this.moves.children].findIndex((item) => item.contains(document.activeElement));
    replace(
      this.moves,
      texts.map((text, index) =>
        h(
          "li",
          { class: wide ? "wide" : "" },
          h(
            "button",
            {
              type: "button",
              class: "move",
              "aria-current": index + 1 === this.ply ? "step" : null,
              title: t("goto", { number: index + 1 }),
              onclick: () => this.go(index + 1),
            },
            text,
          ),
        ),
      ),
    );
    this.moves.children[focused]?.firstChild.focus();
    const current = this.moves.querySelector("[aria-current]");
    if (current) this.moves.scrollTop = current.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2; // the page stays
    replace(
      this.told,
      this.ply < this.line.length ? t("looking", { ply: this.ply, count: this.line.length }) : null,
      this.ply < this.line.length && this.onBack && !this.newest.is_hidden
        ? h("button", { type: "button", class: "back-here", onclick: () => this.onBack(this.ply) }, t("back.here"))
        : null,
    );
  }

  layout(side, below, status, more = null) {
    this.root = h(
      "div",
      { class: "desk" },
      h("div", { class: "desk-board" }, this.board.element, this.advice, status, this.steps, this.told, below),
      h(
        "div",
        { class: "desk-side" },
        side,
        more,
        h("section", { class: "panel" }, h("h2", {}, t("moves")), this.moves),
        this.analysis.element,
        h("section", { class: "panel curve-panel" }, h("h2", {}, t("curve")), this.curve),
      ),
    );
    this.root.classList.toggle("covered", this.isCovered);
    return this.root;
  }
}

// The result of a game for a seat; a single player has a score instead.
export function verdict(returns, seat) {
  if (!returns || returns.length === 1) return null;
  const own = returns[seat];
  return h("b", {}, t(own > 0 && own === Math.max(...returns) ? "won" : own === 0 ? "drawn" : "lost"));
}
