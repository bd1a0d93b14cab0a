/** A picture of a report as a Vega-Lite specification with its data inside. */
export interface Plot {
  /** Unique in a report, fit for a file name: `distributions-0`, `reliability-2`, `trend`. */
  readonly id: string;
  readonly kind:
    | "distributions"
    | "reliability"
    | "risk-coverage"
    | "certainty-margin"
    | "trend"
    | "overview";
  readonly title: string;
  /** What is to be seen, in a sentence with the numbers: the accessible name of the figure. */
  readonly description: string;
  /** Label of the slice that it shows; null for a picture of several. */
  readonly slice: string | null;
  /** Vega-Lite 6 specification with portable colours. */
  readonly spec: Readonly<Record<string, unknown>>;
}
