import type { TextColumn } from "../../data/columns.ts";
import type { KeySource } from "../../data/keys/key-source.ts";
import { answerCode, UNPARSED } from "./answer-codes.ts";
import { faultTypeCode, modelLabel, nextActionCode } from "./labels.ts";
import { parseToolFaultAnswer } from "./parse-answer.ts";

/** The columns of a batch that hold answers: labels, or the model's text where there are none. */
export interface AnswerColumns {
  readonly fault: KeySource | null;
  readonly action: KeySource | null;
  readonly output: TextColumn | null;
}

/** The answer of every pair of codes of labels, one look-up a row. */
export interface AnswerPairs {
  /** The answer of a fault code f and an action code a (−1 = missing) at `(f + 1) · width + a + 1`. */
  readonly codes: Uint8Array;
  readonly width: number;
}

/** The {@link AnswerPairs} of a batch. */
export function answerPairs({ fault, action }: AnswerColumns): AnswerPairs {
  const faultCodes = labelCodes(fault, faultTypeCode);
  const actionCodes = labelCodes(action, nextActionCode);
  const width = actionCodes.length;
  const codes = Uint8Array.from({ length: faultCodes.length * width }, (_, pair) =>
    answerCode(faultCodes[Math.trunc(pair / width)] as number, actionCodes[pair % width] as number),
  );
  return { codes, width };
}

/** The answer that the model's text holds. */
export function textAnswer(output: TextColumn, row: number): number {
  const answer = parseToolFaultAnswer(output.get(row));
  if (answer === null) return UNPARSED;
  return answerCode(faultTypeCode(answer.fault_type), nextActionCode(answer.next_action));
}

/** The labels among the two of a row that no one knows. */
export function unknownLabels(
  { fault, action }: AnswerColumns,
  faultCode: number,
  actionCode: number,
): readonly string[] {
  return [
    ...unknownLabel(fault, faultTypeCode, faultCode),
    ...unknownLabel(action, nextActionCode, actionCode),
  ];
}

/** The code of each label of a column, that of the missing one (−1) first. */
function labelCodes(source: KeySource | null, codeOf: (label: string) => number): Int32Array {
  return Int32Array.from({ length: (source?.size ?? 0) + 1 }, (_, code) =>
    code === 0 || source === null ? -1 : codeOf(modelLabel(source.keyOf(code - 1))),
  );
}

function unknownLabel(source: KeySource | null, codeOf: (label: string) => number, code: number): string[] {
  if (source === null || code < 0) return [];
  const label = source.keyOf(code);
  return codeOf(modelLabel(label)) < 0 ? [label] : [];
}
