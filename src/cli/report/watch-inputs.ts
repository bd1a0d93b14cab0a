import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { expandInputs } from "../../data/expand-inputs.ts";
import { errorMessage } from "../../errors.ts";

/** Looks after which inputs that never rest are read all the same. */
const RESTLESS_LOOKS = 10;

/** What a watch needs of the world. */
export interface WatchPorts {
  /** One turn for each look at the inputs; the watch ends with it. */
  readonly turns: AsyncIterable<unknown>;
  /** The state of the inputs: another text means that they changed. */
  readonly state: () => Promise<string>;
  readonly render: () => Promise<void>;
}

/**
 * Renders once, and again when the inputs changed and rested for one look, or have not rested for ten looks.
 * A change during a rendering is seen after it.
 */
export async function watchInputs({ turns, state, render }: WatchPorts): Promise<void> {
  let rendered = await state();
  await render();
  let last = rendered;
  let looks = 0;
  for await (const _ of turns) {
    const now = await state();
    const rests = now === last;
    last = now;
    looks = now === rendered ? 0 : looks + 1;
    if (looks === 0 || (!rests && looks < RESTLESS_LOOKS)) continue;
    looks = 0;
    rendered = now;
    await render();
  }
}

/** The state of files and glob patterns: names, sizes, times of change. One that cannot be looked at is a state too. */
export async function inputState(files: readonly string[]): Promise<string> {
  try {
    const states = (await expandInputs(files)).map(async (path) => {
      const { size, mtimeMs, ino } = await stat(path);
      return `${path}\0${size}\0${mtimeMs}\0${ino}`;
    });
    return (await Promise.all(states)).join("\n");
  } catch (error) {
    return errorMessage(error);
  }
}

/** A turn every so many seconds, counted from the end of what was done in the turn before. */
export async function* turnsEvery(seconds: number): AsyncGenerator<void> {
  for (;;) {
    await setTimeout(seconds * 1000);
    yield;
  }
}
