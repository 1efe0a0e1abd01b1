// Charts by plotly, which is loaded with the first chart.

import { h, replace } from "./dom.js";
import { t } from "./i18n.js";

let loading;
function plotly() {
  return (loading ??= new Promise((resolve, reject) => {
    const script = h("script", {
      src: "vendor/plotly.min.js",
      onload: () => resolve(window.Plotly),
      onerror: () => reject(new Error(t("chart.failed"))),
    });
    document.head.append(script);
  }));
}

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#8a8a8a"];
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];

export async function chart(element, traces, { x, y, range, describe } = {}) {
  const Plotly = await plotly();
  if (!element.isConnected) return;
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--ink").trim();
  const faint = style.getPropertyValue("--line").trim();
  const axis = (title, more) => ({
    title: { text: title },
    gridcolor: faint,
    zerolinecolor: faint,
    automargin: true,
    ...more,
  });
  const layout = {
    margin: { l: 48, r: 8, t: traces.length > 1 ? 36 : 8, b: 40 },
    height: 260,
    paper_bgcolor: "transparent",
    plot_bgcolor: "transparent",
    font: { color: ink, size: 12 },
    showlegend: traces.length > 1,
    legend: { orientation: "h", y: 1.02, yanchor: "bottom" }, // below, it would lie on the axis's title
    xaxis: axis(x),
    yaxis: axis(y, range ? { range } : {}),
  };
  const drawn = traces.map((trace, i) => ({
    line: { color: COLOURS[i % COLOURS.length], dash: DASHES[i % DASHES.length] },
    marker: { color: COLOURS[i % COLOURS.length] },
    ...trace,
  }));
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", describe ?? y ?? "");
  await Plotly.react(element, drawn, layout, { displayModeBar: false, responsive: true });
}

// The winning chances over the game, as estimated by the players; in a game with secrets they are told at its end.
export function winChart(element, { chances, players, isSecret, onPly }) {
  const seen = (chances ?? []).map((each, ply) => [each, ply + 1]).filter(([each]) => each);
  if (!seen.length) return replace(element, h("p", { class: "hint" }, t(isSecret ? "curve.later" : "curve.none")));
  const traces = Array.from({ length: players }, (_, player) => ({
    x: seen.map(([, ply]) => ply),
    y: seen.map(([each]) => 100 * each[player]),
    mode: "lines+markers",
    name: t("seat", { number: player + 1 }),
  }));
  const last = seen
    .at(-1)[0]
    .map((each, player) => `${t("seat", { number: player + 1 })} ${Math.round(100 * each)} %`)
    .join(", ");
  if (element.querySelector(".hint")) replace(element);
  return chart(element, traces, { x: t("ply"), y: "%", range: [0, 100], describe: `${t("curve")}: ${last}` }).then(
    () => {
      if (element.hasClicks || !element.on) return;
      element.hasClicks = true;
      element.on("plotly_click", (event) => onPly(event.points[0].x));
    },
  );
}
