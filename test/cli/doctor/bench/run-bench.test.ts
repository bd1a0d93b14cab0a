import { describe, expect, it } from "vitest";
import type { BenchHost } from "../../../../src/cli/doctor/bench/bench-host.ts";
import type {
  BenchAnswer,
  BenchEngine,
  BenchOrder,
} from "../../../../src/cli/doctor/bench/bench-messages.ts";
import { benchGroups, runBench } from "../../../../src/cli/doctor/bench/run-bench.ts";
import { renderBench } from "../../../../src/cli/doctor/render-bench.ts";

const FLOOR: BenchEngine = { name: "floor", threads: 1 };
const WASM: BenchEngine = { name: "wasm", threads: 1 };
const PLAN = { rows: 1000, vocab: 1000, rounds: 3, floor: "wasm" } as const;

/** A host whose runs take, one after the other, the seconds of a list; null fails. */
function hostOf(seconds: (order: BenchOrder) => number | null, orders: BenchOrder[] = []): BenchHost {
  return {
    async ask(order): Promise<BenchAnswer> {
      orders.push(order);
      if (order.type === "open")
        return {
          type: "opened",
          engines: order.engines.map(({ name }) => ({ device: "cpu", detail: name, failure: null })),
        };
      if (order.type === "fill") return { type: "filled" };
      const took = seconds(order);
      return took === null ? { type: "failed", reason: "broken" } : { type: "ran", seconds: took };
    },
    close: () => undefined,
  };
}

describe("benchGroups", () => {
  it("keeps native back ends apart, and asks for one and for all threads", () => {
    expect(benchGroups(4, { wasm: true, tfjs: true, cuda: true })).toEqual([
      [
        { name: "floor", threads: 1 },
        { name: "floor", threads: 4 },
        { name: "js", threads: 1 },
        { name: "wasm", threads: 1 },
        { name: "wasm", threads: 4 },
      ],
      [{ name: "tfjs", threads: 0 }],
      [
        { name: "cuda", threads: 0 },
        { name: "cuda-resident", threads: 0 },
      ],
    ]);
    expect(benchGroups(1, { wasm: false, tfjs: false, cuda: false })).toEqual([
      [FLOOR, { name: "js", threads: 1 }],
    ]);
  });
});

describe("runBench", () => {
  it("goes round by round over all engines, and leaves the first round out", async () => {
    const orders: BenchOrder[] = [];
    await runBench({ ...PLAN, rounds: 1, groups: [[FLOOR, WASM]] }, () => hostOf(() => 1, orders));
    const ofType = [
      ["run", 0, 0, "logprob"],
      ["run", 1, 0, "logprob"],
      ["run", 1, 0, "all"],
      ["run", 0, 1, "logprob"],
      ["run", 1, 1, "logprob"],
      ["run", 1, 1, "all"],
    ];
    const seen = orders.map((order) =>
      order.type === "run" ? [order.type, order.engine, order.buffer, order.want] : [order.type],
    );
    expect(seen).toEqual([["open"], ["fill"], ...ofType, ["fill"], ...ofType]);
  });

  it("gives the median, the least, bytes a second and the ratio to the floor", async () => {
    // 0 warms up; then 1, 2, 3 ms for the floor and four times as much for the back end.
    const counts = new Map<string, number>();
    const seconds = (order: BenchOrder): number => {
      if (order.type !== "run") return 0;
      const key = `${order.engine} ${order.want}`;
      const count = counts.get(key) ?? 0;
      counts.set(key, (count + 1) % 4);
      return count * 0.001 * (order.engine === 0 ? 1 : 4);
    };
    const report = await runBench({ ...PLAN, groups: [[FLOOR, WASM]] }, () => hostOf(seconds));
    expect(report.failures).toEqual([]);
    expect(report.results).toHaveLength(6);
    expect(report.results[0]).toMatchObject({
      engine: "memory read",
      want: null,
      seconds: 0.002,
      timesFloor: 1,
    });
    expect(report.results[1]).toEqual({
      engine: "wasm",
      threads: 1,
      device: "cpu",
      detail: "wasm",
      type: "float32",
      want: "logprob",
      seconds: 0.008,
      leastSeconds: 0.004,
      bytesPerSecond: 5e8,
      timesFloor: 4,
    });
    expect(report.results[4]).toMatchObject({ type: "bfloat16", bytesPerSecond: 2.5e8 });
  });

  it("tells what failed, and times the others", async () => {
    const report = await runBench({ ...PLAN, groups: [[FLOOR], [{ name: "cuda", threads: 0 }]] }, () =>
      hostOf((order) => (order.type === "run" && order.want === "all" ? null : 0.001)),
    );
    expect(report.failures).toEqual([{ engine: "cuda", reason: "broken" }]);
    expect(report.results.map(({ engine }) => engine)).toEqual(["memory read", "memory read"]);
  });

  it("closes its hosts, whatever happens", async () => {
    let closed = 0;
    const broken: BenchHost = {
      ask: () => Promise.reject(new Error("gone")),
      close: () => {
        closed += 1;
      },
    };
    await expect(runBench({ ...PLAN, groups: [[FLOOR], [WASM]] }, () => broken)).rejects.toThrow("gone");
    expect(closed).toBe(2);
  });
});

describe("renderBench", () => {
  it("is a table in milliseconds", async () => {
    const plan = { ...PLAN, rounds: 1, groups: [[FLOOR, { name: "cuda", threads: 0 } as const]] };
    const { results, ...report } = await runBench(plan, () => hostOf(() => 0.002));
    expect(
      renderBench({ ...report, results: results.slice(0, 2), failures: [{ engine: "tfjs", reason: "no" }] }),
    ).toEqual([
      "Bench: 1000 x 1000 logits in memory, medians of 1 rounds in turns; memory read is a WebAssembly loop that adds up all bytes",
      "             threads  logits   computed    ms  least  GB/s  x memory read",
      "memory read        1  float32            2.00   2.00  2.00           1.00",
      "cuda         its own  float32  log-prob  2.00   2.00  2.00           1.00",
      "not timed: tfjs: no",
    ]);
  });
});
