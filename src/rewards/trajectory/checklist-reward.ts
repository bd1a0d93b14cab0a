/** How far the weights of a turn may be from 1 in sum: checklists are written by models and by hand. */
const WEIGHT_TOLERANCE = 1e-3;

/**
 * CM2's reward of checklists (TRUST Eq. 9, R_CM2): for each turn the weights of its satisfied criteria, summed over turns
 * and checklists, divided by the number of turns and of checklists; in [0, 1].
 *
 * @param value - one checklist or several. A checklist is a list of turns, a turn a list of criteria `{weight, satisfied}`
 *   whose weights sum to 1; `{turns: […]}` and `{criteria: […]}` stand for the lists themselves. A turn without criteria
 *   asks for nothing and is left out of the count of turns.
 * @returns NaN for anything else: weights that are negative or do not sum to 1, `satisfied` that is neither a boolean nor 0 or
 *   1, no turn with a criterion at all.
 *
 * @example
 * ```ts
 * import { checklistReward } from "calibrant/rewards";
 * const first = [{ weight: 0.25, satisfied: true }, { weight: 0.75, satisfied: false }];
 * const second = [{ weight: 1, satisfied: true }];
 * console.log(checklistReward([first, second])); // 0.625
 * ```
 */
export function checklistReward(value: unknown): number {
  const outer = listOf(value, "checklists") ?? listOf(value, "turns");
  if (outer === null || outer.length === 0) return Number.NaN;
  const checklists = isChecklist(outer) ? [outer] : outer.map((entry) => listOf(entry, "turns"));
  let sum = 0;
  for (const turns of checklists) sum += turns === null ? Number.NaN : oneChecklist(turns);
  return sum / checklists.length;
}

/** Whether a list is one checklist, a list of turns, rather than a list of checklists. */
function isChecklist(outer: readonly unknown[]): boolean {
  return outer.every((turn) => {
    const criteria = listOf(turn, "criteria");
    return criteria?.every((criterion) => isFields(criterion) && "weight" in criterion);
  });
}

function oneChecklist(turns: readonly unknown[]): number {
  let sum = 0;
  let counted = 0;
  for (const turn of turns) {
    const criteria = listOf(turn, "criteria");
    if (criteria === null) return Number.NaN;
    if (criteria.length === 0) continue;
    sum += oneTurn(criteria);
    counted++;
  }
  return counted === 0 ? Number.NaN : sum / counted;
}

function oneTurn(criteria: readonly unknown[]): number {
  let total = 0;
  let satisfied = 0;
  for (const criterion of criteria) {
    if (!isFields(criterion)) return Number.NaN;
    const weight = criterion.weight;
    const met = criterion.satisfied;
    if (typeof weight !== "number" || !(weight >= 0)) return Number.NaN;
    total += weight;
    if (met === true || met === 1) satisfied += weight;
    else if (met !== false && met !== 0) return Number.NaN;
  }
  return Math.abs(total - 1) <= WEIGHT_TOLERANCE ? satisfied : Number.NaN;
}

/** A list, also one that an object holds under `name`; null for anything else. */
function listOf(value: unknown, name: string): readonly unknown[] | null {
  const list = isFields(value) ? value[name] : value;
  return Array.isArray(list) ? (list as unknown[]) : null;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
