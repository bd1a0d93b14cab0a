import { meanOf } from "./measures.mjs";
import { REWARDS } from "./rewards.mjs";
import { SEEDS, SETTINGS, VARIATION_SEEDS, VARIATIONS } from "./settings.mjs";

const COLUMNS = [
  { title: "accuracy", key: "accuracy", digits: 3 },
  { title: "IoU", key: "iou", digits: 3 },
  { title: "IoU if alike", key: "nullMean", digits: 3 },
  { title: "AUROC", key: "auroc", digits: 3 },
  { title: "median PPL, right", key: "right", digits: 2 },
  { title: "median PPL, wrong", key: "wrong", digits: 2 },
];
/** The columns of differences in the sensitivity table. */
const CHANGES = [
  { title: "IoU", key: "iou" },
  { title: "AUROC", key: "auroc" },
  { title: "accuracy", key: "accuracy" },
];
const [PLAIN, ...OTHERS] = REWARDS;

/** The numbers of the page as Markdown. */
export function tables(results) {
  return [
    `### Before and after ${SETTINGS.steps} steps`,
    `Means over ${SEEDS} seeds with their 95 % intervals.`,
    beforeAndAfter(results),
    "### Differences after training",
    "Against R without c, seed by seed; in bold where the 95 % interval leaves out 0.",
    differences(results),
    "### Which way the rewards push perplexity",
    "Slope of the advantage on ln PPL at the start, same context and action; in bold where the 95 % interval leaves out 0.",
    pushes(results),
    "### Sensitivity",
    `One thing changed at a time; differences to R without c after training, means over the first ${VARIATION_SEEDS} seeds. Bins are laid over the\nstart and the end alone, so the IoUs differ from those above.`,
    sensitivity(results),
  ].join("\n\n");
}

function beforeAndAfter(results) {
  const at = (name, place) => results.map(({ measures }) => measures[name].at(place));
  const row = (title, list) => [
    title,
    ...COLUMNS.map(({ key, digits }) =>
      estimate(
        list.map((m) => m[key]),
        digits,
      ),
    ),
  ];
  return table(
    ["", ...COLUMNS.map(({ title }) => title)],
    [row("before", at(PLAIN.name, 0)), ...REWARDS.map(({ name, title }) => row(title, at(name, -1)))],
  );
}

function differences(results) {
  const last = ({ measures }, name) => measures[name].at(-1);
  const rows = OTHERS.map(({ name, title }) => [
    title,
    ...COLUMNS.filter(({ key }) => key !== "nullMean").map(({ key, digits }) =>
      difference(
        results.map((result) => last(result, name)[key] - last(result, PLAIN.name)[key]),
        digits,
      ),
    ),
  ]);
  return table(
    ["", ...COLUMNS.filter(({ key }) => key !== "nullMean").map(({ title }) => `Δ ${title}`)],
    rows,
  );
}

function pushes(results) {
  const cell = (name, std, side) =>
    difference(
      results.map(({ pushes }) => pushes[name][std][side]),
      2,
    );
  const rows = REWARDS.map(({ name, title }) => [
    title,
    ...["sample", "none"].flatMap((std) => ["right", "wrong"].map((side) => cell(name, std, side))),
  ]);
  return table(
    ["", "right, divided by deviation", "wrong, divided", "right, not divided", "wrong, not divided"],
    rows,
  );
}

function sensitivity(results) {
  const used = results.slice(0, VARIATION_SEEDS);
  const rows = [{ name: "as above" }, ...VARIATIONS].map(({ name }, i) => {
    const runs = used.map(({ ends }) => ends[i]);
    const iou = (reward, place) => runs.map((run) => run[reward].at(place).iou);
    const change = (reward, key) =>
      difference(
        runs.map((run) => run[reward][1][key] - run[PLAIN.name][1][key]),
        3,
      );
    const before = number(meanOf(iou(PLAIN.name, 0)).mean, 3);
    const after = number(meanOf(iou(PLAIN.name, 1)).mean, 3);
    const changes = CHANGES.flatMap(({ key }) => OTHERS.map((reward) => change(reward.name, key)));
    return [name, `${before} → ${after}`, ...changes];
  });
  const titles = CHANGES.flatMap(({ title }) =>
    OTHERS.map((reward) => `Δ ${title}, ${reward.title.replace("R_UQ, ", "")}`),
  );
  return table(["", `IoU, ${PLAIN.title}`, ...titles], rows);
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

function estimate(values, digits) {
  const { mean, low, high } = meanOf(values);
  return `${number(mean, digits)} [${number(low, digits)}, ${number(high, digits)}]`;
}

function difference(values, digits) {
  const { mean, low, high } = meanOf(values);
  const text = `${signed(mean, digits)} [${signed(low, digits)}, ${signed(high, digits)}]`;
  return low > 0 || high < 0 ? `**${text}**` : text;
}

function number(value, digits) {
  return value.toFixed(digits);
}

function signed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}
