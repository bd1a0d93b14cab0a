import { renderSvg } from "calibrant/report";
import { meanOf } from "./measures.mjs";
import { REWARDS } from "./rewards.mjs";

const INK = { text: "#1f2328", muted: "#57606a", axis: "#868e97", grid: "#e3e7eb" };
const SIDES = [
  { side: "right", color: "#1f6fb5", dash: [1, 0] },
  { side: "wrong", color: "#c2560a", dash: [5, 3] },
];
const STYLES = {
  plain: { color: "#6a5bd0", dash: [1, 0], shape: "circle" },
  paper: { color: "#a0660c", dash: [7, 3], shape: "square" },
  released: { color: "#0d8074", dash: [8, 3, 2, 3], shape: "triangle-up" },
};
const INDEPENDENT = { scale: { color: "independent", strokeDash: "independent" } };
/** Histogram bins on the axis ln PPL. */
const BINS = 32;

/** The picture of the page: IoU and accuracy over steps, and perplexities before and after, on light paper. */
export function drawTraining(results) {
  const description =
    "Training of a simulated policy with three rewards: calibration IoU and accuracy of held-out decisions over " +
    "steps, means over seeds with 95 % intervals, and histograms of the perplexity of right and wrong decisions before and after.";
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description,
    padding: 8,
    spacing: 22,
    vconcat: [
      {
        spacing: 24,
        hconcat: [courses(results, "iou", "calibration IoU"), courses(results, "accuracy", "accuracy")],
      },
      { spacing: 12, hconcat: histograms(results), resolve: INDEPENDENT },
    ],
    resolve: INDEPENDENT,
    config: CONFIG,
  };
  const plot = {
    id: "trust-training",
    kind: "trend",
    title: "Training with TRUST rewards",
    description,
    slice: null,
    spec,
  };
  return renderSvg(plot, { theme: "light" });
}

const SYMBOL = { symbolType: "stroke", symbolOpacity: 1, symbolStrokeWidth: 2, symbolSize: 300 };

/** A measure over steps: a line for each reward, its mean, with the interval as a band. */
function courses(results, key, title) {
  const values = REWARDS.flatMap(({ name, title: reward }) =>
    results[0].measures[name].map(({ step }, i) => {
      const { mean, low, high } = meanOf(results.map(({ measures }) => measures[name][i][key]));
      return { step, reward, mean, low, high };
    }),
  );
  const domain = REWARDS.map(({ title: reward }) => reward);
  const styles = REWARDS.map(({ name }) => STYLES[name]);
  const legend = {
    title: null,
    orient: "top",
    columns: 3,
    ...SYMBOL,
  };
  const x = {
    field: "step",
    type: "quantitative",
    axis: { title: "training step", tickCount: 6 },
    scale: { nice: false },
  };
  const y = { type: "quantitative", scale: { zero: false } };
  const color = { field: "reward", scale: { domain, range: styles.map((style) => style.color) } };
  const strokeDash = { field: "reward", scale: { domain, range: styles.map((style) => style.dash) } };
  return {
    width: 330,
    height: 190,
    data: { values },
    encoding: { x },
    layer: [
      {
        mark: { type: "area", opacity: 0.18 },
        encoding: {
          y: { ...y, field: "low", axis: { title } },
          y2: { field: "high" },
          color: { ...color, legend },
        },
      },
      {
        mark: { type: "line", strokeWidth: 2 },
        encoding: {
          y: { ...y, field: "mean", axis: { title } },
          color: { ...color, legend },
          strokeDash: { ...strokeDash, legend },
        },
      },
    ],
  };
}

/** Perplexities pooled over seeds, before and after each reward, on one axis and one scale. */
function histograms(results) {
  const panels = [
    { name: "before", title: "before training" },
    ...REWARDS.map(({ name, title }) => ({ name, title: `after ${title}` })),
  ];
  const pooled = panels.map(({ name, title }) => ({
    title,
    right: pool(results, name, "correct"),
    wrong: pool(results, name, "wrong"),
  }));
  const high = Math.max(
    ...pooled.flatMap(({ right, wrong }) => [quantile(right, 0.98), quantile(wrong, 0.98)]),
  );
  const shares = pooled.map(({ title, right, wrong }) => ({
    title,
    right: shareOfBins(right, high),
    wrong: shareOfBins(wrong, high),
  }));
  const top = Math.max(...shares.flatMap(({ right, wrong }) => [...right, ...wrong]));
  return shares.map((panel, i) => histogram(panel, high, top, i));
}

function histogram({ title, right, wrong }, high, top, place) {
  const rows = (side, shares) =>
    [...shares, shares.at(-1)].map((share, i) => ({ side, x: (i * high) / BINS, share }));
  const values = [...rows("right", right), ...rows("wrong", wrong)];
  const domain = SIDES.map(({ side }) => side);
  const legend = place === 0 ? { title: null, orient: "top-right", ...SYMBOL } : null;
  const first = place === 0;
  return {
    width: 160,
    height: 130,
    title: { text: title, anchor: "start", fontSize: 13, fontWeight: "normal", offset: 6 },
    data: { values },
    encoding: {
      x: {
        field: "x",
        type: "quantitative",
        scale: { domain: [0, high], nice: false },
        axis: {
          title: "PPL (log scale)",
          values: [1, 1.5, 2, 3, 4, 6, 8, 12].map(Math.log).filter((value) => value <= high),
          labelExpr: "format(exp(datum.value), '.2~f')",
        },
      },
      y: {
        field: "share",
        type: "quantitative",
        stack: null,
        scale: { domain: [0, top * 1.05], nice: false },
        axis: {
          title: first ? "share per bin" : null,
          labels: first,
          format: ".0%",
          tickCount: 4,
        },
      },
    },
    layer: [
      {
        mark: { type: "area", interpolate: "step-after", opacity: 0.16 },
        encoding: {
          color: { field: "side", scale: { domain, range: SIDES.map(({ color }) => color) }, legend },
        },
      },
      {
        mark: { type: "line", interpolate: "step-after", strokeWidth: 1.6 },
        encoding: {
          color: { field: "side", scale: { domain, range: SIDES.map(({ color }) => color) }, legend },
          strokeDash: { field: "side", scale: { domain, range: SIDES.map(({ dash }) => dash) }, legend },
        },
      },
    ],
  };
}

/** ln PPL of one side's decisions of all seeds, ascending. */
function pool(results, name, side) {
  return results
    .flatMap(({ decisions }) => Array.from(decisions[name][side], Math.log))
    .sort((a, b) => a - b);
}

function quantile(sorted, q) {
  return sorted[Math.floor(q * (sorted.length - 1))];
}

/** Share of the values in each bin of [0, high]; what lies above is in the last. */
function shareOfBins(values, high) {
  const shares = new Array(BINS).fill(0);
  for (const value of values)
    shares[Math.min(BINS - 1, Math.floor((value / high) * BINS))] += 1 / values.length;
  return shares;
}

const CONFIG = {
  font: "system-ui, Helvetica, Arial, sans-serif",
  axis: {
    labelFontSize: 12,
    titleFontSize: 13,
    titleFontWeight: "normal",
    labelColor: INK.muted,
    titleColor: INK.text,
    domainColor: INK.axis,
    tickColor: INK.axis,
    gridColor: INK.grid,
  },
  axisX: { grid: false },
  legend: { labelFontSize: 12, labelColor: INK.text, labelLimit: 0 },
  title: { color: INK.text },
  view: { stroke: null },
};
