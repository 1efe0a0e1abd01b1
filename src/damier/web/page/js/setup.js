// A new game: its options and players.

import { h, replace, complain } from "./dom.js";
import { t, gameName } from "./i18n.js";
import { catalogue, get, post } from "./api.js";
import { thumbnail } from "./thumbnail.js";
import { gameForm, seatForm } from "./options.js";

export async function setup(main, [name], query) {
  const { games, players, allows } = await catalogue();
  const game = {
    name,
    options: [],
    presets: {},
    players: [],
    seats: 2,
    summary: "",
    ...games.find((each) => each.name === name),
  };
  const picture = h("div", { class: "picture" });
  const seats = h("div", { class: "seats" });
  const quickly = h("div", { class: "row" });
  const invitation = h("h2");
  let forms = [];
  const form = gameForm(game, () => refresh().catch((error) => complain(error.message)));
  const moves = query.get("moves")?.split(" ").filter(Boolean) ?? [];

  async function refresh() {
    const spec = form.spec();
    const about = (what) => get(`catalogue/${encodeURIComponent(spec)}/${what}`);
    const [shown, presets, offered] = await Promise.all([
      post("positions", { game: spec, moves: [] }),
      about("presets"),
      about("players"),
    ]);
    const isNew = JSON.stringify([presets, offered.players]) !== JSON.stringify([game.presets, game.players]); // not every player plays every board
    game.presets = presets;
    game.players = offered.players;
    replace(quickly, Object.keys(presets).map(quick));
    invitation.textContent = t(shown.players === 1 ? "setup.watch" : "setup.quick");
    const club = game.presets.club ? `preset ${game.presets.club}` : "human";
    if (isNew || forms.length !== shown.players) {
      forms = Array.from({ length: shown.players }, (_, seat) =>
        seatForm(
          t("seat", { number: seat + 1 }),
          game,
          players.filter((player) => game.players.includes(player.name)),
          seat === 0 ? "human" : club,
          allows.files,
        ),
      );
      replace(
        seats,
        forms.map(({ element }) => element),
      );
    }
    const board = await get(`catalogue/${encodeURIComponent(form.spec())}/board`);
    replace(picture, thumbnail(board));
  }

  const start = async (event) => {
    event?.preventDefault();
    const state = await post("games", { game: form.spec(), seats: forms.map(({ spec }) => spec()), moves });
    location.hash = `#/game/${state.id}`;
  };
  const quick = (preset) =>
    h(
      "button",
      {
        type: "button",
        onclick: async () => {
          const state = await post("games", {
            game: form.spec(),
            seats: forms.map((_, seat) => (seat || forms.length === 1 ? game.presets[preset] : "human")),
            moves,
          });
          location.hash = `#/game/${state.id}`;
        },
      },
      t(`preset.${preset}`),
    );
  replace(
    main,
    h("h1", {}, gameName(name)),
    h("p", { class: "lead" }, t(`summary.${name}`, {}, game.summary)),
    h(
      "div",
      { class: "setup" },
      picture,
      h(
        "form",
        { onsubmit: start },
        h("section", { class: "quick" }, invitation, quickly),
        game.options.length ? h("details", {}, h("summary", {}, t("setup.options")), form.element) : null,
        h("h2", {}, t("setup.seats")),
        seats,
        h("button", { class: "primary", type: "submit" }, t("setup.start")),
      ),
    ),
  );
  await refresh();
}
