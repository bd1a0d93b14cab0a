import type { Column, KeyColumn, RolloutBatch, TextColumn } from "../../data/columns.ts";
import { answerCode, UNPARSED } from "./answer-codes.ts";
import { faultTypeCode, nextActionCode } from "./labels.ts";
import { parseToolFaultAnswer } from "./parse-answer.ts";

/** The answers in the rows of a batch. */
export interface RowAnswers {
  /** A code for each row, `(rows)`. */
  readonly codes: Uint8Array;
  /** The labels of a row that no one knows; read only where the code is that of an unreadable answer. */
  readonly unknownLabels: (row: number) => readonly string[];
}

/**
 * The answer of each row: its two labels, or what the text in `output` says where a row has no label at all. One look-up a
 * label and batch, not one a row.
 */
export function rowAnswers({ rows, columns }: RolloutBatch): RowAnswers {
  const fault = keyColumn(columns.get("fault_type"));
  const action = keyColumn(columns.get("next_action"));
  const codes = pairCodes(rows, fault, action);
  const output = columns.get("output");
  if (output?.kind === "text") fillFromText(codes, output, fault, action);
  return {
    codes,
    unknownLabels: (row) => [
      ...unknownLabel(fault, faultTypeCode, row),
      ...unknownLabel(action, nextActionCode, row),
    ],
  };
}

function keyColumn(column: Column | undefined): KeyColumn | null {
  return column?.kind === "key" ? column : null;
}

function pairCodes(rows: number, fault: KeyColumn | null, action: KeyColumn | null): Uint8Array {
  const codes = new Uint8Array(rows).fill(UNPARSED);
  if (fault === null || action === null) return codes;
  const width = action.keys.length;
  const pairs = Uint8Array.from({ length: fault.keys.length * width }, (_, pair) => {
    const label = fault.keys[Math.trunc(pair / width)] as string;
    return answerCode(faultTypeCode(label), nextActionCode(action.keys[pair % width] as string));
  });
  for (let row = 0; row < rows; row++) {
    const first = fault.codes[row] as number;
    const second = action.codes[row] as number;
    if (first >= 0 && second >= 0) codes[row] = pairs[first * width + second] as number;
  }
  return codes;
}

/** Rows without any label take the answer of their text. */
function fillFromText(
  codes: Uint8Array,
  output: TextColumn,
  fault: KeyColumn | null,
  action: KeyColumn | null,
): void {
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] !== UNPARSED || hasKey(fault, row) || hasKey(action, row)) continue;
    const answer = parseToolFaultAnswer(output.get(row));
    if (answer !== null)
      codes[row] = answerCode(faultTypeCode(answer.fault_type), nextActionCode(answer.next_action));
  }
}

function hasKey(column: KeyColumn | null, row: number): boolean {
  return column !== null && (column.codes[row] as number) >= 0;
}

function unknownLabel(column: KeyColumn | null, codeOf: (label: string) => number, row: number): string[] {
  if (column === null || !hasKey(column, row)) return [];
  const label = column.keys[column.codes[row] as number] as string;
  return codeOf(label) < 0 ? [label] : [];
}
