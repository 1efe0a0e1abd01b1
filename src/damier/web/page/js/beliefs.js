// "What could they hold?": the possible deals for all that your seat knows, card by card or cell by cell.

import { h, replace } from "./dom.js";
import { t, number } from "./i18n.js";
import { get } from "./api.js";
import { cardName, handName, isRed } from "./cards.js";

const PAUSE = 400; // milliseconds without a move of the others, after which it is worth asking again
const share = (chance) => `${number(100 * chance)} %`;

export class Beliefs {
  constructor(id) {
    this.id = id;
    this.state = 0; // counts what is shown on the board: an answer about an earlier state is dropped
    this.isAsking = this.isWanted = false; // one request at a time, and at most one after it
    this.shown = h("div", { class: "beliefs-shown" });
    this.told = h("p", { class: "hint", role: "status" });
    this.details = h(
      "details",
      { ontoggle: () => this.ask() },
      h("summary", {}, t("beliefs")),
      this.told,
      h("div", { class: "scroll beliefs-table", tabindex: 0, role: "region", "aria-label": t("beliefs") }, this.shown),
    );
    this.element = h("section", { class: "panel beliefs", hidden: true }, this.details);
  }

  // Shows what the seat `viewer` may think now, at its turn or when the others pause; null takes it all away.
  set(viewer, isMine) {
    clearTimeout(this.waiting);
    if (viewer !== this.viewer) this.clear();
    this.viewer = viewer;
    this.state++;
    this.element.hidden = viewer === null;
    if (viewer !== null) this.waiting = setTimeout(() => this.ask(), isMine ? 0 : PAUSE);
  }

  leave() {
    clearTimeout(this.waiting);
    this.viewer = null;
  }

  clear() {
    replace(this.shown);
    this.told.textContent = "";
  }

  async ask() {
    if (!this.details.open || this.viewer === null) return;
    this.isWanted = this.isAsking;
    if (this.isAsking) return;
    this.isAsking = true;
    const { state } = this;
    const found = await get(`games/${this.id}/beliefs`).catch(() => null);
    this.isAsking = false;
    if (state === this.state) this.show(found);
    if (this.isWanted) this.ask();
  }

  show(found) {
    const isSomething = found && (found.kind === "grid" ? found.cells.length : found.rows?.length);
    if (!isSomething) {
      this.clear();
      this.told.textContent = t(found ? "beliefs.nothing" : "beliefs.none");
      return;
    }
    const key = found.is_exact ? "beliefs.exact" : "beliefs.drawn";
    this.told.textContent = t(found.deals === 1 ? `${key}.one` : key, { deals: number(found.deals) });
    replace(this.shown, found.kind === "cards" ? this.cards(found) : this.cells(found));
  }

  cards({ hands, rows }) {
    const cell = (chance) =>
      h("td", {}, h("span", { class: "bar", style: `--part:${chance}` }, chance ? share(chance) : "–"));
    return h(
      "table",
      { class: "rows" },
      h("caption", { class: "hidden-text" }, t("beliefs")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t("beliefs.card")),
          hands.map((hand) => h("th", { scope: "col" }, handName(hand, this.viewer))),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            h(
              "th",
              { scope: "row", class: isRed(row) ? "red-text" : "" },
              h("span", { "aria-hidden": "true" }, row.text),
              h("span", { class: "hidden-text" }, cardName(row.text)),
            ),
            row.chances.map(cell),
          ),
        ),
      ),
    );
  }

  cells({ rows, cols, cells }) {
    const at = new Map();
    for (const each of cells) at.set(each.cell, [...(at.get(each.cell) ?? []), each]);
    const shown = (place) =>
      (at.get(place) ?? []).map(({ text, chance }) =>
        h("span", { style: `opacity:${0.45 + 0.55 * chance}` }, `${text} ${share(chance)}`),
      );
    return h(
      "table",
      { class: "rows belief-grid" },
      h("caption", { class: "hidden-text" }, t("beliefs")),
      h(
        "tbody",
        {},
        rows.map((label, row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, label),
            cols.map((_, col) => h("td", {}, shown(row * cols.length + col))),
          ),
        ),
      ),
      h(
        "tfoot",
        {},
        h(
          "tr",
          {},
          h("td"),
          cols.map((label) => h("th", { scope: "col" }, label)),
        ),
      ),
    );
  }
}
