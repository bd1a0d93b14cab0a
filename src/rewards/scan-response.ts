import {
  ANSWER,
  ANSWER_END,
  CALL,
  CALL_END,
  endsWithWord,
  isBlank,
  LETTER,
  LETTER_END,
  NAME,
  nameCode,
  nameStart,
  opensJson,
  THINK,
  THINK_END,
  tagAt,
  wordEnd,
} from "./response-tags.ts";

/** What the markers of a response say, before any rule is applied. Positions are -1 where there is no such thing. */
export interface ResponseScan {
  /** Complete `<think>` blocks, and where the last of them ends. */
  thinkBlocks: number;
  thinkEnd: number;
  /** Think markers that are nested, stray or never closed. */
  strayThinks: number;
  /** Complete `<answer>` blocks, and the inside of the first. */
  answerBlocks: number;
  answerStart: number;
  answerEnd: number;
  /** Answer markers that are nested, stray or never closed. */
  strayAnswers: number;
  /** From the first `<tool_call>` block outside thoughts and answers to the end of the last one. */
  callsStart: number;
  callsEnd: number;
  /** Action tags outside thoughts and answers, and where the last of them begins. */
  tags: number;
  tagStart: number;
  /** Bit c is set when a tag with a name names the action of code c. */
  named: number;
  /** Bit c is set when a bare `<L>` names the action of code c. */
  bare: number;
  /** Bit c is set when there is a closing `</L>` for letter c: then `<L>` is markup, as in `<b>bold</b>`. */
  closed: number;
  /** Whether the name and the letter of a tag disagree. */
  inconsistent: boolean;
  /** Whether anything but whitespace lies outside thoughts, action tags and answers. */
  textOutside: boolean;
}

const OUTSIDE = 0;
const IN_THOUGHT = 1;
const IN_ANSWER = 2;
const IN_CALL = 3;

/** A scan in progress. `from` is where the current block began, or up to where the text outside is accounted for. */
interface Scanner {
  readonly text: string;
  scan: ResponseScan;
  state: number;
  from: number;
  thoughtSeen: boolean;
}

/**
 * Finds the markers of a response in one pass, in linear time whatever the text: `<think>`, `<answer>` and
 * `<tool_call>` blocks, and the action tags outside them (`<NAME>`, `NAME<L>`, `<L>`), in any letter case.
 *
 * - A block runs from its opening marker to the nearest closing one and is opaque: no tag in it is an action tag.
 *   A block's own opening marker inside it, and think markers inside an answer, are stray.
 * - A `</think>` before any `<think>` ends a thought that began with the text: chat templates put the opening
 *   marker into the prompt.
 * - `<tool_call>` followed by a brace or bracket opens a call block, which names `tool_call` as well.
 * - A bare letter directly after a word is text: `List<A>`.
 */
export function scanResponse(text: string): ResponseScan {
  const scanner: Scanner = { text, scan: emptyScan(), state: OUTSIDE, from: 0, thoughtSeen: false };
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const tag = tagAt(text, at + 1);
    if (tag === null) continue;
    const { kind } = tag;
    const next = at + 1 + tag.units.length;
    if (scanner.state === OUTSIDE) tagOutside(scanner, kind, at, next);
    else if (scanner.state === IN_THOUGHT) tagInThought(scanner, kind, next);
    else if (scanner.state === IN_ANSWER) tagInAnswer(scanner, kind, at, next);
    else if (kind === CALL_END) {
      scanner.scan.callsEnd = next;
      leaveBlock(scanner, next);
    }
  }
  const { scan, state, from } = scanner;
  if (state === IN_THOUGHT) scan.strayThinks += 1;
  else if (state === IN_ANSWER) scan.strayAnswers += 1;
  else if (state === OUTSIDE) scan.textOutside ||= !isBlank(text, from, text.length);
  return scan;
}

function emptyScan(): ResponseScan {
  return {
    thinkBlocks: 0,
    thinkEnd: -1,
    strayThinks: 0,
    answerBlocks: 0,
    answerStart: -1,
    answerEnd: -1,
    strayAnswers: 0,
    callsStart: -1,
    callsEnd: -1,
    tags: 0,
    tagStart: -1,
    named: 0,
    bare: 0,
    closed: 0,
    inconsistent: false,
    textOutside: false,
  };
}

function leaveBlock(scanner: Scanner, next: number): void {
  scanner.state = OUTSIDE;
  scanner.from = next;
}

function tagInThought(scanner: Scanner, kind: number, next: number): void {
  if (kind === THINK) scanner.scan.strayThinks += 1;
  if (kind !== THINK_END) return;
  scanner.scan.thinkBlocks += 1;
  scanner.scan.thinkEnd = next;
  leaveBlock(scanner, next);
}

function tagInAnswer(scanner: Scanner, kind: number, at: number, next: number): void {
  const { scan } = scanner;
  if (kind === ANSWER) scan.strayAnswers += 1;
  else if (kind === THINK || kind === THINK_END) scan.strayThinks += 1;
  if (kind !== ANSWER_END) return;
  scan.answerBlocks += 1;
  if (scan.answerStart < 0) {
    scan.answerStart = scanner.from;
    scan.answerEnd = at;
  }
  leaveBlock(scanner, next);
}

function tagOutside(scanner: Scanner, kind: number, at: number, next: number): void {
  if (kind === THINK_END && !scanner.thoughtSeen) {
    scanner.scan = emptyScan();
    scanner.scan.strayThinks = 1;
    scanner.thoughtSeen = true;
    scanner.from = next;
    return;
  }
  const { text, scan, from } = scanner;
  const isLetter = kind >= LETTER && kind < LETTER_END;
  const start = isLetter ? nameStart(text, from, at) : at;
  if (isLetter && start === at && endsWithWord(text, from, at)) return;
  scan.textOutside ||= !isBlank(text, from, start);
  scanner.from = next;
  if (kind === THINK) {
    scanner.state = IN_THOUGHT;
    scanner.thoughtSeen = true;
  } else if (kind === ANSWER) scanner.state = IN_ANSWER;
  else if (kind === THINK_END) scan.strayThinks += 1;
  else if (kind === ANSWER_END) scan.strayAnswers += 1;
  else if (kind === CALL_END) scan.textOutside = true;
  else if (kind >= LETTER_END) closeLetter(scan, kind - LETTER_END);
  else actionTag(scanner, kind, start, at);
  if (kind === CALL && opensJson(text, next)) {
    scanner.state = IN_CALL;
    scan.textOutside = true;
    if (scan.callsStart < 0) scan.callsStart = at;
  }
}

function closeLetter(scan: ResponseScan, code: number): void {
  scan.closed |= 1 << code;
  scan.textOutside = true;
}

/** An action tag that begins at `start`: before `at`, its bracket, when a name stands before the letter. */
function actionTag(scanner: Scanner, kind: number, start: number, at: number): void {
  const { text, scan } = scanner;
  scan.tags += 1;
  scan.tagStart = start;
  if (kind === CALL) scan.named |= 1 << 1;
  else if (kind < LETTER) scan.named |= 1 << (kind - NAME);
  else if (start === at) scan.bare |= 1 << (kind - LETTER);
  else {
    const code = nameCode(text, start, wordEnd(text, start, at));
    scan.named |= 1 << code;
    scan.inconsistent ||= code !== kind - LETTER;
  }
}
