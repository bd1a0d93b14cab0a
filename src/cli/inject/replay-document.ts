import { rateOf } from "../../metrics/rate.ts";
import type { ReplayResult } from "../../recovery/world/replay-retail.ts";
import { countCell, missingCell, pointsCell, shareCell } from "../../report/tables/cells.ts";
import type {
  DocumentTable,
  TableCell,
  TableColumn,
  TableDocument,
} from "../../report/tables/table-document.ts";
import { FAULT_KINDS } from "../../types.ts";
import {
  REPLAY_CONDITIONS,
  type ReplayCondition,
  type ReplayDifference,
  type ReplayEnds,
  type ReplayNumbers,
} from "./replay-result.ts";

const TITLES: Readonly<Record<ReplayCondition, readonly [title: string, meaning: string]>> = {
  clean: ["Clean", "Nothing is injected."],
  S1: ["S1", "Faults at random, nothing blocked."],
  S2: ["S2", "Faults at random, one of the task's equal paths is blocked."],
  S3: ["S3", "All paths are blocked."],
  mixed: ["Mixed", "S1, S2 or S3, drawn with 30, 45 and 25 % for each task and seed."],
  "S2 own": ["S2, own path", "Those of S2 where the path that the request suggests is blocked."],
  "S2 other": [
    "S2, other path",
    "Those of S2 where the blocked path is not the one that the request suggests.",
  ],
};

const INJECTED = REPLAY_CONDITIONS.filter((condition) => condition !== "clean");

/** The tables of a replay, in percent and percentage points. */
export function replayDocument(result: ReplayResult, numbers: ReplayNumbers): TableDocument {
  const { world, severity, seeds, memory, update } = result;
  const { initial, observed } = memory.episodes;
  const heldOut = world.tasks.filter(({ split }) => split === "heldout").length;
  const recovered = initial.recovered + observed.recovered;
  const met = recovered + initial.failed + observed.failed;
  return {
    title: "Replay of scripted policies in a retail world",
    headline: "",
    warnings:
      heldOut < 10 ? [`Only ${heldOut} held-out tasks: intervals are wide, and no verdict is possible.`] : [],
    tables: [
      rateTable(numbers),
      gapTable(numbers),
      comparisonTable(numbers),
      endTable(numbers),
      faultTable(numbers),
    ],
    facts: [
      ["seed", String(world.seed)],
      ["evaluation seeds", seeds.join(", ")],
      ["tasks", `${world.tasks.length}, of which ${heldOut} held out; the memory is learned on the others`],
      ["P(clean), B, K_max", `${severity.noise.clean}, ${severity.budget}, ${severity.maxConsecutive}`],
      [
        "memory",
        `${met} episodes with a failure, ${recovered} of them recovered; ${update} during the evaluation`,
      ],
    ],
  };
}

function rateTable({ rates }: ReplayNumbers): DocumentTable {
  const policies = [...new Set(rates.map(({ policy }) => policy))];
  return {
    id: "pass-rates",
    title: "Pass rate, %",
    rowTitle: "Policy",
    columns: REPLAY_CONDITIONS.map(column),
    rows: policies.map((policy) => ({
      label: policy,
      cells: rates.filter((one) => one.policy === policy).map(({ rate }) => shareCell(rate, "no episodes")),
    })),
    notes: [
      "95 % intervals, tasks as units: Wilson's with one episode a task, a bootstrap over tasks with several seeds, and Wilson's with tasks as trials where all tasks are alike.",
      "S2 blocks one of a task's paths, drawn at random: who never switches fails where its own is blocked and is in S1 elsewhere, so the column mixes the two on its right.",
      "simple knows of recovery only what its memory holds: nothing; static = alternatives and rules; learned = counts of the training tasks; memory = both.",
    ],
  };
}

function gapTable({ differences }: ReplayNumbers): DocumentTable {
  const own = differences.filter(({ baseline }) => baseline === null);
  return differenceTable("gap", "Injected − clean, percentage points", own, ({ policy }) => policy);
}

function comparisonTable({ differences }: ReplayNumbers): DocumentTable {
  const others = differences.filter(({ baseline }) => baseline !== null);
  return differenceTable(
    "comparisons",
    "Between policies under the same faults, percentage points",
    others,
    ({ policy, baseline }) => `${policy} − ${baseline}`,
  );
}

function differenceTable(
  id: string,
  title: string,
  differences: readonly ReplayDifference[],
  label: (difference: ReplayDifference) => string,
): DocumentTable {
  return {
    id,
    title,
    rowTitle: "Policy",
    columns: INJECTED.map(column),
    rows: [...new Set(differences.map(label))].map((name) => ({
      label: name,
      cells: differences
        .filter((one) => label(one) === name)
        .map(({ delta }) => pointsCell(delta, "no episodes")),
    })),
    notes: ["Paired by task, seeds averaged within a task; 95 % intervals by a bootstrap over tasks."],
  };
}

function endTable({ ends }: ReplayNumbers): DocumentTable {
  return {
    id: "ends",
    title: "How episodes end in S1, %",
    rowTitle: "Policy",
    columns: [
      number("Passed", "The right change and the right answer."),
      number("Handed over", "The agent gave the task to a person."),
      number("Wrong", "The agent finished, with a wrong change or a wrong answer."),
      number("Episodes", "Episodes of S1."),
    ],
    rows: ends.map((row) => ({
      label: row.policy,
      cells: [
        share(row.passed, row),
        share(row.escalated, row),
        share(row.wrong, row),
        countCell(row.episodes),
      ],
    })),
    notes: [],
  };
}

function faultTable({ byFault, ends }: ReplayNumbers): DocumentTable {
  return {
    id: "faults",
    title: "Pass rate in S1 by the only kind of fault that the episode met, %",
    rowTitle: "Fault",
    columns: ends.map(({ policy }) => number(policy, `Pass rate of ${policy}, and episodes.`)),
    rows: FAULT_KINDS.map((fault) => ({
      label: fault.replace(/_/g, " "),
      cells: byFault.filter((row) => row.fault === fault).map(countedShare),
    })),
    notes: [
      "A silent fault that found nothing to change is not met.",
      "How many episodes met a kind and no other differs between policies: who makes more calls meets more.",
      "partial, stale and factual error are silent: a policy that believes every result fails where the changed field decides, whatever it does about errors.",
    ],
  };
}

function countedShare({ passed, episodes }: ReplayEnds): TableCell {
  if (episodes === 0) return missingCell("no episodes");
  const cell = shareCell(rateOf(passed, episodes));
  return { ...cell, detail: `of ${episodes}` };
}

function share(count: number, { episodes }: ReplayEnds): TableCell {
  return { ...shareCell(rateOf(count, episodes), "no episodes"), detail: "" };
}

function column(condition: ReplayCondition): TableColumn {
  return number(...TITLES[condition]);
}

function number(title: string, meaning: string): TableColumn {
  return { title, meaning, kind: "number" };
}
