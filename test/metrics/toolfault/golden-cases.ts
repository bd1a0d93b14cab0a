import { readFileSync } from "node:fs";
import {
  FAULT_TYPES,
  type FaultType,
  NEXT_ACTIONS,
  type NextAction,
} from "../../../src/metrics/toolfault/labels.ts";
import type { ToolFaultGold } from "../../../src/metrics/toolfault/tool-fault-item.ts";

/** `[numerator, denominator, low, high]`; null without a denominator; macro-F1 is the number alone. */
export type ExpectedMetrics = Readonly<Record<string, readonly number[] | number | null>>;

interface RandomCase {
  readonly name: string;
  readonly items: readonly (readonly [fault: number, acceptable: number, critical: number, hard: number])[];
  readonly predictions: readonly (readonly number[])[];
  readonly missing: number;
  readonly unparsed: number;
  readonly expected: ExpectedMetrics;
  /** Only some cases have slices. */
  readonly slice?: readonly number[];
  readonly slices?: readonly ExpectedMetrics[];
}

interface Card {
  readonly domains: readonly string[];
  readonly difficulties: readonly string[];
  readonly id: readonly string[];
  readonly fault: readonly number[];
  readonly action: readonly number[];
  readonly acceptable: readonly number[];
  readonly critical: readonly number[];
  readonly domain: readonly number[];
  readonly difficulty: readonly number[];
  readonly predictions: Readonly<Record<string, readonly [readonly number[], readonly number[]]>>;
  readonly expected: Readonly<
    Record<
      string,
      {
        readonly overall: ExpectedMetrics;
        readonly printed: Readonly<Record<string, string>>;
        readonly domain: readonly ExpectedMetrics[];
        readonly difficulty: readonly ExpectedMetrics[];
      }
    >
  >;
}

interface PairedCase {
  readonly a: string;
  readonly b: string;
  readonly only_a: number;
  readonly only_b: number;
  readonly p: number;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly tolerance: number;
}

/** Scores computed without the library: see make-toolfault.py. */
export const GOLDEN: {
  readonly card: Card;
  readonly random: readonly RandomCase[];
  readonly paired: readonly PairedCase[];
} = JSON.parse(readFileSync(new URL("../../golden/toolfault.json", import.meta.url), "utf8"));

const fault = (code: number): FaultType => FAULT_TYPES[code] as FaultType;
const actions = (set: number): NextAction[] => NEXT_ACTIONS.filter((_, k) => ((set >> k) & 1) === 1);

/** The constructed table that has every number of the dataset's card. */
export function cardItems(): (ToolFaultGold & { readonly domain: string; readonly difficulty: string })[] {
  const { card } = GOLDEN;
  return card.id.map((id, i) => ({
    id,
    fault_type: fault(card.fault[i] as number),
    next_action: NEXT_ACTIONS[card.action[i] as number] as NextAction,
    acceptable_next_actions: actions(card.acceptable[i] as number),
    critical_next_actions: actions(card.critical[i] as number),
    domain: card.domains[card.domain[i] as number] as string,
    difficulty: card.difficulties[card.difficulty[i] as number] as string,
  }));
}

/** The predictions of a baseline of the card. */
export function cardPredictions(name: string): { id: string; fault_type: string; next_action: string }[] {
  const [faults, chosen] = GOLDEN.card.predictions[name] as readonly [readonly number[], readonly number[]];
  return GOLDEN.card.id.map((id, i) => ({
    id,
    fault_type: fault(faults[i] as number),
    next_action: NEXT_ACTIONS[chosen[i] as number] as string,
  }));
}

/** A random case as items with the column `part`, and predictions with the column `seed`. */
export function randomCase({ items, predictions, slice }: RandomCase): {
  readonly items: (ToolFaultGold & { readonly part: number })[];
  readonly rows: Record<string, unknown>[];
} {
  const label = (labels: readonly string[], code: number): string | null =>
    code === -2 ? null : (labels[code] ?? "no such label");
  return {
    items: items.map(([truth, acceptable, critical, hard], i) => ({
      id: `item-${i}`,
      fault_type: fault(truth),
      acceptable_next_actions: actions(acceptable),
      critical_next_actions: actions(critical),
      is_hard_negative: hard === 1,
      part: slice?.[i] ?? 0,
    })),
    rows: predictions.flatMap((codes, seed) =>
      codes.flatMap((code, i) => {
        if (code < 0) return [];
        const pair = { fault: Math.floor(code / 13) - 2, action: (code % 13) - 2 };
        return [
          {
            id: `item-${i}`,
            seed,
            fault_type: label(FAULT_TYPES, pair.fault),
            next_action: label(NEXT_ACTIONS, pair.action),
          },
        ];
      }),
    ),
  };
}
