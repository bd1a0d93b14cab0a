import type { FileFlags } from "./file-options.ts";
import type { FilePlan } from "./file-plan.ts";
import { openSeries, type TensorSeries } from "./tensor-series.ts";

/** The tensors of a run, open. */
export interface OpenTensors {
  readonly numbers: TensorSeries;
  readonly tokens: TensorSeries;
  readonly offsets: TensorSeries | null;
  readonly head: TensorSeries | null;
  readonly bias: TensorSeries | null;
  /** All files that are read. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

/** @throws CalibrantError as `openSeries`. */
export async function openTensors(options: FileFlags, plan: FilePlan): Promise<OpenTensors> {
  const opened: TensorSeries[] = [];
  const open = async (option: string, names: readonly string[]): Promise<TensorSeries> => {
    const series = await openSeries(option, names);
    opened.push(series);
    return series;
  };
  const maybe = (option: string, name: string | undefined): Promise<TensorSeries | null> =>
    name === undefined ? Promise.resolve(null) : open(option, [name]);
  const close = async (): Promise<void> => {
    for (const series of opened) await series.close();
  };
  try {
    const series = {
      numbers: await open(`--${plan.source}`, plan.numbers),
      tokens: await open("--tokens", plan.tokens),
      offsets: await maybe("--offsets", options.offsets),
      head: await maybe("--head", options.head),
      bias: await maybe("--bias", options.bias),
    };
    const paths = opened.flatMap(({ fingerprint }) => fingerprint.map(({ path }) => String(path)));
    return { ...series, paths, close };
  } catch (error) {
    await close();
    throw error;
  }
}
