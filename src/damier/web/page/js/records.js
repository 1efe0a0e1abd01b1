// Stored games: list, search, import.

import { h, replace, labelled, complain } from "./dom.js";
import { t, date, gameName } from "./i18n.js";
import { catalogue, get, post } from "./api.js";

const PAGE = 30;

export async function recordsPage(main) {
  let offset = 0;
  const rows = h("tbody");
  const count = h("p", { role: "status" });
  const search = h("input", {
    type: "search",
    maxlength: 100,
    oninput: () => {
      offset = 0;
      later();
    },
  });
  const mine = h("input", {
    type: "checkbox",
    onchange: () => {
      offset = 0;
      show();
    },
  });
  const more = h("div", { class: "row" });
  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 250);
  };

  async function show() {
    const found = await get(
      `records?${new URLSearchParams({ text: search.value, mine: mine.checked, limit: PAGE, offset })}`,
    );
    count.textContent = t("records.count", { count: found.count });
    replace(
      rows,
      found.games.map((game) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("a", { href: `#/record/${game.number}` }, `${game.number}`)),
          h("td", {}, gameName(game.game)),
          h("td", {}, game.note || game.seats.map((seat) => (seat === "human" ? t("human") : seat)).join(" – ")),
          h("td", {}, String(game.plies ?? "–")),
          h("td", {}, outcome(game)),
          h("td", {}, date(game.changed)),
          h("td", {}, game.key && !game.returns ? h("a", { href: `#/game/${game.key}` }, t("go.on")) : null),
        ),
      ),
    );
    replace(
      more,
      h(
        "button",
        {
          type: "button",
          disabled: offset === 0,
          onclick: () => {
            offset -= PAGE;
            show();
          },
        },
        t("newer"),
      ),
      h(
        "button",
        {
          type: "button",
          disabled: offset + PAGE >= found.count,
          onclick: () => {
            offset += PAGE;
            show();
          },
        },
        t("older"),
      ),
    );
  }

  const { formats } = await catalogue();
  const format = h(
    "select",
    {},
    formats.map((each) => h("option", { value: each }, each.toUpperCase())),
  );
  const text = h("textarea", { rows: 6, maxlength: 200000 });
  const file = h("input", {
    type: "file",
    accept: [...formats, "txt"].map((each) => `.${each}`).join(),
    onchange: async () => {
      text.value = await file.files[0].text();
      const ending = file.files[0].name.split(".").at(-1).toLowerCase();
      if (formats.includes(ending)) format.value = ending;
    },
  });
  const add = async (event) => {
    event.preventDefault();
    try {
      const { numbers } = await post("records", { format: format.value, text: text.value });
      location.hash = `#/record/${numbers[0]}`;
    } catch (error) {
      complain(error.message);
    }
  };
  const heads = ["number", "game", "players", "plies", "result", "date"].map((key) =>
    h("th", { scope: "col" }, t(`records.${key}`)),
  );
  replace(
    main,
    h("h1", {}, t("nav.records")),
    h(
      "div",
      { class: "row" },
      labelled(t("search"), search),
      h("label", { class: "check" }, mine, " ", t("records.mine")),
    ),
    count,
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": t("nav.records") },
      h("table", { class: "wide-table" }, h("thead", {}, h("tr", {}, heads, h("td"))), rows),
    ),
    more,
    h(
      "details",
      { class: "panel" },
      h("summary", {}, t("import")),
      h(
        "form",
        { onsubmit: add },
        labelled(t("import.file"), file),
        labelled(t("import.format"), format),
        labelled(t("import.text"), text),
        h("button", { type: "submit", class: "primary" }, t("import")),
      ),
    ),
  );
  await show();
  return () => clearTimeout(waiting);
}

function outcome(game) {
  if (game.is_damaged) return t("damaged");
  if (!game.returns) return t("unfinished");
  if (game.returns.length === 1) return game.returns[0].toFixed(2);
  const best = Math.max(...game.returns);
  const winners = game.returns.flatMap((value, seat) => (value === best ? [seat + 1] : []));
  return winners.length === game.returns.length ? t("draw") : t("wins", { player: winners.join(", ") });
}
