import { jsonText } from "../data/jsonl/json-text.ts";
import { checkCount } from "../math/check-count.ts";
import { quoteFence } from "../metrics/toolfault/quote-fence.ts";
import { fittingLimit, shortenMiddle } from "./shorten-texts.ts";

/** One line of a quotation: a text that may have to be shortened, and the line that shows it. */
export interface QuotedLine {
  readonly text: string;
  readonly line: (shown: string) => string;
  /** Whether the text is needed word for word: it is shortened last, see {@link quotedText}. */
  readonly isNeeded: boolean;
}

/** A quotation under a title. */
export interface QuotedPart {
  readonly title: string;
  readonly lines: readonly QuotedLine[];
}

/** How much text of a trajectory goes into a prompt, in UTF-16 units. */
export interface TextLimits {
  /** The most of one text; longer ones lose their middle. */
  readonly textLimit: number;
  /** The most of all texts together: where there are more, the longest are shortened further, none below 100. */
  readonly totalLimit: number;
}

/** What a prompt takes of one text, when nothing else is said: policies and tool results of most agents whole. */
export const DEFAULT_TEXT_LIMIT = 20_000;
/** The same of all texts together. */
export const DEFAULT_TOTAL_LIMIT = 160_000;

/** The limits, checked. Defaults 20000 and 160000. @throws CalibrantError `option` for one that is no integer from 100. */
export function textLimits(options: Partial<TextLimits>): TextLimits {
  const { textLimit = DEFAULT_TEXT_LIMIT, totalLimit = DEFAULT_TOTAL_LIMIT } = options;
  checkCount("textLimit", textLimit, 100);
  checkCount("totalLimit", totalLimit, 100);
  return { textLimit, totalLimit };
}

/** The share of `totalLimit` that texts needed word for word may take. */
const NEEDED_SHARE = 0.75;

/**
 * Quotations one after the other, each between two equal fences, which no line of them can be. Texts needed word for word are
 * shortened only where they exceed three quarters of `totalLimit`; the others share what is left.
 */
export function quotedText(parts: readonly QuotedPart[], limits: TextLimits): string {
  const limitOf = lineLimits(
    parts.flatMap(({ lines }) => lines),
    limits,
  );
  const bodies = parts.map(({ lines }) =>
    lines.map((line) => line.line(shortenMiddle(line.text, limitOf(line)))).join("\n"),
  );
  const fence = quoteFence(bodies);
  return parts.map(({ title }, index) => `${title}\n${fence}\n${bodies[index]}\n${fence}`).join("\n\n");
}

function lineLimits(
  lines: readonly QuotedLine[],
  { textLimit, totalLimit }: TextLimits,
): (line: QuotedLine) => number {
  const needed = lines.filter(({ isNeeded }) => isNeeded).map(({ text }) => text.length);
  const most = Math.floor(totalLimit * NEEDED_SHARE);
  const neededLimit = fittingLimit(needed, most);
  const used = Math.min(
    most,
    needed.reduce((sum, length) => sum + length, 0),
  );
  const others = lines
    .filter(({ isNeeded }) => !isNeeded)
    .map(({ text }) => Math.min(text.length, textLimit));
  const otherLimit = Math.min(textLimit, fittingLimit(others, totalLimit - used));
  return ({ isNeeded }) => (isNeeded ? neededLimit : otherLimit);
}

/** A line that is JSON already, or plain text; line breaks in a shortened text stay inside a JSON string. */
export function jsonLine(value: unknown): QuotedLine {
  const text = jsonText(value);
  return { text, isNeeded: false, line: (shown) => (shown === text ? text : JSON.stringify(shown)) };
}
