// The engine analysis: live search results, hints, "why not this move?", and the search tree.

import { h, replace, labelled, complain } from "./dom.js";
import { t, number, percent } from "./i18n.js";
import { catalogue, live, post } from "./api.js";
import { TreeView } from "./tree.js";

const SHOWN = 12;
const HINT_SECONDS = 1; // of a search that grows as long as it may
let tags = 0;

export class Analysis {
  constructor(desk) {
    this.desk = desk;
    this.tag = 0;
    this.turn = 0; // of pointing at the expected line
    this.isOn = false;
    this.player = h("select", { onchange: () => this.isOn && this.start() });
    this.options = h("input", {
      type: "text",
      placeholder: "c=1.4",
      maxlength: 200,
      onchange: () => this.isOn && this.start(),
    });
    this.button = h(
      "button",
      { type: "button", class: "primary do-analyse", onclick: () => (this.isOn ? this.stop() : this.start()) },
      t("analyse"),
    );
    this.status = h("p", { class: "hint", role: "status" });
    this.rows = h("tbody");
    this.line = h("p", {
      class: "expected-line",
      tabindex: 0,
      onmouseenter: () => this.showLine(),
      onfocus: () => this.showLine(),
      onmouseleave: () => this.hideLine(),
      onblur: () => this.hideLine(),
    });
    this.why = h("div", { class: "why", role: "status" });
    const head = ["move", "visits", "value", "prior"].map((key) => h("th", { scope: "col" }, t(`column.${key}`)));
    this.table = h(
      "table",
      { class: "rows" },
      h("caption", { class: "hidden-text" }, t("analysis")),
      h("thead", {}, h("tr", {}, head, h("th", { scope: "col" }, h("span", { class: "hidden-text" }, t("why"))))),
      this.rows,
    );
    this.tree = new TreeView(this);
    this.treeButton = h(
      "button",
      { type: "button", class: "do-tree", hidden: true, onclick: () => this.tree.toggle() },
      t("tree"),
    );
    this.element = h(
      "section",
      { class: "panel analysis" },
      h("h2", {}, t("analysis")),
      h("div", { class: "row" }, labelled(t("player"), this.player), labelled(t("options"), this.options)),
      h("div", { class: "row" }, this.button, this.treeButton),
      this.status,
      h("div", { class: "scroll" }, this.table),
      this.line,
      this.why,
      this.tree.element,
    );
    this.table.hidden = true;
    this.end = live.listen((message) => this.heard(message));
    this.traced = new Set();
    this.game = null; // whose players are listed
  }

  // Lists the players that can analyse this game.
  fill(game) {
    if (this.game !== game) this.filled = this.list(game);
  }

  async list(game) {
    this.game = game;
    const { players, games } = await catalogue();
    this.traced = new Set(players.filter((player) => player.can_trace).map(({ name }) => name));
    const about = games.find(({ name }) => game === name || game.startsWith(`${name}:`));
    const isUseful = ({ name, is_human: isHuman, cheats }) =>
      !isHuman && name !== "random" && (!about?.is_hidden || (!cheats && about.players.includes(name)));
    const useful = players.filter(isUseful);
    this.element.hidden = !useful.length;
    replace(
      this.player,
      useful.map(({ name }) => h("option", { value: name }, name)),
    );
    const usual = about?.is_hidden ? "ismcts" : "puct";
    if (useful.some(({ name }) => name === usual)) this.player.value = usual;
  }

  spec() {
    const options = this.options.value.trim();
    return options ? `${this.player.value}:${options}` : this.player.value;
  }

  // Whether the shown position can be analysed: one with hidden cards only while the visitor is to move.
  get canStart() {
    const { position, secret, isMine } = this.desk;
    const isNow = !secret || (isMine && this.desk.ply === this.desk.line.length);
    return Boolean(position && !position.is_over && !position.is_chance && isNow);
  }

  start() {
    if (!this.canStart) return;
    this.isOn = true;
    this.ask({});
    this.shown();
  }

  async ask(extra) {
    const tag = (this.tag = ++tags);
    this.asked = extra;
    await this.filled;
    if (tag !== this.tag || !(this.isOn || extra.through)) return; // nobody wants to know any more
    if (this.desk.secret) {
      live.send({ do: "advise", id: this.desk.secret, player: this.spec(), tag: this.tag });
      return;
    }
    live.send({
      do: "analyse",
      game: this.desk.game,
      moves: this.desk.notations(),
      player: this.spec(),
      tag: this.tag,
      ...extra,
    });
  }

  stop() {
    if (this.wantsHint) this.desk.advise(null);
    this.isOn = this.wantsHint = false;
    live.send({ do: "stop" });
    this.shown();
  }

  shown() {
    this.button.textContent = t(this.isOn ? "stop" : "analyse");
    this.button.disabled = !this.isOn && !this.canStart;
  }

