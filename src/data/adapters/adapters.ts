import { CalibrantError } from "../../errors.ts";
import type { FileFormat } from "../file-format.ts";
import { jsonDocuments } from "../jsonl/json-documents.ts";
import { fromOpenAi } from "./from-openai.ts";
import { fromTauBench } from "./from-tau-bench.ts";
import { fromTau2 } from "./from-tau2.ts";
import type { RolloutRow, RowAdapter } from "./row-adapter.ts";

/** The sources that can be read besides our own columns, and how to get their adapter. */
export const ADAPTERS: Readonly<Record<string, () => Promise<RowAdapter>>> = {
  openai: fromOpenAi,
  "tau-bench": fromTauBench,
  tau2: fromTau2,
};

/**
 * The rollouts of a JSON or JSON Lines source, in order, one at a time.
 *
 * @param name - how errors name the source.
 * @param format - what the bytes are; an array, one object and JSON Lines are all read alike.
 * @param from - a name of {@link ADAPTERS}; null gives the records as they are.
 * @throws CalibrantError `usage` for an unknown adapter or a binary format; `data` for broken JSON, or a record without
 * the source's shape, naming file and record.
 */
export async function* adaptRecords(
  source: AsyncIterable<Uint8Array>,
  name: string,
  format: FileFormat,
  from: string | null,
): AsyncGenerator<RolloutRow> {
  const adapter = from === null ? null : await loadAdapter(from);
  if (format !== "json" && format !== "jsonl") {
    throw new CalibrantError("usage", `${name}: --from ${from} reads JSON or JSON Lines, found ${format}`, {
      name,
    });
  }
  for await (const { value, place } of jsonDocuments(source, name)) {
    if (adapter === null) yield value;
    else yield* adapter(value, place);
  }
}

/**
 * The adapter of a source.
 *
 * @throws CalibrantError `usage` naming the sources that are known.
 */
export async function loadAdapter(name: string): Promise<RowAdapter> {
  const load = Object.hasOwn(ADAPTERS, name) ? ADAPTERS[name] : undefined;
  if (load !== undefined) return load();
  throw new CalibrantError(
    "usage",
    `--from: expected one of ${Object.keys(ADAPTERS).join(", ")}, got ${name}`,
  );
}
