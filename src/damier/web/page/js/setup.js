// A new game: its options, and who sits where.

import { h, replace, complain } from "./dom.js";
import { t } from "./i18n.js";
import { catalogue, get, post } from "./api.js";
import { thumbnail } from "./board.js";
import { gameForm, seatForm } from "./options.js";

export async function setup(main, [name], query) {
  const { games, players, allows } = await catalogue();
  const game = games.find((each) => each.name === name) ?? { name, options: [], presets: games[0].presets, seats: 2, summary: "" };
  const picture = h("div", { class: "picture" });
  const seats = h("div", { class: "seats" });
  let forms = [];
  const form = gameForm(game, () => refresh().catch((error) => complain(error.message)));
  const moves = query.get("moves")?.split(" ").filter(Boolean) ?? [];

  async function refresh() {
    const shown = await post("positions", { game: form.spec(), moves: [] });
    const club = game.presets.club ? `preset ${game.presets.club}` : "human";
    if (forms.length !== shown.players) {
      forms = Array.from({ length: shown.players }, (_, seat) =>
        seatForm(t("seat", { number: seat + 1 }), game, players, seat === 0 ? "human" : club));
      replace(seats, forms.map(({ element }) => element));
    }
    const board = await get(`catalogue/${encodeURIComponent(form.spec())}/board`);
    replace(picture, thumbnail(board));
  }

  const start = async (event) => {
    event?.preventDefault();
    const state = await post("games", { game: form.spec(), seats: forms.map(({ spec }) => spec()), moves });
    location.hash = `#/game/${state.id}`;
  };
  const quick = (preset) => h("button", {
    type: "button", onclick: async () => {
      const state = await post("games", { game: form.spec(), seats: forms.map((_, seat) => (seat ? game.presets[preset] : "human")), moves });
      location.hash = `#/game/${state.id}`;
    },
  }, t(`preset.${preset}`));
  replace(main,
    h("h1", {}, t(`game.${name}`, {}, name)), h("p", { class: "lead" }, t(`summary.${name}`, {}, game.summary)),
    h("div", { class: "setup" }, picture,
      h("form", { onsubmit: start },
        h("section", { class: "quick" }, h("h2", {}, t("setup.quick")), h("div", { class: "row" }, Object.keys(game.presets).map(quick))),
        game.options.length ? h("details", {}, h("summary", {}, t("setup.options")), form.element) : null,
        h("h2", {}, t("setup.seats")), seats,
        h("button", { class: "primary", type: "submit" }, t("setup.start")))));
  await refresh();
}