  // The board shows another position, so the last results no longer apply.
  moved() {
    if (this.desk.game) this.fill(this.desk.game);
    this.turn++;
    replace(this.why);
    this.desk.advise(null);
    this.result = null;
    this.tree.clear();
    if (this.isOn && (this.wantsHint || !this.canStart)) {
      this.stop();
      this.tag = ++tags; // what is still on its way is about another position
    }
    if (this.isOn) this.start();
    this.shown();
    if (!this.isOn) {
      this.table.hidden = true;
      replace(this.line);
      this.status.textContent = "";
      this.treeButton.hidden = true;
    }
  }

  leave() {
    this.end();
    if (this.isOn) live.send({ do: "stop" });
  }

  heard(message) {
    if (message.kind === "tree") this.tree.heard(message);
    if (message.kind !== "analysis" || message.tag !== this.tag) return;
    if (this.asked.through) return this.heardWhy(message);
    if (message.status === "preparing" || message.status === "queued") {
      this.status.textContent = t(message.status);
      if (this.wantsHint) this.desk.advise(t(message.status));
    }
    if (message.result) this.show(message.result);
    if (message.status === "progress") this.tree.refresh();
    if (message.status === "failed") {
      this.status.textContent = message.error;
      if (this.wantsHint) this.desk.advise(message.error);
      this.isOn = this.wantsHint = false;
    }
    if (message.status === "done") {
      this.isOn = false;
      if (this.traced.has(this.player.value)) {
        this.treeButton.hidden = false;
        this.tree.refresh(true);
      }
    }
    const isEnough = message.status === "done" || message.result?.seconds >= HINT_SECONDS;
    if (this.wantsHint && this.result && isEnough) this.tellHint();
    this.shown();
  }

  show(result) {
    this.result = result;
    this.table.hidden = false;
    this.treeButton.hidden = !result.rows.some((row) => row.visit) || !this.isOn || Boolean(this.desk.secret);
    const count = result.sims || result.nodes;
    this.status.textContent = t("thought", {
      sims: number(count),
      seconds: number(result.seconds, 1),
      depth: result.depth,
      chances: (result.chances ?? []).map(percent).join(" / "),
    });
    const most = Math.max(1, ...result.rows.map((row) => row.visit ?? 0));
    replace(
      this.rows,
      result.rows.slice(0, SHOWN).map((row) =>
        h(
          "tr",
          { class: row.notation === result.best ? "best" : "" },
          h("th", { scope: "row" }, row.notation),
          h("td", {}, h("span", { class: "bar", style: `--part:${(row.visit ?? 0) / most}` }, number(row.visit))),
          h("td", {}, row.visit === 0 ? "–" : row.score === null ? percent(row.policy) : number(row.score, 3)),
          h("td", {}, row.prior === null ? "–" : percent(row.prior)),
          h(
            "td",
            {},
            this.desk.secret
              ? null
              : h(
                  "button",
                  {
                    type: "button",
                    class: "plain small do-why",
                    title: t("why.move", { move: row.notation }),
                    "aria-label": t("why.move", { move: row.notation }),
                    onclick: () => this.whyNot(row.notation),
                  },
                  "?",
                ),
          ),
        ),
      ),
    );
    replace(this.line, result.line.length ? [h("b", {}, `${t("expects")} `), result.line.slice(0, 12).join(" ")] : []);
  }

  // Shows the search result of a server player before its move.
  thought(result, ply) {
    if (this.isOn || this.desk.ply < ply) return;
    this.show({ ...result, chances: null });
  }

  async showLine() {
    const line = this.desk.secret ? [] : (this.result?.line ?? []);
    const [turn, before] = [++this.turn, this.desk.notations()];
    const steps = [];
    for (let i = 0; i < Math.min(line.length, 6); i++) {
      const position = await post("positions", { game: this.desk.game, moves: [...before, ...line.slice(0, i + 1)] });
      steps.push(position.last.cells);
    }
    if (turn === this.turn) this.desk.board.showLine(steps);
  }

  // Also drops answers that are still on their way.
  hideLine() {
    this.turn++;
    this.desk.board.mark();
  }

  hint() {
    if (!this.canStart) return complain(t("hint.later"));
    this.wantsHint = true;
    this.desk.advise(t("hint.asking"));
    if (!this.isOn) this.start();
  }

  tellHint() {
    const { best } = this.result;
    this.stop();
    this.desk.advise(t("hint.move", { move: best }), best);
  }

  whyNot(notation) {
    const result = this.result;
    if (this.isOn) this.stop();
    this.before = result;
    replace(this.why, h("p", {}, t("why.asking", { move: notation })));
    this.ask({ through: notation });
  }

  heardWhy(message) {
    if (message.status === "failed") complain(message.error);
    if (message.status !== "done") return;
    const { through } = this.asked;
    const player = this.desk.position.player;
    const of = (chances) => percent(chances?.[player]);
    const answer = message.result.line ?? [];
    replace(
      this.why,
      h(
        "p",
        {},
        t("why.answer", {
          move: through,
          chance: of(message.result.chances),
          reply: answer.slice(0, 6).join(" ") || "–",
        }),
      ),
      this.before && this.before.best !== through
        ? h("p", {}, t("why.best", { move: this.before.best, chance: of(this.before.chances) }))
        : null,
    );
  }
}
