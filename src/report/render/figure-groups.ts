import type { Plot } from "../plot.ts";

/** Pictures of one kind, with what to look for in them. */
export interface FigureGroup {
  readonly id: string;
  readonly title: string;
  /** How to read the pictures, in a sentence or two. */
  readonly guide: string;
  readonly plots: readonly Plot[];
}

const DISTRIBUTIONS = {
  id: "distributions",
  title: "Uncertainty of correct and wrong answers",
  guide:
    "The less the two outlines share, the better the uncertainty tells a wrong answer from a correct one. The calibration IoU is the shaded area over the area under either outline: 0 is full separation, and identical distributions read below 1 because the counts are finite, how far is written on each picture.",
  kinds: ["distributions"],
} as const;

const TRENDS = {
  id: "trends",
  title: "Across the slices",
  guide:
    "Points are values, bars their intervals. Whether two slices differ is not decided by overlapping bars, but by a comparison on the same prompts.",
  kinds: ["trend", "overview"],
} as const;

const RELIABILITY = {
  id: "reliability",
  title: "Reliability of the confidence",
  guide:
    "Exact confidences lie on the diagonal. The band is where points of exact confidences fall at these counts, one bin at a time and as if rows were independent: a point far outside is miscalibrated.",
  kinds: ["reliability"],
} as const;

const RISK = {
  id: "risk-coverage",
  title: "Risk and coverage",
  guide:
    "The error rate among the answers that are kept, from the most certain ones on. A curve that starts low and rises late means that abstaining on the uncertain answers pays.",
  kinds: ["risk-coverage"],
} as const;

const CERTAINTY = {
  id: "certainty-margin",
  title: "Certainty and margin",
  guide:
    "The margin is the mean perplexity of a prompt's wrong answers minus that of its correct ones (TRUST Eq. 4); certainty is its logistic function (Eq. 5). Above 0, correct answers are the less perplexing ones.",
  kinds: ["certainty-margin"],
} as const;

/** The pictures that are looked at first: distributions, then what runs over the slices. */
export function firstFigures(plots: readonly Plot[]): FigureGroup[] {
  return groupsOf(plots, [DISTRIBUTIONS, TRENDS]);
}

/** The pictures for a closer look: reliability, risk and coverage, certainty and margin. */
export function furtherFigures(plots: readonly Plot[]): FigureGroup[] {
  return groupsOf(plots, [RELIABILITY, RISK, CERTAINTY]);
}

interface GroupKinds extends Omit<FigureGroup, "plots"> {
  readonly kinds: readonly Plot["kind"][];
}

function groupsOf(plots: readonly Plot[], groups: readonly GroupKinds[]): FigureGroup[] {
  return groups
    .map(({ id, title, guide, kinds }) => ({
      id,
      title,
      guide,
      plots: kinds.flatMap((kind) => plots.filter((plot) => plot.kind === kind)),
    }))
    .filter((group) => group.plots.length > 0);
}
