import type { ColumnNeeds, ColumnRequest, FoundColumn, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import { checkedGold } from "./check-item.ts";
import type { SliceColumns } from "./compile-gold.ts";
import { cellValue, createIdCheck } from "./item-cells.ts";
import type { ToolFaultGold } from "./tool-fault-item.ts";

/** Gathers what scoring needs of a dataset: gold labels, and the columns that are sliced by. */
export interface GoldReader {
  readonly needs: ColumnNeeds;
  /**
   * Reads the rows of a batch.
   *
   * @param file - what errors call the source of a batch that does not know its places.
   * @throws CalibrantError `data` naming row and column of the first value that no item can have.
   */
  add(batch: RolloutBatch, file: string): void;
  /**
   * The items, in the order they came; the slicing columns are fields of theirs.
   *
   * @throws CalibrantError `data` listing the ids that occur more than once.
   */
  finish(): ToolFaultGold[];
}

/**
 * Creates a {@link GoldReader}.
 *
 * @param found the columns of each input of the dataset
 * @throws CalibrantError `option` for a slicing column that no input has, or that is no text, number or boolean.
 */
export function createGoldReader(
  found: readonly (readonly FoundColumn[])[],
  by: readonly SliceColumns[],
): GoldReader {
  const slices = [...new Set(by.flat())].map((name) => sliceColumn(name, found.flat()));
  const items: ToolFaultGold[] = [];
  const ids = createIdCheck();
  return {
    needs: {
      required: [
        [{ name: "id", kind: "key" }],
        [{ name: "fault_type", kind: "key" }],
        [{ name: "acceptable_next_actions", kind: "json" }],
        [{ name: "critical_next_actions", kind: "json" }],
      ],
      optional: [
        { name: "next_action", kind: "key" },
        { name: "is_hard_negative", kind: "number" },
        ...slices.map(({ request }) => request),
      ],
    },
    add(batch, file) {
      const firstRow = items.length;
      for (let row = 0; row < batch.rows; row++) {
        const place = batch.place?.(row) ?? `${file}: row ${firstRow + row}`;
        const cells = (name: string): unknown => cellValue(batch.columns.get(name), row);
        const item = checkedGold(cells, place);
        ids.add(item.id, place);
        const values = slices.map(({ request, isBoolean }) => {
          const value = cells(request.name);
          return [request.name, isBoolean && value !== null ? value !== 0 : value];
        });
        items.push({ ...Object.fromEntries(values), ...item });
      }
    },
    finish() {
      ids.finish();
      return items;
    },
  };
}

interface SliceColumn {
  readonly request: ColumnRequest;
  readonly isBoolean: boolean;
}

function sliceColumn(name: string, found: readonly FoundColumn[]): SliceColumn {
  const columns = found.filter((column) => column.name === name);
  if (columns.length === 0) {
    const known = [...new Set(found.map((column) => column.name))].join(", ");
    throw new CalibrantError("option", `the dataset has no column ${name} to slice by; it has ${known}`, {
      name,
    });
  }
  const kind = (["key", "number"] as const).find((one) => columns.every(({ kinds }) => kinds.includes(one)));
  if (kind === undefined) {
    const types = columns.map(({ type }) => type).join(", ");
    const message = `cannot slice by ${name}: its values must be text and integers, or numbers and booleans, found ${types}`;
    throw new CalibrantError("option", message, { name });
  }
  return { request: { name, kind }, isBoolean: columns.every(({ type }) => type === "bool") };
}
