import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { batchFromRows } from "../../../src/data/jsonl/rows-columns.ts";
import type { EpisodeOptions, EpisodeRow } from "../../../src/recovery/episodes/episode.ts";
import { EPISODE_NEEDS, episodeReader, readEpisode } from "../../../src/recovery/episodes/read-episode.ts";

const AIRLINE = new URL("../../../../shared/data/tau_bench/gpt-4o-airline-40.json", import.meta.url);
const ERROR = "HTTP 503 Service Unavailable";
const BLOCKED = "Error: tool 'a' is unavailable for this session";

/** A conversation of assistant messages, each a list of calls `[tool, result]`; result null = none came back. */
function conversation(...turns: (readonly [string, string | null])[][]): unknown[] {
  let id = 0;
  return turns.flatMap((turn) => {
    const sent = turn.map(([name, content]) => ({ name, content, id: `call_${id++}` }));
    return [
      {
        role: "assistant",
        content: null,
        tool_calls: sent.map(({ name, id }) => ({
          id,
          type: "function",
          function: { name, arguments: "{}" },
        })),
      },
      ...sent.flatMap(({ name, content, id }) =>
        content === null ? [] : [{ role: "tool", tool_call_id: id, name, content }],
      ),
    ];
  });
}

function read(messages: unknown, options: EpisodeOptions = {}, row: Partial<EpisodeRow> = {}) {
  const episode = readEpisode({ messages, ...row }, options);
  if (episode === null) throw new Error("unreadable");
  return {
    ...episode,
    faults: episode.faults.map(({ tool, fault, call }) => `${call} ${tool} ${fault}`),
    switches: episode.switches.map(({ source, target }) => `${source}>${target}`),
  };
}

function record(call: number, tool: string, fault: string, more: Record<string, unknown> = {}): unknown {
  return {
    episode: "0",
    seed: 1,
    call,
    tool,
    fault,
    executed: false,
    response: null,
    status: null,
    changes: [],
    ...more,
  };
}

describe("readEpisode: failures met", () => {
  it("takes them from the results, distinct, with the first call", () => {
    const messages = conversation(
      [["a", ERROR]],
      [["b", "{}"]],
      [["a", ERROR]],
      [["a", "Error: request timed out"]],
    );
    expect(read(messages).faults).toEqual(["0 a server_error", "3 a timeout"]);
    expect(read(conversation([["a", "Error: order not found"]], [["a", null]])).faults).toEqual([]);
  });

  it("takes them from the injection log where there is one: silent ones too, those without effect not", () => {
    const messages = conversation([["a", "{}"]], [["a", ERROR]], [["b", "{}"]]);
    const change = [{ pointer: "/x", before: 1, after: 2 }];
    const injections = [
      record(2, "b", "stale", { executed: true, changes: change }),
      record(0, "a", "partial", { executed: true }),
      record(1, "a", "blocked", { response: ERROR }),
    ];
    expect(read(messages, {}, { injections }).faults).toEqual(["1 a blocked", "2 b stale"]);
    expect(read(messages, {}, { injections: [] }).faults).toEqual([]);
    expect(read(messages, {}, { injections: null }).faults).toEqual(["1 a server_error"]);
  });

  it("finds logged calls between calls that the injector did not see", () => {
    const messages = conversation(
      [["think", "ok"]],
      [["a", "{}"]],
      [["think", "ok"]],
      [["a", ERROR]],
      [["b", "{}"]],
    );
    const injections = [record(1, "a", "server_error", { response: ERROR })];
    expect(read(messages, {}, { injections })).toMatchObject({
      faults: ["3 a server_error"],
      switches: ["a>b"],
    });
    // No conversation with calls, but a log: what was met is known, what followed is not.
    const text = [{ role: "assistant", content: "Action: a" }];
    expect(read(text, { outcome: "calls" }, { injections })).toMatchObject({
      faults: ["1 a server_error"],
      switches: [],
      recovered: null,
    });
  });
});

