import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inputState, watchInputs } from "../../../src/cli/report/watch-inputs.ts";
import { temporaryFolder } from "../../e2e/run-cli.ts";

/** The looks after which a watch renders, when the inputs are in these states at its looks (0 = before the first). */
async function renderedAt(states: readonly string[]): Promise<number[]> {
  const rendered: number[] = [];
  let look = 0;
  async function* turns(): AsyncGenerator<void> {
    for (look = 1; look < states.length; look += 1) yield;
  }
  await watchInputs({
    turns: turns(),
    state: async () => states[look] as string,
    render: async () => void rendered.push(look),
  });
  return rendered;
}

describe("watchInputs", () => {
  it("renders once for inputs that do not change", async () => {
    expect(await renderedAt(["a"])).toEqual([0]);
    expect(await renderedAt(["a", "a", "a"])).toEqual([0]);
  });

  it("renders after a change that rests for one look", async () => {
    expect(await renderedAt(["a", "b", "b", "b"])).toEqual([0, 2]);
    expect(await renderedAt(["a", "a", "b", "c", "c", "c", "d", "d"])).toEqual([0, 4, 7]);
  });

  it("does not render when the inputs are as they were", async () => {
    expect(await renderedAt(["a", "b", "a", "a", "a"])).toEqual([0]);
  });

  it("renders inputs that never rest after ten looks", async () => {
    const restless = Array.from({ length: 25 }, (_, look) => `state ${look}`);
    expect(await renderedAt(restless)).toEqual([0, 10, 20]);
  });

  it("sees a change that happened while it rendered", async () => {
    let state = "a";
    const rendered: string[] = [];
    async function* turns(): AsyncGenerator<void> {
      yield;
      yield;
    }
    await watchInputs({
      turns: turns(),
      state: async () => state,
      render: async () => {
        rendered.push(state);
        state = "b";
      },
    });
    expect(rendered).toEqual(["a", "b"]);
  });

  it("ends with the failure of a rendering", async () => {
    async function* turns(): AsyncGenerator<void> {}
    const render = async (): Promise<void> => {
      throw new Error("no such column");
    };
    await expect(watchInputs({ turns: turns(), state: async () => "", render })).rejects.toThrow(
      "no such column",
    );
  });
});

describe("inputState", () => {
  const folder = temporaryFolder();

  it("changes when a file grows, and when a pattern matches another file", async () => {
    const pattern = join(folder, "step-*.jsonl");
    const states = [await inputState([pattern])];
    writeFileSync(join(folder, "step-1.jsonl"), "{}\n");
    states.push(await inputState([pattern]));
    expect(await inputState([pattern])).toBe(states[1]);
    appendFileSync(join(folder, "step-1.jsonl"), "{}\n");
    states.push(await inputState([pattern]));
    writeFileSync(join(folder, "step-2.jsonl"), "{}\n");
    states.push(await inputState([pattern]));
    expect(new Set(states).size).toBe(4);
    expect(states[0]).toContain("no file matches");
  });
});
