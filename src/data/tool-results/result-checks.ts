import type { ResultFacts } from "./result-facts.ts";
import { utcTime } from "./utc-time.ts";

type Fields = Readonly<Record<string, unknown>>;

const HOUR = 3_600_000;
const OLDEST = 24 * HOUR;
/** From Friday evening to Monday morning. */
const OLDEST_OVER_WEEKEND = 72 * HOUR;
const AS_OF =
  /^(as_?of|as_of_(date|time)|quote_time|price_time|last_(sync(ed)?|refresh(ed)?)(_at)?|(snapshot|cached|retrieved|refreshed|synced)(_at|_time)?|data_timestamp)$/i;

const MORE_FLAG = /^(has_?more|truncated|is_truncated|has_next(_page)?)$/i;
const NEXT_PAGE = /^(next|next_?(cursor|page|page_token|token|url|offset)|continuation_token)$/i;
const CUT_TEXT =
  /\b(output|result|response|log)s? (was |has been )?truncated|\btruncated (at|after|to)\b|\[truncated/i;

/** Whether a result says that it is older than a day, or, at a weekend, than three. */
export function isOld({ fields, now }: ResultFacts): boolean {
  if (fields.stale === true || fields.is_stale === true) return true;
  if (now === null) return false;
  const day = new Date(now).getUTCDay();
  const limit = day === 0 || day === 6 ? OLDEST_OVER_WEEKEND : OLDEST;
  return twoLevels(fields).some(
    ([name, value]) => AS_OF.test(name) && typeof value === "string" && now - utcTime(value) > limit,
  );
}

/** Whether a result says that there is more of it: a page with a next one, a cut text, fewer records than it counts. */
export function hasMore({ fields, text }: ResultFacts): boolean {
  const isPart = ([name, value]: readonly [string, unknown]): boolean =>
    (MORE_FLAG.test(name) && value === true) ||
    (NEXT_PAGE.test(name) && value !== null && value !== "" && value !== false);
  if (twoLevels(fields).some(isPart) || CUT_TEXT.test(text)) return true;
  const total = numberOf(fields, /^(total|total_?(count|results|records|items))$/i);
  const list = firstList(fields);
  if (total === null || list === null || list.length === 0) return false;
  // A total of amounts is no count of records.
  return (
    Number.isInteger(total) && total > list.length && amountsOf(list) === null && !("subtotal" in fields)
  );
}

/** Whether numbers of a result contradict each other: parts that do not add up to their total. */
export function isContradictory({ fields }: ResultFacts): boolean {
  const subtotal = numberOf(fields, /^sub_?total$/i);
  const total = numberOf(fields, /^(grand_?)?total(_amount)?$/i);
  if (subtotal !== null && total !== null) {
    let sum = subtotal;
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value !== "number") continue;
      if (/^(sales_?)?tax(_amount)?$|fee|shipping|freight|surcharge|^tip$/i.test(name)) sum += value;
      else if (/discount|credit/i.test(name)) sum -= Math.abs(value);
    }
    return differs(sum, total);
  }
  const amounts = amountsOf(firstList(fields));
  const stated = numberOf(fields, /^(total_?amount|amount_?total|sum|grand_?total)$/i);
  if (amounts === null || stated === null) return false;
  const sum = amounts.reduce((before, amount) => before + amount, 0);
  return differs(sum, stated);
}

/** Whether a search found several records that it calls by the same name. */
export function isAmbiguous({ fields, text }: ResultFacts): boolean {
  if (/\b(multiple|several) (equal |possible |exact )?match(es)?\b|\bambiguous\b/i.test(text)) return true;
  const found = fields.matches ?? fields.candidates ?? fields.results;
  if (!Array.isArray(found)) return false;
  const names = found.map((entry: unknown) => (entry as { readonly name?: unknown } | null)?.name);
  const named = names.filter((name) => typeof name === "string");
  return new Set(named.map((name) => name.toLowerCase())).size < named.length;
}

/** Whether field names tell of a unit or a version that is rarely the documented one. */
export function hasOtherFormat({ fields }: ResultFacts): boolean {
  const unusual = /_(cents|minor(_units)?|bps|basis_points|millis|epoch(_ms)?|v\d)$/i;
  return twoLevels(fields).some(([name]) => unusual.test(name));
}

function amountsOf(list: readonly unknown[] | null): number[] | null {
  if (list === null || list.length === 0) return null;
  const amounts: number[] = [];
  for (const entry of list) {
    const amount = numberOf((entry ?? {}) as Fields, /^(amount|line_?total)$/i);
    if (amount === null) return null;
    amounts.push(amount);
  }
  return amounts;
}

/** More than half a cent apart. */
function differs(a: number, b: number): boolean {
  return Math.abs(a - b) > 0.005 + 1e-9 * Math.abs(b);
}

function numberOf(fields: Fields, name: RegExp): number | null {
  for (const [key, value] of Object.entries(fields))
    if (name.test(key) && typeof value === "number") return value;
  return null;
}

function firstList(fields: Fields): readonly unknown[] | null {
  return Object.values(fields).find((value): value is unknown[] => Array.isArray(value)) ?? null;
}

/** The fields of an object and of the objects in it. */
function twoLevels(fields: Fields): [string, unknown][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.entries(value)
      : [[name, value]],
  );
}