describe("readEpisode: switches", () => {
  const fallbacks = { a: [{ tool: "k" }, { tool: "k2" }], k: [{ tool: "a" }] };

  it("counts the first later call of a declared alternative before the tool is called again", () => {
    const after = (...turns: (readonly [string, string | null])[][]): string[] =>
      read(conversation([["a", ERROR]], ...turns), { fallbacks }).switches;
    expect(after([["k", "{}"]])).toEqual(["a>k"]);
    expect(after([["b", "{}"]], [["k2", "{}"]], [["k", "{}"]])).toEqual(["a>k2"]);
    expect(after([["b", "{}"]])).toEqual([]);
    expect(after([["a", "{}"]], [["k", "{}"]])).toEqual([]);
    expect(after([["a", ERROR]], [["k", "{}"]])).toEqual(["a>k"]);
    expect(after([["k", ERROR]], [["a", "{}"]])).toEqual(["a>k", "k>a"]);
    expect(after([["k", ERROR]], [["a", ERROR]], [["k", "{}"]])).toEqual(["a>k", "k>a"]);
  });

  it("does not count calls that were sent together with the failed one", () => {
    expect(
      read(
        conversation([
          ["a", ERROR],
          ["k", "{}"],
        ]),
        { fallbacks },
      ).switches,
    ).toEqual([]);
    expect(
      read(
        conversation(
          [
            ["a", ERROR],
            ["k", "{}"],
          ],
          [["k", "{}"]],
        ),
        { fallbacks },
      ).switches,
    ).toEqual(["a>k"]);
    expect(
      read(
        conversation(
          [
            ["a", ERROR],
            ["b", "{}"],
          ],
          [["c", "{}"]],
        ),
      ).switches,
    ).toEqual(["a>c"]);
  });

  it("without declared alternatives takes the next other tool, after visible failures only, escalation aside", () => {
    expect(read(conversation([["a", ERROR]], [["b", "{}"]], [["c", "{}"]])).switches).toEqual(["a>b"]);
    expect(read(conversation([["a", ERROR]], [["a", "{}"]], [["b", "{}"]])).switches).toEqual([]);
    expect(read(conversation([["a", ERROR]], [["transfer_to_human", "{}"]])).switches).toEqual([]);
    const silent = conversation([["a", '{"stale":true}']], [["k", "{}"]]);
    expect(read(silent).faults).toEqual(["0 a stale"]);
    expect(read(silent).switches).toEqual([]);
    expect(read(silent, { fallbacks }).switches).toEqual(["a>k"]);
  });
});

describe("readEpisode: how it ended", () => {
  it("recovers with the benchmark's outcome, and is unknown without one", () => {
    const messages = conversation([["a", ERROR]], [["a", "{}"]]);
    const recovered = [1, true, 0, null, Number.NaN, undefined].map(
      (completed) => read(messages, {}, { completed: completed as number }).recovered,
    );
    expect(recovered).toEqual([true, true, false, null, null, null]);
  });

  it("recovers by its calls when every failed tool, or a stand-in, came back later", () => {
    const by = (messages: unknown[], fallbacks?: EpisodeOptions["fallbacks"]): boolean | null =>
      read(messages, { outcome: "calls", ...(fallbacks !== undefined && { fallbacks }) }, { completed: 0 })
        .recovered;
    expect(by(conversation([["a", "{}"]]))).toBe(null);
    expect(by(conversation([["a", '{"stale":true}']]))).toBe(null);
    expect(by(conversation([["a", ERROR]], [["a", "{}"]]))).toBe(true);
    expect(by(conversation([["a", ERROR]], [["a", "{}"]], [["a", BLOCKED]]))).toBe(false);
    expect(by(conversation([["a", ERROR]], [["a", null]]))).toBe(false);
    expect(
      by(
        conversation([
          ["a", ERROR],
          ["a", "{}"],
        ]),
      ),
    ).toBe(false);
    expect(by(conversation([["a", ERROR]], [["b", "{}"]]))).toBe(true);
    expect(by(conversation([["a", ERROR]], [["b", "{}"]]), { a: [{ tool: "k" }] })).toBe(false);
    expect(by(conversation([["a", ERROR]], [["k", "{}"]]), { a: [{ tool: "k" }] })).toBe(true);
    expect(by(conversation([["a", ERROR]], [["k", BLOCKED]], [["a", "{}"]]), { a: [{ tool: "k" }] })).toBe(
      true,
    );
    expect(by(conversation([["a", ERROR]], [["b", ERROR]], [["a", "{}"]], [["c", "{}"]]), {})).toBe(false);
    expect(by(conversation([["a", ERROR]], [["transfer_to_human_agents", "ok"]]))).toBe(false);
  });

  it("escalates by the call of an escalation tool", () => {
    const messages = conversation([["transfer_to_human_agents", "ok"]]);
    expect(read(messages).escalated).toBe(true);
    expect(read(messages, { escalationTools: ["page_oncall"] }).escalated).toBe(false);
    expect(read(conversation([["page_oncall", "ok"]]), { escalationTools: ["page_oncall"] }).escalated).toBe(
      true,
    );
  });

  it("counts turns, calls and repetitions, and keeps what the row says", () => {
    const messages = [
      ...conversation(
        [
          ["a", "{}"],
          ["b", "{}"],
        ],
        [["a", "{}"]],
      ),
      { role: "assistant", content: "Done." },
    ];
    const row = { reward: 0.25, scenario: "S2", condition: "injected" } as const;
    expect(read(messages, {}, row)).toMatchObject({
      turns: 3,
      calls: 3,
      repetition: 2,
      completed: null,
      ...row,
    });
    expect(read(messages, {}, { num_turns: 9 }).turns).toBe(9);
    expect(readEpisode({ messages: "no conversation" })).toBe(null);
  });
});

