// Tournaments: start one, watch the table grow, replay its games.

import { h, replace, labelled, complain } from "./dom.js";
import { t, date, number, percent, gameName } from "./i18n.js";
import { catalogue, get, post, live } from "./api.js";
import { chart } from "./chart.js";

export async function eventsPage(main) {
  const { games, players } = await catalogue();
  const list = h("tbody");
  const game = h(
    "select",
    {},
    games
      .filter((each) => each.seats > 1)
      .map((each) => h("option", { value: each.name, selected: each.name === "connect4" }, gameName(each.name))),
  );
  const names = h("textarea", { rows: 4, maxlength: 2000, value: "uct:sims=50\nuct:sims=200\nrandom" });
  const count = h("input", { type: "number", min: 1, max: 1000, value: 20 });
  const start = async (event) => {
    event.preventDefault();
    const button = event.submitter;
    button.disabled = true;
    try {
      const { id } = await post("events", {
        game: game.value,
        players: names.value.split(/\s+/).filter(Boolean),
        games: Number(count.value),
      });
      location.hash = `#/event/${id}`;
    } catch (error) {
      complain(error.message);
      button.disabled = false;
    }
  };
  replace(
    main,
    h("h1", {}, t("nav.events")),
    h("p", { class: "lead" }, t("events.lead")),
    h(
      "form",
      { class: "panel", onsubmit: start },
      h("h2", {}, t("events.new")),
      h("div", { class: "row top" }, labelled(t("game"), game), labelled(t("events.games"), count)),
      labelled(
        t("events.players"),
        names,
        `${t("events.known")}: ${players
          .filter((each) => !each.is_human)
          .map(({ name }) => name)
          .join(", ")}`,
      ),
      h("button", { class: "primary", type: "submit" }, t("events.start")),
    ),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": t("nav.events") },
      h(
        "table",
        { class: "wide-table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["number", "game", "players", "date"].map((key) => h("th", { scope: "col" }, t(`records.${key}`))),
            h("th", { scope: "col" }, t("events.state")),
          ),
        ),
        list,
      ),
    ),
  );
  const { events } = await get("events");
  replace(
    list,
    events.map((each) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, h("a", { href: `#/event/${each.id}` }, String(each.id))),
        h("td", {}, each.is_damaged ? t("damaged") : gameName(each.settings.game)),
        h("td", {}, each.is_damaged ? "–" : each.settings.players.join(", ")),
        h("td", {}, date(each.began)),
        h("td", {}, stateOf(each)),
      ),
    ),
  );
}

// A player's spec without the limits that the server adds.
function shortener({ seconds, memory }) {
  const limits = new RegExp(`,?\\b(seconds=${seconds}|memory=${memory}|threads=1)(?=,|$)`, "g");
  return (spec) => spec.replace(limits, "").replace(/:,?$/, "").replace(":,", ":");
}

function stateOf({ is_finished, is_running, is_played }) {
  if (is_finished) return t("events.finished");
  return t(is_running ? "events.running" : is_played ? "events.elsewhere" : "events.stopped");
}

export async function eventPage(main, [id]) {
  const short = shortener((await catalogue()).limits);
  const title = h("h1");
  const state = h("p", { role: "status" });
  const stop = h(
    "button",
    { type: "button", onclick: () => post(`events/${id}/stop`).catch((error) => complain(error.message)) },
    t("stop"),
  );
  const resume = h(
    "button",
    {
      type: "button",
      class: "do-resume",
      onclick: () => post(`events/${id}/resume`).catch((error) => complain(error.message)),
    },
    t("events.resume"),
  );
  const table = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("crosstable") });
  const plot = h("div", { class: "chart" });
  const games = h("ol", { class: "plain-list games" });
  replace(
    main,
    title,
    h("div", { class: "row" }, state, stop, resume),
    h("section", { class: "panel" }, h("h2", {}, t("crosstable")), table),
    h("section", { class: "panel" }, h("h2", {}, t("ratings")), plot),
    h("section", { class: "panel" }, h("h2", {}, t("events.replay")), games),
  );

  function show(event) {
    const { result } = event;
    title.textContent = t("event", { number: id, game: gameName(result.game) });
    state.textContent = `${stateOf(event)} – ${t("events.count", { count: result.games, planned: result.planned })}`;
    stop.hidden = !event.is_running;
    resume.hidden = !event.can_resume;
    const order = result.standings.map(({ player }) => player);
    const pair = (a, b) => {
      const found = result.pairs.find(
        ({ first, second }) => (first === a && second === b) || (first === b && second === a),
      );
      if (!found || found.score === null) return "–";
      return percent(found.first === a ? found.score : 1 - found.score);
    };
    replace(
      table,
      h(
        "table",
        { class: "wide-table crosstable" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, t("player")),
            order.map((_, i) => h("th", { scope: "col" }, `${i + 1}`)),
            ["games", "score", "elo"].map((key) => h("th", { scope: "col" }, t(`cross.${key}`))),
          ),
        ),
        h(
          "tbody",
          {},
          result.standings.map((standing, i) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, `${i + 1}. ${short(standing.player)}`),
              order.map((other) => h("td", {}, other === standing.player ? "■" : pair(standing.player, other))),
              h("td", {}, number(standing.games)),
              h("td", {}, percent(standing.total.score)),
              h("td", {}, number(standing.elo)),
            ),
          ),
        ),
      ),
    );
    const rated = result.standings.filter(({ elo }) => elo !== null && result.games > 0).reverse(); // the best is drawn last, at the top
    if (rated.length)
      chart(
        plot,
        [
          {
            x: rated.map(({ elo }) => elo),
            y: rated.map(({ player }) => short(player)),
            mode: "markers",
            type: "scatter",
            error_x: {
              type: "data",
              symmetric: false,
              array: rated.map(({ elo, elo_interval: [, high] }) => (high ?? elo) - elo),
              arrayminus: rated.map(({ elo, elo_interval: [low] }) => elo - (low ?? elo)),
            },
            marker: { size: 10, color: "#0072b2" },
          },
        ],
        { x: "Elo (95 %)", y: "", describe: t("ratings") },
      );
    replace(
      games,
      event.games
        .slice(-200)
        .reverse()
        .map((game) =>
          h(
            "li",
            {},
            h(
              "a",
              { href: `#/event/${id}/game/${game.number}` },
              `${game.number + 1}. ${game.seats.map(short).join(" – ")}`,
            ),
            ` (${t("plies", { count: game.plies })})`,
          ),
        ),
    );
  }

  show(await get(`events/${id}`));
  const ends = [
    live.listen((message) => message.kind === "event" && String(message.event.id) === id && show(message.event)),
    live.follow("follow", { do: "follow", event: Number(id) }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
