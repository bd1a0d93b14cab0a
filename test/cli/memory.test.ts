import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, describe, expect, it, vi } from "vitest";
import { defineMemory } from "../../src/cli/memory.ts";
import type { MemoryData } from "../../src/recovery/memory/memory-data.ts";

const folder = mkdtempSync(join(tmpdir(), "memory-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

/** Runs the command and returns what it printed on standard output and standard error. */
async function run(...words: string[]): Promise<{ readonly out: string; readonly err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const collect = (into: string[]) => (chunk: string | Uint8Array) => {
    into.push(String(chunk));
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(collect(out)),
    vi.spyOn(process.stderr, "write").mockImplementation(collect(err)),
  ];
  try {
    const program = new Command("calibrant").exitOverride().configureOutput({ writeErr: () => undefined });
    defineMemory(program);
    for (const group of program.commands)
      for (const command of [group, ...group.commands]) command.copyInheritedSettings(program);
    await program.parseAsync(["node", "calibrant", "memory", ...words]);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { out: out.join(""), err: err.join("") };
}

const memoryOf = (name: string): MemoryData => JSON.parse(readFileSync(at(name), "utf8"));

/** An episode that meets a timeout of get_order_details and then calls another tool. */
function episode(completed: 0 | 1 | null, next = "get_orders_for_user"): object {
  const call = (id: string, name: string): object => ({
    role: "assistant",
    tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
  });
  return {
    messages: [
      call("1", "get_order_details"),
      { role: "tool", tool_call_id: "1", content: "Error: request timed out after 30s" },
      call("2", next),
      { role: "tool", tool_call_id: "2", content: '{"orders":["a"]}' },
    ],
    completed,
  };
}

function rollouts(name: string, ...episodes: readonly object[]): string {
  writeFileSync(at(name), episodes.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return at(name);
}

const four = rollouts("four.jsonl", episode(1), episode(0, "get_order_details"), episode(null), {
  messages: null,
  completed: 1,
});

describe("calibrant memory", () => {
  it("learns, tells what it could not use, and is the same when run again", async () => {
    const { err } = await run("learn", four, "-o", at("m.json"));
    expect(err).toBe(
      "4 episodes: 2 met a failure and were learned from, 1 of them ended recovered\n" +
        "not learned from: 0 met none, 1 without an outcome (give `completed`, or --outcome calls), 1 unreadable\n" +
        "the memory knows 1 (tool, failure) pairs and 1 switches\n",
    );
    const text = readFileSync(at("m.json"), "utf8");
    const { out } = await run("learn", four, "-o", "-", "--quiet");
    expect(out).toBe(text);
    const json = await run("learn", four, "-o", at("m2.json"), "--json");
    expect(JSON.parse(json.out)).toEqual({
      rows: 4,
      recovered: 1,
      failed: 1,
      skipped: 1,
      clean: 0,
      unreadable: 1,
      pairs: 1,
      switches: 1,
    });
    expect(json.err).toBe("");
  });

  it("learns with an initial memory, alternatives, a prior and another outcome", async () => {
    await run("learn", four, "-o", at("p.json"), "--prior", "2,3", "--fallbacks", "tau2-retail", "--quiet");
    expect(memoryOf("p.json").prior).toEqual({ alpha: 2, beta: 3 });
    expect(memoryOf("p.json").switching).toEqual([]);
    expect(JSON.stringify(memoryOf("p.json").fallbacks)).not.toContain("get_orders_for_user");
    const alternatives = ["--fallbacks", "tau2-retail", "--with-alternatives"];
    await run("learn", four, "-o", at("p.json"), "--initial", at("p.json"), ...alternatives, "--quiet");
    const { recovery, switching, fallbacks } = memoryOf("p.json");
    const once = { recovered: 1, failed: 1 };
    expect(recovery).toEqual([
      { tool: "get_order_details", fault: "timeout", initial: once, observed: once },
    ]);
    expect(switching).toHaveLength(1);
    expect(fallbacks.get_order_details?.map(({ tool }) => tool)).toContain("get_orders_for_user");
    await run("learn", four, "-o", at("c.json"), "--outcome", "calls", "--quiet");
    expect(memoryOf("c.json").recovery[0]?.observed).toEqual({ recovered: 3, failed: 0 });
    const registry = { tools: ["a", "b"], equivalences: [{ tool: "a", alternatives: [{ tools: ["b"] }] }] };
    writeFileSync(at("registry.json"), JSON.stringify(registry));
    await run("learn", four, "-o", at("r.json"), "--fallbacks", at("registry.json"), "--quiet");
    expect(memoryOf("r.json").fallbacks.a?.[0]?.tool).toBe("b");
  });

  it("shows and renders a memory", async () => {
    await run("learn", four, "-o", at("m.json"), "--quiet");
    const { out } = await run("show", at("m.json"));
    expect(out).toContain("1 of 2 episodes that met a failure ended recovered; 1 more had no outcome.");
    expect(out).toMatch(/get_order_details +timeout +50\.0/);
    const json = JSON.parse((await run("show", at("m.json"), "--json", "--level", "0.5")).out);
    expect(json.recovery[0]).toMatchObject({
      tool: "get_order_details",
      alpha: 2,
      beta: 2,
      mean: 0.5,
      level: 0.5,
    });
    await run("show", at("m.json"), "-o", at("m.md"));
    expect(readFileSync(at("m.md"), "utf8")).toContain("orders\\_for\\_user");

    const block = (await run("render", at("m.json"))).out;
    expect(block).toMatch(
      /^## Tool memory\n[\s\S]*timeout: recovered in 1 of 2 episodes[\s\S]*path is spent.*\n$/,
    );
    const less = (await run("render", at("m.json"), "--min-observed", "2", "--tools", "get_order_details"))
      .out;
    expect(less.match(/recovered in/g)).toHaveLength(1);
    const tight = (await run("render", at("m.json"), "--max-tokens", "210")).out;
    expect(Math.ceil(tight.length / 4)).toBeLessThan(block.length / 4);
    await expect(run("render", at("m.json"), "--max-tokens", "5")).rejects.toThrow(
      /maxTokens must be at least \d+/,
    );
  });

  it("merges, also into one of the inputs, and refuses what does not belong together", async () => {
    await run("learn", four, "-o", at("a.json"), "--quiet");
    await run("learn", rollouts("one.jsonl", episode(1)), "-o", at("b.json"), "--quiet");
    await run("merge", at("a.json"), at("b.json"), "-o", at("ab.json"));
    await run("merge", at("b.json"), at("a.json"), "-o", at("a.json"));
    expect(readFileSync(at("a.json"), "utf8")).toBe(readFileSync(at("ab.json"), "utf8"));
    expect(memoryOf("a.json").recovery[0]?.observed).toEqual({ recovered: 2, failed: 1 });
    await run("learn", four, "-o", at("i.json"), "--initial", at("b.json"), "--quiet");
    await expect(run("merge", at("ab.json"), at("i.json"), "-o", "-")).rejects.toThrow(
      /i\.json: memories with different initial beliefs/,
    );
    await expect(run("merge", at("b.json"), at("b.json"), "-o", "-")).rejects.toThrow(/merged once/);
  });

  it("refuses what cannot be in one line, and leaves the files as they were", async () => {
    mkdirSync(at("empty"));
    writeFileSync(at("broken.json"), '{"version":1');
    writeFileSync(at("other.json"), '{"version":1,"update":"online"}');
    const none = rollouts("none.jsonl", { messages: null, completed: 1 });
    const before = readFileSync(four, "utf8");
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [["learn", four, "-o", four], /is one of the inputs/],
      [["learn", four, "-o", "-", "--json"], /--json and -o -/],
      [["learn", four, "-", "-o", at("x.json")], /standard input/],
      [
        ["learn", four, "-o", at("x.json"), "--prior", "0,1"],
        /prior.alpha must be a positive finite number, got 0/,
      ],
      [["learn", four, "-o", at("x.json"), "--prior", "1"], /uniform or alpha,beta/],
      [["learn", four, "-o", at("x.json"), "--with-alternatives"], /needs --fallbacks/],
      [
        ["learn", four, "-o", at("x.json"), "--initial", at("m.json"), "--prior", "1,1"],
        /prior and initial exclude/,
      ],
      [["learn", four, "-o", at("x.json"), "--initial", at("broken.json")], /broken\.json is not JSON/],
      [
        ["learn", four, "-o", at("x.json"), "--fallbacks", at("nowhere.json")],
        /no registry and no file is called .*nowhere\.json/,
      ],
      [["learn", none, "-o", at("x.json")], /no row holds a conversation to learn from; rows read: 1/],
      [["learn", four, "-o", at("x.json"), "--columns", "messages="], /messages/],
      [["learn", four, "-o", join(at("nofolder"), "x.json"), "--quiet"], /nofolder/],
      [["learn", four], /required option/],
      [["show", at("other.json")], /other\.json must be an object with .* got no prior/],
      [["show", at("m.json"), "--level", "1"], /level must be between 0 and 1/],
      [["show", at("m.json"), "-o", at("m.json")], /is one of the inputs/],
      [["render", at("empty")], /cannot read .*empty/],
    ];
    for (const [words, message] of cases)
      await expect(run(...words), words.join(" ")).rejects.toThrow(message);
    expect(readFileSync(four, "utf8")).toBe(before);
    expect(readdirSync(folder).filter((name) => name === "x.json" || name.includes("tmp"))).toEqual([]);
  });
});
