import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import type { Belief, RecoveryBelief, SwitchBelief } from "./belief.ts";
import type { FallbackMap } from "./memory-data.ts";
import { shownValue } from "./shown-value.ts";

/** Options of a memory's prompt block. */
export interface RenderMemoryOptions {
  /**
   * Most tokens of the block. The pair with the fewest episodes goes first; of equally observed ones switches before
   * failures, then the one that stands later in the block. How many went is said. Default: no limit.
   */
  readonly maxTokens?: number;
  /** Counts the tokens of a text. Default: characters (UTF-16 code units) / 4, rounded up, which is an estimate. */
  readonly countTokens?: (text: string) => number;
  /** The tools that the agent has: beliefs, switches and alternatives name no others. Default: all. */
  readonly tools?: readonly string[];
  /** Level of the credible intervals, in (0, 1). Default 0.95. */
  readonly level?: number;
  /** Fewest episodes behind a belief that is shown. Default 1. */
  readonly minObserved?: number;
}

/** What the block is made of. */
export interface MemoryView {
  readonly beliefs: (level: number) => {
    readonly recovery: readonly RecoveryBelief[];
    readonly switching: readonly SwitchBelief[];
  };
  readonly fallbacks: FallbackMap;
  readonly constraints: readonly string[];
}

/** A line of the block that a budget may drop. */
interface BeliefLine {
  /** The tool whose failures these are; null for a switch. */
  readonly tool: string | null;
  readonly episodes: number;
  readonly text: string;
}

const OPTIONS: readonly string[] = ["maxTokens", "countTokens", "tools", "level", "minObserved"];

const TITLE = "## Tool memory";
const MEANING =
  "How earlier episodes ended that met a failure of a tool, or switched to another tool. Estimates are shares of episodes that ended recovered, not the chance that one retry or one switch works.";
const EMPTY = "No failure of a tool has been observed yet.";

/**
 * The prompt block of a memory.
 *
 * @throws CalibrantError `option` for an option that cannot be, or a `maxTokens` that is too small for what cannot be dropped.
 */
export function renderMemory(view: MemoryView, options: RenderMemoryOptions = {}): string {
  checkOptionNames(options, OPTIONS, "render");
  const { maxTokens, countTokens = estimateTokens, tools, level = 0.95, minObserved = 1 } = options;
  checkWhole("minObserved", minObserved);
  if (maxTokens !== undefined) checkWhole("maxTokens", maxTokens);
  const known = toolFilter(tools);
  const lines = beliefLines(view, level, known).filter(({ episodes }) => episodes >= minObserved);
  const statics = [...fallbackSection(view.fallbacks, known), ...constraintSection(view.constraints)];
  const blockOf = (kept: number): string => block(keepMost(lines, kept), lines.length - kept, statics);
  if (maxTokens === undefined) return blockOf(lines.length);
  const fits = (kept: number): boolean => checkedTokens(countTokens, blockOf(kept)) <= maxTokens;
  if (fits(lines.length)) return blockOf(lines.length);
  if (!fits(0)) {
    const needed = checkedTokens(countTokens, blockOf(0));
    const message = `maxTokens must be at least ${needed}, which the part that is not about single pairs needs (shorten fallbacks or constraints), got ${maxTokens}`;
    throw new CalibrantError("option", message, { maxTokens, needed });
  }
  return blockOf(mostThatFit(lines.length, fits));
}