describe("impossible values", () => {
  const messages = conversation([["a", "{}"]]);
  it.each<[Partial<EpisodeRow>, string]>([
    [{ completed: 2 }, "column completed: must be 0 or 1, got 2"],
    [{ num_turns: 1.5 }, "column num_turns: must be a whole number from 0 on, got 1.5"],
    [{ reward: Number.POSITIVE_INFINITY }, "column reward: must be a finite number, got Infinity"],
    [{ scenario: "S4" }, "column scenario: must be S1, S2, S3, got S4"],
    [{ injections: "x" }, 'injections: must be the list of the injection log, got "x"'],
    [{ injections: [{ call: 0, tool: "a", fault: "slow" }] }, 'got "slow"'],
    [{ injections: [null] }, "every entry must have a call"],
  ])("%j is one error", (row, message) => {
    expect(() => readEpisode({ messages, ...row })).toThrow(message);
  });

  it("refuses options that it does not know", () => {
    expect(() => readEpisode({ messages }, { outcom: "calls" } as EpisodeOptions)).toThrow(
      "did you mean outcome?",
    );
    expect(() => readEpisode({ messages }, { outcome: "all" as "calls" })).toThrow("outcome must be");
    expect(() => readEpisode({ messages }, { fallbacks: { a: ["k"] } as never })).toThrow("fallbacks of a");
  });
});

describe("episodeReader", () => {
  const requests = [...EPISODE_NEEDS.required.flat(), ...EPISODE_NEEDS.optional];

  it("reads the rows of a batch, and says where an impossible value stands", () => {
    const messages = conversation([["a", ERROR]], [["a", "{}"]]);
    const rows = [
      {
        messages,
        completed: 1,
        scenario: "S1",
        condition: "injected",
        reward: 0.5,
        injections: [record(0, "a", "server_error")],
      },
      { messages: null, completed: 0, scenario: null },
      { messages, completed: 3 },
    ];
    const reader = episodeReader(batchFromRows(rows, requests, "rows"));
    expect(reader(0)).toEqual(readEpisode(rows[0] as EpisodeRow));
    expect(reader(0)).toMatchObject({ recovered: true, reward: 0.5, scenario: "S1", condition: "injected" });
    expect(reader(1)).toBe(null);
    expect(() => reader(2)).toThrow(/2: column completed: must be 0 or 1, got 3/);
  });

  it.skipIf(!existsSync(AIRLINE))(
    "reads 40 real runs without failures: nothing met, no switch, none unreadable",
    () => {
      const runs = JSON.parse(readFileSync(AIRLINE, "utf8")) as { traj: unknown; reward: number }[];
      const rows = runs.map(({ traj, reward }) => ({ messages: traj, completed: reward === 1 ? 1 : 0 }));
      const reader = episodeReader(batchFromRows(rows, requests, "rows"));
      const episodes = rows.map((_, row) => reader(row));
      expect(episodes.filter((episode) => episode === null)).toEqual([]);
      expect(
        episodes.flatMap((episode) => [...(episode?.faults ?? []), ...(episode?.switches ?? [])]),
      ).toEqual([]);
      expect(episodes.map((episode) => episode?.recovered)).toEqual(runs.map(({ reward }) => reward === 1));
      expect(episodes.filter((episode) => episode?.escalated).length).toBe(
        runs.filter(({ traj }) => JSON.stringify(traj).includes('"name":"transfer_to_human_agents"')).length,
      );
    },
  );
});
