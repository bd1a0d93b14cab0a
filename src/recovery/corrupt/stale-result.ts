import type { Lifecycles } from "./corruption-rules.ts";
import { DEFAULT_LIFECYCLES } from "./default-lifecycles.ts";
import { drawIndex } from "./draw.ts";
import type { FieldMarks } from "./field-marks.ts";
import { selectFields } from "./field-selector.ts";
import { plainName } from "./field-words.ts";
import { type JsonEdit, type JsonTree, STRING } from "./json-tree.ts";
import { PAST, STATE } from "./name-traits.ts";
import { remembered } from "./remembered.ts";
import { matchStage, type StageMatch, spelledLike } from "./stage-spelling.ts";

/** How many containers above a state field, and members beside it, are looked at for what it is the state of. */
const NAMES_ABOVE = 3;
const NAMES_BESIDE = 40;

interface Lifecycle {
  readonly subject: ReadonlySet<string>;
  /** The number of a stage by its words joined with `_`. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** How each stage is written. */
  readonly stages: readonly string[];
}

/** A value that is a stage. */
interface Match extends StageMatch {
  readonly lifecycle: Lifecycle;
}

/** A state field that can go back. */
interface Candidate extends Match {
  readonly node: number;
}

/** Moves one state field back along its lifecycle: which field and to which of the earlier stages is drawn. */
export function staleEdits(
  tree: JsonTree,
  marks: FieldMarks,
  lifecycles: Lifecycles | undefined,
  random: () => number,
): JsonEdit[] {
  const candidates = candidatesOf(tree, marks, lifecycles);
  if (candidates.length === 0) return [];
  const { node, lifecycle, index, written } = candidates[drawIndex(candidates.length, random)] as Candidate;
  const stage = lifecycle.stages[drawIndex(index, random)] as string;
  const after = lifecycle.stages[index] === written ? stage : spelledLike(stage, written);
  return [{ node, token: JSON.stringify(after) }];
}

function candidatesOf(tree: JsonTree, marks: FieldMarks, declared: Lifecycles | undefined): Candidate[] {
  const lifecyclesAt = lookup(tree, marks, declared);
  const matchesIn = new Map<readonly Lifecycle[], (value: string) => readonly Match[]>();
  const candidates: Candidate[] = [];
  for (let node = 0; node < tree.kinds.length; node += 1) {
    if (tree.kinds[node] !== STRING || marks.protected[node] === 1 || tree.hidden?.[node] === 1) continue;
    const lifecycles = lifecyclesAt(node);
    if (lifecycles.length === 0) continue;
    const matchesOf = matchesIn.get(lifecycles) ?? remembered((value) => matchesAmong(lifecycles, value));
    matchesIn.set(lifecycles, matchesOf);
    const match = chosenMatch(tree, marks, node, matchesOf(tree.scalar(node)));
    if (match !== null) candidates.push({ node, ...match });
  }
  return candidates;
}

function matchesAmong(lifecycles: readonly Lifecycle[], value: string): Match[] {
  return lifecycles.flatMap((lifecycle) => {
    const match = matchStage(value, lifecycle.indexOf);
    return match === null ? [] : [{ lifecycle, ...match }];
  });
}

/** The lifecycles that a node may be in; none for a field that is no state. */
function lookup(
  tree: JsonTree,
  marks: FieldMarks,
  declared: Lifecycles | undefined,
): (node: number) => readonly Lifecycle[] {
  if (declared !== undefined && !Array.isArray(declared)) {
    const byField = Object.entries(declared).map(([field, stages]) => ({
      selected: selectFields(tree, [field], marks.wordsOf),
      lifecycles: (Array.isArray(stages[0]) ? stages : [stages]).map((list) =>
        declaredLifecycle(list as readonly string[]),
      ),
    }));
    const fieldOf = (node: number): number =>
      tree.keys[node] === null && node > 0 ? (tree.parents[node] as number) : node;
    return (node) => {
      const named = byField.filter(({ selected }) => selected[node] === 1 || selected[fieldOf(node)] === 1);
      return named.length === 1 && named[0] !== undefined
        ? named[0].lifecycles
        : named.flatMap(({ lifecycles }) => lifecycles);
    };
  }
  const all =
    declared === undefined
      ? defaultLifecycles()
      : (declared as readonly (readonly string[])[]).map(declaredLifecycle);
  return (node) => {
    const bits = marks.traits[node] as number;
    return bits & STATE && !(bits & PAST) ? all : [];
  };
}

function declaredLifecycle(stages: readonly string[]): Lifecycle {
  const indexOf = new Map(stages.map((stage, i) => [plainName(stage), i]));
  return { subject: new Set(), indexOf, stages };
}

function defaultLifecycles(): Lifecycle[] {
  return DEFAULT_LIFECYCLES.map(({ subject, stages }) => ({
    subject: new Set(subject),
    indexOf: new Map(stages.flatMap((spellings, i) => spellings.map((spelling) => [spelling, i] as const))),
    stages: stages.map((spellings) => spellings[0] as string),
  }));
}

/** By the lifecycles whose subject is named nearest, if one knows the value, else by the first that knows it. */
function chosenMatch(
  tree: JsonTree,
  marks: FieldMarks,
  node: number,
  matches: readonly Match[],
): Match | null {
  if (matches.every(({ index }) => index === 0)) return null;
  for (const word of wordsNear(tree, marks, node)) {
    const named = matches.filter(({ lifecycle }) => lifecycle.subject.has(word));
    if (named.length > 0) return named.find(({ index }) => index > 0) ?? null;
  }
  // A declared lifecycle has no subject: the value goes back in any of them.
  const known = matches.find(({ lifecycle, index }) => index > 0 || lifecycle.subject.size > 0);
  return known !== undefined && known.index > 0 ? known : null;
}

/** The words of the field's own name, of the names beside it, and of those above it, the nearest first. */
function* wordsNear(tree: JsonTree, marks: FieldMarks, node: number): Generator<string> {
  yield* marks.wordsOf(tree.keys[node] ?? "");
  let parent = tree.parents[node] as number;
  if (parent < 0) return;
  const end = tree.ends[parent] as number;
  let beside = NAMES_BESIDE;
  for (let at = parent + 1; at < end && beside > 0; at = tree.ends[at] as number) {
    yield* marks.wordsOf(tree.keys[at] ?? "");
    beside -= 1;
  }
  for (let above = NAMES_ABOVE; above > 0 && parent > 0; above -= 1) {
    yield* marks.wordsOf(tree.keys[parent] ?? "");
    parent = tree.parents[parent] as number;
  }
}
