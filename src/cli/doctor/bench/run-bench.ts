import { quantiles } from "../../../math/quantile.ts";
import type { BenchHost } from "./bench-host.ts";
import { BENCH_BUFFERS, type BenchEngine, type BenchEngineName, type BenchOpened } from "./bench-messages.ts";

import type { BenchReport, BenchResult, BenchType, BenchWant } from "./bench-report.ts";

/** What is to be timed. */
export interface BenchPlan {
  readonly rows: number;
  readonly vocab: number;
  readonly rounds: number;
  readonly floor: BenchReport["floor"];
  /** Groups of engines, each in a process of its own. */
  readonly groups: readonly (readonly BenchEngine[])[];
}

/** The engines that this machine has: native ones each in a process of its own, since they may end it. */
export function benchGroups(
  threads: number,
  has: { readonly wasm: boolean; readonly tfjs: boolean; readonly cuda: boolean },
): BenchEngine[][] {
  const counts = threads > 1 ? [1, threads] : [1];
  const many = (name: "floor" | "wasm"): BenchEngine[] => counts.map((count) => ({ name, threads: count }));
  const groups: BenchEngine[][] = [
    [...many("floor"), { name: "js", threads: 1 }, ...(has.wasm ? many("wasm") : [])],
  ];
  if (has.tfjs) groups.push([{ name: "tfjs", threads: 0 }]);
  if (has.cuda)
    groups.push([
      { name: "cuda", threads: 0 },
      { name: "cuda-resident", threads: 0 },
    ]);
  return groups;
}

/** One engine in its process. */
interface Contender extends BenchEngine {
  readonly host: BenchHost;
  readonly index: number;
  readonly opened: BenchOpened;
  failure: string | null;
}

/** One thing that an engine is timed at. */
interface Task {
  readonly contender: Contender;
  readonly type: BenchType;
  readonly want: BenchWant | null;
  readonly seconds: number[];
}

const NAMES: Readonly<Record<BenchEngineName, string>> = {
  floor: "memory read",
  js: "js",
  wasm: "wasm",
  tfjs: "tfjs",
  cuda: "cuda",
  "cuda-resident": "cuda, logits on the GPU",
};

const TYPES: readonly BenchType[] = ["float32", "bfloat16"];

/**
 * Times every engine at every task, in turns: a round times each once, after one round that only warms up.
 *
 * @param onRound - told of every round that ended.
 */
export async function runBench(
  plan: BenchPlan,
  start: () => BenchHost,
  onRound: (done: number, all: number) => void = () => undefined,
): Promise<BenchReport> {
  const hosts = plan.groups.map((engines) => ({ engines, host: start() }));
  try {
    const contenders: Contender[] = [];
    for (const { engines, host } of hosts) contenders.push(...(await openAll(plan, engines, host)));
    const tasks: Task[] = [];
    const all = TYPES.length * (plan.rounds + 1);
    for (const [done, type] of TYPES.entries()) {
      for (const { host } of hosts) await host.ask({ type: "fill", as: type });
      const ofType = contenders.flatMap((contender) => tasksOf(contender, type));
      for (let round = 0; round <= plan.rounds; round++) {
        for (const task of ofType) await runOnce(task, round);
        onRound(done * (plan.rounds + 1) + round + 1, all);
      }
      tasks.push(...ofType);
    }
    return reportOf(plan, contenders, tasks);
  } finally {
    for (const { host } of hosts) host.close();
  }
}

async function openAll(
  plan: BenchPlan,
  engines: readonly BenchEngine[],
  host: BenchHost,
): Promise<Contender[]> {
  const answer = await host.ask({ type: "open", engines, rows: plan.rows, vocab: plan.vocab });
  const failed = answer.type === "failed" ? answer.reason : "it gave no answer";
  return engines.map((engine, index) => {
    const opened = (answer.type === "opened" ? answer.engines[index] : undefined) ?? {
      device: "cpu",
      detail: "",
      failure: failed,
    };
    return { ...engine, host, index, opened, failure: opened.failure };
  });
}

function tasksOf(contender: Contender, type: BenchType): Task[] {
  const wants = contender.name === "floor" ? [null] : (["logprob", "all"] as const);
  return wants.map((want) => ({ contender, type, want, seconds: [] }));
}

/** Round 0 warms up: code is compiled, memory is touched for the first time. */
async function runOnce({ contender, want, seconds }: Task, round: number): Promise<void> {
  if (contender.failure !== null) return;
  const { host, index } = contender;
  const buffer = round % BENCH_BUFFERS;
  const answer = await host.ask({ type: "run", engine: index, buffer, want: want ?? "logprob" });
  if (answer.type === "failed") contender.failure = answer.reason;
  else if (answer.type === "ran" && round > 0) seconds.push(answer.seconds);
}

function reportOf(plan: BenchPlan, contenders: readonly Contender[], tasks: readonly Task[]): BenchReport {
  const whole = tasks.filter(({ contender, seconds }) => contender.failure === null && seconds.length > 0);
  const most = Math.max(...contenders.map(({ threads }) => threads));
  const floorOf = (type: BenchType, threads: number): number | null => {
    const wanted = threads === 0 ? most : threads;
    const floor = whole.find(
      ({ contender, ...task }) =>
        contender.name === "floor" && contender.threads === wanted && task.type === type,
    );
    return floor === undefined ? null : median(floor.seconds);
  };
  const results = whole.map(({ contender, type, want, seconds }): BenchResult => {
    const bytes = plan.rows * plan.vocab * (type === "float32" ? 4 : 2);
    const middle = median(seconds);
    const floor = floorOf(type, contender.threads);
    return {
      engine: NAMES[contender.name],
      threads: contender.threads,
      device: contender.opened.device,
      detail: contender.opened.detail,
      type,
      want,
      seconds: middle,
      leastSeconds: Math.min(...seconds),
      bytesPerSecond: bytes / middle,
      timesFloor: floor === null ? null : middle / floor,
    };
  });
  const failures = contenders
    .filter(({ failure }) => failure !== null)
    .map(({ name, threads, failure }) => ({
      engine: threads === 0 ? NAMES[name] : `${NAMES[name]}, threads: ${threads}`,
      reason: failure ?? "",
    }));
  const { rows, vocab, rounds, floor } = plan;
  return { rows, vocab, rounds, floor, results, failures };
}

function median(values: readonly number[]): number {
  return quantiles(Float64Array.from(values), [0.5])[0] as number;
}
