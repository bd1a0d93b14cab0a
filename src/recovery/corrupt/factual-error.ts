import { drawCount, drawIndex } from "./draw.ts";
import type { FieldMarks } from "./field-marks.ts";
import { type JsonEdit, type JsonTree, NUMBER } from "./json-tree.ts";
import { NOT_QUANTITY } from "./name-traits.ts";
import { canPerturb, perturbedNumber } from "./perturbed-number.ts";

/**
 * Moves one to three amounts by 10 to 25 %: of those that decisions hang on, when there are any, else of all.
 *
 * @param keepDecimals - for a result that is not text; see {@link perturbedNumber}.
 */
export function factualEdits(
  tree: JsonTree,
  marks: FieldMarks,
  keepDecimals: boolean,
  random: () => number,
): JsonEdit[] {
  const amounts: number[] = [];
  const critical: number[] = [];
  for (let node = 0; node < tree.kinds.length; node += 1) {
    if (tree.kinds[node] !== NUMBER || !isAmount(tree, marks, node)) continue;
    amounts.push(node);
    if (isCritical(tree, marks, node)) critical.push(node);
  }
  const candidates = critical.length > 0 ? critical : amounts;
  if (candidates.length === 0) return [];
  const chosen: number[] = [];
  for (let left = drawCount(candidates.length, random); left > 0; left -= 1) {
    const last = candidates.length - 1;
    const at = drawIndex(candidates.length, random);
    chosen.push(candidates[at] as number);
    candidates[at] = candidates[last] as number;
    candidates.pop();
  }
  return chosen
    .sort((a, b) => a - b)
    .map((node) => ({ node, token: perturbedNumber(tree.scalar(node), random, keepDecimals) }));
}

function isAmount(tree: JsonTree, marks: FieldMarks, node: number): boolean {
  if (marks.protected[node] === 1 || tree.hidden?.[node] === 1) return false;
  const bits = marks.traits[node] as number;
  if (bits & NOT_QUANTITY && marks.critical[node] !== 2) return false;
  const spelling = tree.scalar(node);
  return (marks.critical[node] !== 0 || !isYear(spelling)) && canPerturb(spelling);
}

/** The numbers of `prices: { economy: 121 }` are prices too. */
function isCritical(tree: JsonTree, marks: FieldMarks, node: number): boolean {
  if (marks.critical[node] !== 0) return true;
  const parent = tree.parents[node] as number;
  return parent >= 0 && tree.keys[parent] !== null && marks.critical[parent] !== 0;
}

function isYear(spelling: string): boolean {
  return /^(?:19|20)\d\d$/.test(spelling);
}
