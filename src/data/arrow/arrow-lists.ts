import { type Data, DataType, Precision } from "apache-arrow";
import type { NumericArray } from "../../types.ts";
import type { ListColumn } from "../columns.ts";
import { offsetsOf, validBytes } from "./arrow-layout.ts";
import { numbersFromArrow } from "./arrow-numbers.ts";

/** Positions in a list column are Int32. */
const MOST_VALUES = 2 ** 31 - 1;

/**
 * A column of lists of numbers, in any list layout, as values and offsets. Values of 32- and 64-bit floats are the
 * array's own memory (never write to them); everything else becomes doubles. Missing elements are marked in
 * `valueValid`; what `values` holds there has no meaning.
 *
 * @throws RangeError when one batch holds more than 2^31 - 1 elements.
 */
export function listsFromArrow(data: Data): ListColumn {
  if (DataType.isNull(data.type)) {
    const offsets = new Int32Array(data.length + 1);
    return { kind: "list", values: new Float64Array(0), offsets, rowValid: new Uint8Array(data.length) };
  }
  const positions = offsetsOf(data);
  const begin = positions[0] as number;
  const end = positions[data.length] as number;
  if (end - begin > MOST_VALUES)
    throw new RangeError(`one batch holds more than 2^31 - 1 list elements: ${end - begin}`);
  const child = data.children[0] as Data;
  const rowValid = validBytes(data, 0, data.length);
  const valueValid = validBytes(child, begin, end);
  return {
    kind: "list",
    values: listValues(child, begin, end),
    offsets: rebased(positions, begin),
    ...(rowValid === undefined ? {} : { rowValid }),
    ...(valueValid === undefined ? {} : { valueValid }),
  };
}

function listValues(child: Data, begin: number, end: number): NumericArray {
  const { type, values } = child;
  if (DataType.isFloat(type) && type.precision !== Precision.HALF) {
    return (values as Float32Array | Float64Array).subarray(begin, end);
  }
  return numbersFromArrow(child, begin, end);
}

/** Offsets counted from the first list's begin: those of a sliced array point into the middle of its values. */
function rebased(positions: Int32Array | Float64Array, begin: number): Int32Array {
  if (begin === 0 && positions instanceof Int32Array) return positions;
  return Int32Array.from(positions, (position) => position - begin);
}
