import { existsSync, readFileSync } from "node:fs";

/** Rows with what scikit-learn and scipy fit to them; keys of the fits are the weights: `one`, or `counts` = w. */
export interface GoldenSet {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly w: readonly number[];
  readonly logits: readonly number[];
  readonly queries: readonly number[];
  readonly platt: Readonly<Record<"one" | "counts", readonly [number, number]>>;
  readonly temperature: Readonly<Record<"one" | "counts", GoldenTemperature | null>>;
  readonly isotonic: Readonly<Record<string, readonly number[]>>;
}

/** A temperature by scipy. */
export interface GoldenTemperature {
  readonly temperature: number;
  readonly nll: number;
  readonly nllBefore: number;
}

/** The content of calibrators.json. */
export interface GoldenCalibrators {
  readonly sets: readonly GoldenSet[];
  readonly classes: GoldenTemperature & {
    readonly logits: readonly number[];
    readonly labels: readonly number[];
  };
}

/** Reads calibrators.json. */
export function goldenCalibrators(): GoldenCalibrators {
  return JSON.parse(readFileSync(new URL("calibrators.json", import.meta.url), "utf8"));
}

// biome-ignore lint/suspicious/noExplicitAny: every case has a shape of its own
type Loose = any;

/** A public case by its id, null without the case files. */
export function calibrationCase(id: string): { readonly input: Loose; readonly expected: Loose } | null {
  const file = new URL("../../../shared/cases/uq/cal_cases.json", import.meta.url);
  if (!existsSync(file)) return null;
  return JSON.parse(readFileSync(file, "utf8")).find((item: { id: string }) => item.id === id) ?? null;
}

/** 1,000 confidences and labels with the numbers of several libraries, null without the case files. */
export function golden1000(): {
  readonly p: readonly number[];
  readonly y: readonly number[];
  readonly expected: Loose;
} | null {
  const file = new URL("../../../shared/cases/uq/golden_1000.json", import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

/** The rows with every row repeated as often as its weight says. */
export function repeated(values: readonly number[], weights: readonly number[]): number[] {
  return values.flatMap((value, i) => new Array<number>(weights[i] as number).fill(value));
}
