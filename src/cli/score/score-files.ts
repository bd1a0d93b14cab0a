import type { ByteSink } from "../../data/byte-sink.ts";
import { inputTasks } from "../input/input-tasks.ts";
import { runOrdered } from "./ordered-pool.ts";
import { createPartSpool, type PartSpool } from "./part-spool.ts";
import { passInput } from "./pass-items.ts";
import { createRowCursor, type RowCursor } from "./row-cursor.ts";
import type { OutputFormat } from "./score-options.ts";
import { addRows, finishRows, type ScoreRun } from "./score-run.ts";
import { openScoredTarget, type PassItem, type TargetPlan } from "./scored-target.ts";

/** An output that is open for writing. */
export interface ScoreOutput {
  readonly sink: ByteSink;
  readonly format: OutputFormat;
  readonly target: TargetPlan;
}

/**
 * Scores files that can be read twice: once to score rows and complete groups wherever their rows lie, once more
 * to carry the input's columns into the output beside the new ones. Memory grows with the groups, not the rows.
 */
export async function scoreFiles(run: ScoreRun, output: ScoreOutput | null): Promise<void> {
  const spool = createPartSpool(run.plan.width, `${process.pid}`);
  try {
    await scoreRows(run, spool);
    for await (const { kept, groups } of spool.read()) run.state.addRewards(kept, groups);
    if (output === null) {
      for await (const { kept, groups } of spool.read()) finishRows(run, kept, groups);
      return;
    }
    run.progress.stage("writing");
    const cursor = createRowCursor(spool.read(), run.plan.width);
    await writeOutput(run, cursor, output);
    await cursor.end();
  } finally {
    await spool.close();
  }
}

async function scoreRows(run: ScoreRun, spool: PartSpool): Promise<void> {
  const tasks = inputTasks(run.inputs, run.sources);
  for await (const rows of runOrdered(tasks, run.plan, run.poolPlan, run.options.jobs)) {
    await spool.append({ kept: rows.kept, groups: addRows(run, rows) });
  }
}

async function writeOutput(run: ScoreRun, cursor: RowCursor, output: ScoreOutput): Promise<void> {
  const take = async (rows: number): Promise<ReturnType<typeof finishRows>> => {
    const { kept, groups } = await cursor.take(rows);
    return finishRows(run, kept, groups);
  };
  if (output.format === "parquet" && run.inputs.every((input) => input.format === "parquet")) {
    const { spliceParquet } = await import("../../data/parquet/splice-parquet.ts");
    const paths = run.inputs.map((input) => input.path as string);
    await spliceParquet(paths, output.sink, { added: output.target.outputs, take, note: output.target.note });
    return;
  }
  const pass = await passInput(run.inputs, output.format !== "jsonl");
  const target = await openScoredTarget(output.format, output.sink, output.target, pass.schema);
  for await (const item of pass.items()) await writeItem(item);
  await target.close();

  async function writeItem(item: PassItem): Promise<void> {
    await target.write(item, await take(await target.rowsOf(item)));
  }
}
