// "What could they hold?": the possible deals for all that your seat knows, card by card or cell by cell.

import { h, replace } from "./dom.js";
import { t, number } from "./i18n.js";
import { get } from "./api.js";
import { cardName, handName, isRed } from "./cards.js";

const share = (chance) => `${number(100 * chance)} %`;

export class Beliefs {
  constructor(id) {
    this.id = id;
    this.asked = 0;
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

  // Shows what the seat `viewer` may think now; null takes it all away.
  set(viewer) {
    this.viewer = viewer;
    this.element.hidden = viewer === null;
    if (viewer === null) this.clear();
    else this.ask();
  }

  clear() {
    this.asked++;
    replace(this.shown);
    this.told.textContent = "";
  }

  async ask() {
    if (!this.details.open || this.viewer === null) return;
    const turn = ++this.asked;
    const found = await get(`games/${this.id}/beliefs`).catch(() => null);
    if (turn !== this.asked) return;
    const isSomething = found?.rows?.length || found?.cells?.length;
    this.told.textContent = isSomething
      ? t(found.is_exact ? "beliefs.exact" : "beliefs.drawn", { deals: number(found.deals) })
      : t("beliefs.nothing");
    if (!isSomething) replace(this.shown);
    else replace(this.shown, found.kind === "cards" ? this.cards(found) : this.cells(found));
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
