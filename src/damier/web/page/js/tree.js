// The search tree. A node opens to show its children and its board. Monte-Carlo trees show N, Q, P and U and grow live;
// classical searches show windows, bounds and cutoffs, a few plies deep.

import { h, replace } from "./dom.js";
import { t, number } from "./i18n.js";
import { live } from "./api.js";
import { thumbnail } from "./thumbnail.js";

const THEN = "\t"; // between moves: some are written with spaces

export class TreeView {
  constructor(analysis) {
    this.analysis = analysis;
    this.list = h("ul", { class: "tree", role: "tree", "aria-label": t("tree") });
    this.picture = h("div", { class: "picture" });
    this.where = h("p", { class: "hint" });
    this.hint = h("p", { class: "hint" });
    this.element = h("div", { class: "tree-view", hidden: true }, this.hint, this.list, this.where, this.picture);
    this.clear();
  }

  clear() {
    this.open = new Map([["", null]]);
    this.known = new Map();
    this.chosen = "";
    this.last = 0;
    replace(this.list);
    replace(this.picture);
  }

  toggle() {
    this.element.hidden = !this.element.hidden;
    this.refresh(true);
  }

  // Refreshes every open node from time to time.
  refresh(now = false) {
    if (this.element.hidden || (!now && performance.now() - this.last < 500)) return;
    this.last = performance.now();
    for (const key of this.open.keys()) live.send({ do: "look", path: path(key) });
  }

  heard(node) {
    const key = node.path.join(THEN);
    this.known.set(key, node);
    if (key === this.chosen) {
      replace(this.picture, thumbnail(node.board));
      const where = node.path.length ? node.path.join(" ") : t("tree.root");
      this.where.textContent = node.depth ? `${where}  ${traced(node)}` : where;
      this.hint.textContent = node.depth
        ? t("tree.hint.classical", { depth: node.depth, algorithm: node.algorithm })
        : t("tree.hint");
    }
    this.draw();
  }

  draw() {
    const focused = document.activeElement?.dataset?.path;
    replace(this.list, this.children(""));
    if (focused !== undefined) this.list.querySelector(`[data-path="${CSS.escape(focused)}"]`)?.focus();
  }

  children(key) {
    const node = this.known.get(key);
    return (node?.children ?? []).slice(0, node?.depth ? 40 : 15).map((child, index) => {
      const below = [...path(key), child.notation].join(THEN);
      const isOpen = this.open.has(below);
      const isFirst = key === "" && index === 0;
      const row = h(
        "div",
        {
          class: `node ${below === this.chosen ? "chosen" : ""}`,
          role: "treeitem",
          "data-path": below,
          tabindex: below === this.chosen || (this.chosen === "" && isFirst) ? 0 : -1,
          "aria-expanded": child.has_children ? String(isOpen) : null,
          "aria-level": path(below).length,
          // The tree is redrawn while it grows, so press and release may hit different elements.
          onpointerdown: () => {
            this.pressedAt = performance.now();
            this.pick(below, child);
          },
          onclick: () => performance.now() - (this.pressedAt ?? -1e9) > 1000 && this.pick(below, child),
          onkeydown: (event) => this.key(event, below, child),
        },
        h("span", { class: "twist", "aria-hidden": "true" }, child.has_children ? (isOpen ? "▾" : "▸") : "·"),
        h("b", {}, child.notation),
        h("span", { class: `figures ${child.status ?? ""}` }, child.status ? traced(child) : grown(child)),
      );
      return h("li", { role: "none" }, row, isOpen ? h("ul", { role: "group" }, this.children(below)) : null);
    });
  }

  pick(key, child) {
    this.chosen = key;
    if (child.has_children && !this.open.has(key)) this.open.set(key, null);
    else if (this.open.has(key)) this.shut(key);
    live.send({ do: "look", path: path(key) });
    this.draw();
  }

  shut(key) {
    for (const other of [...this.open.keys()])
      if (other === key || other.startsWith(`${key}${THEN}`)) this.open.delete(other);
  }

  key(event, key, child) {
    const rows = [...this.list.querySelectorAll("[role=treeitem]")];
    const now = rows.indexOf(event.currentTarget);
    if (event.key === "ArrowDown") rows[now + 1]?.focus();
    else if (event.key === "ArrowUp") rows[now - 1]?.focus();
    else if (
      event.key === "Enter" ||
      event.key === " " ||
      (event.key === "ArrowRight" && !this.open.has(key)) ||
      (event.key === "ArrowLeft" && this.open.has(key))
    )
      this.pick(key, child);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

const grown = ({ n, q, p, u, proven }) =>
  `N ${number(n)}  Q ${number(q, 3)}  P ${number(p, 3)}  U ${number(u, 3)}${proven ? ` ${t(proven)}` : ""}`;

// A node of a classical search: its value, its search window and its known bounds.
function traced({ status, value, window, interval }) {
  if (status === "cut") return `✂ ${t("tree.cut")}`;
  if (status === "unseen") return t("tree.unseen");
  return [`v ${value}`, window && `[α, β] = ${window}`, interval && `v ∈ ${interval}`].filter(Boolean).join("  ");
}

const path = (key) => (key ? key.split(THEN) : []);
