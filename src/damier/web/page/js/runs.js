// Training runs and their curves, single or compared.

import { h, replace } from "./dom.js";
import { t, number, gameName } from "./i18n.js";
import { get, live } from "./api.js";
import { chart } from "./chart.js";

export async function runsPage(main) {
  const { runs } = await get("runs");
  const chosen = new Set();
  const compare = h("a", { class: "button", hidden: true }, t("runs.compare"));
  const choose = (name, on) => {
    if (on) chosen.add(name);
    else chosen.delete(name);
    compare.hidden = chosen.size < 2;
    compare.href = `#/run/${[...chosen].map(encodeURIComponent).join("+")}`;
  };
  replace(
    main,
    h("h1", {}, t("nav.runs")),
    runs.length ? null : h("p", {}, t("runs.none")),
    compare,
    runs.length
      ? h(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": t("nav.runs") },
          h(
            "table",
            { class: "wide-table" },
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("td"),
                ["name", "game", "iterations", "games", "loss", "elo"].map((key) =>
                  h("th", { scope: "col" }, t(`runs.${key}`)),
                ),
              ),
            ),
            h(
              "tbody",
              {},
              runs.map((run) =>
                h(
                  "tr",
                  {},
                  h(
                    "td",
                    {},
                    h("input", {
                      type: "checkbox",
                      "aria-label": t("runs.choose", { name: run.name }),
                      onchange: (event) => choose(run.name, event.target.checked),
                    }),
                  ),
                  h(
                    "th",
                    { scope: "row" },
                    h("a", { href: `#/run/${encodeURIComponent(run.name)}` }, run.name),
                    run.damage ? h("p", { class: "hint" }, t("runs.damage", { damage: run.damage })) : null,
                  ),
                  h("td", {}, run.game ? gameName(run.game) : "–"),
                  h("td", {}, `${run.iterations} / ${run.planned ?? "–"}`),
                  h("td", {}, number(run.games)),
                  h("td", {}, number(run.total_loss, 3)),
                  h("td", {}, number(run.elo)),
                ),
              ),
            ),
          ),
        )
      : null,
  );
}

const CURVES = [
  ["runs.losses", ["total_loss", "policy_loss", "value_loss", "ownership_loss", "score_loss"]],
  ["runs.elo", ["elo"]],
  ["runs.length", ["game_length"]],
  ["runs.speed", ["games_per_second"]],
];

export const sampleName = ({ iteration, seats }) =>
  iteration === null ? seats.join(" – ") : t("runs.selfplay", { iteration });

export async function runPage(main, [names]) {
  const wanted = names.split("+");
  const status = h("p", { role: "status" });
  const plots = CURVES.map(([key]) => [h("div", { class: "chart" }), key]);
  const samples = h("section", { class: "panel", hidden: true });
  const settings = h("pre", { class: "settings", tabindex: 0 });
  replace(
    main,
    h("h1", {}, wanted.join(", ")),
    status,
    plots.map(([plot, key]) => h("section", { class: "panel" }, h("h2", {}, t(key)), plot)),
    samples,
    h("details", { class: "panel" }, h("summary", {}, t("runs.settings")), settings),
  );
  const runs = new Map();

  function show(run) {
    runs.set(run.name, run);
    const all = wanted.map((name) => runs.get(name)).filter(Boolean);
    status.textContent = all
      .map(
        (each) =>
          t("runs.state", { name: each.name, iterations: each.iterations, planned: each.planned ?? "–" }) +
          (each.damage ? ` (${t("runs.damage", { damage: each.damage })})` : ""),
      )
      .join("; ");
    settings.textContent = JSON.stringify(Object.fromEntries(all.map((each) => [each.name, each.settings])), null, 2);
    CURVES.forEach(([key, columns], i) => {
      const traces = all
        .flatMap((each) =>
          columns.map((column) => {
            const rows = each.rows.filter((row) => typeof row[column] === "number");
            const trace = {
              x: rows.map(({ iteration }) => iteration),
              y: rows.map((row) => row[column]),
              mode: "lines+markers",
              name:
                all.length > 1 ? `${each.name} ${t(`runs.${column}`, {}, column)}` : t(`runs.${column}`, {}, column),
            };
            if (column === "elo" && rows.some((row) => Array.isArray(row.elo_interval))) {
              trace.error_y = {
                type: "data",
                symmetric: false,
                array: rows.map((row) => (row.elo_interval?.[1] ?? row.elo) - row.elo),
                arrayminus: rows.map((row) => row.elo - (row.elo_interval?.[0] ?? row.elo)),
              };
            }
            return trace;
          }),
        )
        .filter((trace) => trace.x.length);
      plots[i][0].closest("section").hidden = !traces.length;
      if (traces.length) chart(plots[i][0], traces, { x: t("runs.iteration"), y: "", describe: t(key) });
    });
  }

  for (const name of wanted) show(await get(`runs/${encodeURIComponent(name)}`));
  const { games } = await get(`runs/${encodeURIComponent(wanted[0])}/games`);
  samples.hidden = !games.length;
  replace(
    samples,
    h("h2", {}, t("runs.samples")),
    h(
      "ul",
      { class: "plain-list" },
      games.map((game, i) =>
        h(
          "li",
          {},
          h("a", { href: `#/run/${encodeURIComponent(wanted[0])}/game/${i}` }, sampleName(game)),
          ` (${t("plies", { count: game.moves.length })})`,
        ),
      ),
    ),
  );
  const ends = [
    live.listen((message) => message.kind === "run" && wanted.includes(message.run.name) && show(message.run)),
    live.follow("follow", { do: "run", name: names }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