/** The largest number in [0, n) that fits, given that 0 does and that more lines take more tokens. */
function mostThatFit(n: number, fits: (kept: number) => boolean): number {
  let low = 0;
  let high = n;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The most observed lines, in the order in which they came; of equally observed ones the first. */
function keepMost(lines: readonly BeliefLine[], kept: number): BeliefLine[] {
  const order = [...lines.keys()].sort(
    (a, b) => (lines[b] as BeliefLine).episodes - (lines[a] as BeliefLine).episodes || a - b,
  );
  const chosen = new Set(order.slice(0, kept));
  return lines.filter((_, i) => chosen.has(i));
}

function block(lines: readonly BeliefLine[], dropped: number, statics: readonly string[]): string {
  const sections = [TITLE, lines.length + dropped > 0 ? MEANING : EMPTY];
  const failures = lines.filter(({ tool }) => tool !== null);
  const switches = lines.filter(({ tool }) => tool === null);
  if (failures.length > 0) sections.push(`### After a failure\n${failureText(failures)}`);
  if (switches.length > 0)
    sections.push(`### After a switch to another tool\n${switches.map(({ text }) => text).join("\n")}`);
  if (dropped > 0)
    sections.push(`${dropped} less observed ${dropped === 1 ? "entry is" : "entries are"} left out.`);
  return [...sections, ...statics].join("\n\n");
}

function failureText(lines: readonly BeliefLine[]): string {
  return lines
    .map(({ tool, text }, i) => (tool === lines[i - 1]?.tool ? text : `${promptName(tool ?? "")}\n${text}`))
    .join("\n");
}

function beliefLines(view: MemoryView, level: number, known: (tool: string) => boolean): BeliefLine[] {
  const { recovery, switching } = view.beliefs(level);
  const failures = recovery
    .filter(({ tool }) => known(tool))
    .map((belief) => ({
      tool: belief.tool,
      episodes: belief.recovered + belief.failed,
      text: `- ${belief.fault}: ${beliefText(belief)}`,
    }));
  const switches = switching
    .filter(({ source, target }) => known(source) && known(target))
    .map((belief) => ({
      tool: null,
      episodes: belief.recovered + belief.failed,
      text: `- ${promptName(belief.source)} -> ${promptName(belief.target)}: ${beliefText(belief)}`,
    }));
  return [...failures, ...switches];
}

function beliefText({ recovered, failed, mean, low, high, level }: Belief): string {
  const n = recovered + failed;
  const interval = `${percent(level, 6)} interval ${percent(low)} to ${percent(high)}`;
  return `recovered in ${recovered} of ${n} episode${n === 1 ? "" : "s"} (estimated ${percent(mean)}, ${interval})`;
}

/** Whole per cent; with `digits` that many significant ones. */
function percent(share: number, digits?: number): string {
  if (digits === undefined) return `${Math.round(share * 100)}%`;
  return `${Number((share * 100).toPrecision(digits))}%`;
}

function fallbackSection(fallbacks: FallbackMap, known: (tool: string) => boolean): string[] {
  const lines = Object.entries(fallbacks)
    .filter(([tool]) => known(tool))
    .map(([tool, list]): [string, string[]] => [
      tool,
      list.filter((other) => known(other.tool)).map(({ tool: name, note }) => alternativeText(name, note)),
    ])
    .filter(([, list]) => list.length > 0)
    .map(([tool, list]) => `- ${promptName(tool)}: ${list.join("; ")}`);
  return lines.length === 0 ? [] : [`### Alternatives\n${lines.join("\n")}`];
}

function alternativeText(tool: string, note: string | undefined): string {
  return note === undefined ? promptName(tool) : `${promptName(tool)} (${oneLine(note)})`;
}

function constraintSection(constraints: readonly string[]): string[] {
  if (constraints.length === 0) return [];
  return [`### Rules\n${constraints.map((text, i) => `${i + 1}. ${oneLine(text)}`).join("\n")}`];
}

/** A name that could be taken for something else in the block, or break its lines, is quoted, invisible characters escaped. */
function promptName(name: string): string {
  if (/^[\p{L}\p{N}_.:/-]+$/u.test(name)) return name;
  return JSON.stringify(name).replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    return `\\u{${code.toString(16)}}`;
  });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function toolFilter(tools: readonly string[] | undefined): (tool: string) => boolean {
  if (tools === undefined) return () => true;
  if (!Array.isArray(tools) || tools.some((tool) => typeof tool !== "string"))
    throw new CalibrantError("option", `tools must be a list of names, got ${shownValue(tools)}`, { tools });
  const names = new Set(tools);
  return (tool) => names.has(tool);
}

function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function checkedTokens(countTokens: (text: string) => number, text: string): number {
  const tokens = countTokens(text);
  if (typeof tokens === "number" && tokens >= 0) return tokens;
  throw new CalibrantError(
    "option",
    `countTokens must return a number from 0 on, got ${shownValue(tokens)}`,
    { tokens },
  );
}

function checkWhole(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new CalibrantError("option", `${name} must be a whole number from 0 on, got ${shownValue(value)}`, {
    [name]: value,
  });
}
