/** One cell of a table. */
export interface TableCell {
  /** The rounded number, or a text. */
  readonly text: string;
  /** The interval, or what else belongs in small print; empty = nothing. */
  readonly detail: string;
  /** The number to sort by in full precision; null = sort by the text. */
  readonly sort: number | null;
  /** Why there is no number; null when there is one. */
  readonly missing: string | null;
}

/** One column of a table. */
export interface TableColumn {
  readonly title: string;
  /** What it is, in a sentence; units included. */
  readonly meaning: string;
  readonly kind: "number" | "text";
}

/** One row: a name, and a cell for every column. */
export interface TableRow {
  readonly label: string;
  readonly cells: readonly TableCell[];
}

/** One table with a heading. */
export interface DocumentTable {
  /** Unique in the document: lower-case letters, digits and dashes. */
  readonly id: string;
  readonly title: string;
  /** Heading of the first column, which names the rows. */
  readonly rowTitle: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Sentences below the table: conventions, what was left out. */
  readonly notes: readonly string[];
}

/** The results of a benchmark, ready to be written as HTML, Markdown or for a terminal. */
export interface TableDocument {
  readonly title: string;
  /** One sentence that answers the question; empty = none. */
  readonly headline: string;
  /** What needs attention, a sentence each. */
  readonly warnings: readonly string[];
  readonly tables: readonly DocumentTable[];
  /** How it was made: name and value, as `seed` and `0`. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}
