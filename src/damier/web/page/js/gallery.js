// The first page: every game with a small board.

import { h, replace, labelled } from "./dom.js";
import { t, date, gameName } from "./i18n.js";
import { catalogue, get } from "./api.js";
import { thumbnail } from "./thumbnail.js";

export async function gallery(main) {
  const list = h("ul", { class: "gallery" });
  const going = h("div");
  replace(main, h("h1", {}, t("gallery.title")), h("p", { class: "lead" }, t("gallery.lead")), going, list);
  const { games, allows } = await catalogue();
  if (allows.files) list.after(ownGame());
  replace(
    list,
    games.map((game) => {
      const picture = h("div", { class: "picture" });
      get(`catalogue/${encodeURIComponent(game.name)}/board`).then(
        (board) => replace(picture, thumbnail(board)),
        () => {},
      );
      const seats = t(game.seats === 1 ? "seats.one" : "seats", { count: game.seats });
      return h(
        "li",
        {},
        h(
          "a",
          { class: "card", href: `#/new/${encodeURIComponent(game.name)}` },
          picture,
          h("h2", {}, gameName(game.name)),
          h("p", {}, t(`summary.${game.name}`, {}, game.summary)),
          h("small", {}, seats),
        ),
      );
    }),
  );
  const own = (await get("records?mine=true&limit=5")).games.filter(
    (game) => !game.returns && game.key && game.seats.includes("human"),
  );
  if (own.length) {
    replace(
      going,
      h("h2", {}, t("gallery.going")),
      h(
        "ul",
        { class: "plain-list" },
        own.map((game) =>
          h(
            "li",
            {},
            h("a", { href: `#/game/${game.key}` }, gameName(game.game)),
            ` – ${game.plies === null ? "" : `${t("plies", { count: game.plies })}, `}${date(game.changed)}`,
          ),
        ),
      ),
    );
  }
}

// A game of the visitor's own, if the server allows files.
function ownGame() {
  const input = h("input", {
    type: "text",
    placeholder: "path/to/file.py:Class",
    size: 34,
    maxlength: 300,
    required: true,
  });
  const open = (event) => {
    event.preventDefault();
    location.hash = `#/new/${encodeURIComponent(input.value.trim())}`;
  };
  return h(
    "form",
    { class: "row own", onsubmit: open },
    labelled(t("gallery.own"), input),
    h("button", { type: "submit" }, t("gallery.open")),
  );
}
