import type { NoiseOptions } from "../../recovery/noise-profile.ts";
import type { Scenario } from "../../recovery/scenario/scenario.ts";

/** The options of `calibrant inject` as the parser gives them. */
export interface InjectFlags {
  readonly url?: string;
  readonly header?: readonly string[];
  readonly http?: number;
  readonly host: string;
  readonly allowRemote: boolean;
  readonly idle: number;
  readonly seed: number;
  readonly episode?: string;
  readonly task?: string;
  readonly model?: string;
  readonly registry?: string;
  readonly scenario?: Scenario;
  readonly block?: readonly string[];
  /** Probabilities, or the name of a file of them. */
  readonly noise?: NoiseOptions | string;
  readonly pClean?: number;
  readonly budget?: number;
  readonly maxConsecutive?: number;
  readonly rules?: string;
  readonly clean: boolean;
  readonly gold?: string;
  readonly check?: string;
  readonly checkTimeout: number;
  readonly output?: string;
  readonly log?: string;
  readonly maxRecorded: number;
  readonly quiet: boolean;
}
