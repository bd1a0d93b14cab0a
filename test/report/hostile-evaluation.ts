import type { Evaluation, EvaluationSlice } from "../../src/report/evaluation.ts";
import { sampleEvaluation } from "./sample-evaluation.ts";

/** Labels as data may hold them: markup, quotes, pipes, escapes, right-to-left text, emoji, very long ones, nothing. */
export const HOSTILE_LABELS: readonly string[] = [
  `<script>alert("1")</script>`,
  `"><img src=x onerror=alert(1)>' & co`,
  "a|b `c` *d* _e_ [f](javascript:alert(1)) <!-- \\",
  "نموذج التحقق \u202e abc",
  "🧪👩🏽‍🔬 step\t1\nline two \u001b[31mred\u0007 \ud800",
  "checkpoint-with-a-very-long-name/".repeat(12),
  "",
];

/** The sample with {@link HOSTILE_LABELS} for slices, and the like in every other text that comes from outside. */
export function hostileEvaluation(): Evaluation {
  const sample = sampleEvaluation();
  const [base] = sample.slices;
  const [comparison] = sample.comparisons;
  if (base === undefined || comparison === undefined) throw new Error("the sample has no comparison");
  const evil = `</title></style><script>alert("2")</script>`;
  const slices = HOSTILE_LABELS.map(
    (label): EvaluationSlice => ({
      ...base,
      label,
      key: { [evil]: label },
      excluded: { [evil]: 3 },
      flags: [{ code: `x"><b>`, text: `${label} ${evil}` }],
    }),
  );
  return {
    ...sample,
    title: `Report ${evil} & "more"`,
    command: `calibrant report 'a b.parquet' --by "${evil}" \\\n  --title '$(rm -rf /)' && echo \`id\``,
    inputs: [evil, "b.parquet", "c.parquet", "d.parquet"],
    columns: { ...sample.columns, by: [evil], confidence: evil },
    slices,
    comparisons: HOSTILE_LABELS.slice(1).map((candidate) => ({
      ...comparison,
      baseline: HOSTILE_LABELS[0] as string,
      candidate,
    })),
    notes: [`note ${evil}`],
  };
}
