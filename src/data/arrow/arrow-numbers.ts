import { type Data, DataType, Precision, util } from "apache-arrow";
import { codeReader, dictionaryOf, validityOf } from "./arrow-layout.ts";
import { decimalText, unscaledDecimal } from "./arrow-scalars.ts";

/**
 * The values from `begin` to `end` of a numeric array as doubles, NaN where missing. 64-bit integers and decimals
 * give the nearest double, booleans 1 and 0. Doubles without nulls are not copied: never write to the result.
 *
 * @param data - an array of a type that {@link isNumberType} accepts.
 */
export function numbersFromArrow(data: Data, begin = 0, end: number = data.length): Float64Array {
  const { type } = data;
  if (DataType.isNull(type)) return new Float64Array(end - begin).fill(Number.NaN);
  const isValid = validityOf(data);
  const shared = DataType.isFloat(type) && type.precision === Precision.DOUBLE;
  if (shared && isValid === null) return (data.values as Float64Array).subarray(begin, end);
  const numbers = shared ? (data.values as Float64Array).slice(begin, end) : convert(data, begin, end);
  if (isValid !== null) {
    for (let i = begin; i < end; i += 1) if (!isValid(i)) numbers[i - begin] = Number.NaN;
  }
  return numbers;
}

function convert(data: Data, begin: number, end: number): Float64Array {
  const { type } = data;
  if (DataType.isInt(type))
    return type.bitWidth === 64 ? fromBigInts(data, begin, end) : fromNumbers(data, begin, end);
  if (DataType.isFloat(type) && type.precision === Precision.SINGLE) return fromNumbers(data, begin, end);
  return fromReader(numberReader(data), begin, end);
}

function numberReader(data: Data): (index: number) => number {
  const { type, values, offset } = data;
  if (DataType.isBool(type)) return (i) => ((values[(offset + i) >> 3] as number) >> ((offset + i) & 7)) & 1;
  if (DataType.isFloat(type)) return (i) => util.uint16ToFloat64(values[i] as number);
  if (DataType.isDecimal(type)) return decimalReader(data, type.scale);
  const code = codeReader(data);
  const numbers = dictionaryNumbers(data);
  return (i) => numbers[code(i)] ?? Number.NaN;
}

/** Exact integers below 2^53 divided by an exact power of ten round once; beyond, the decimal digits decide. */
function decimalReader(data: Data, scale: number): (index: number) => number {
  const divisor = 10 ** scale;
  return (index) => {
    const unscaled = unscaledDecimal(data, index);
    const number = Number(unscaled);
    if (scale >= 0 && scale <= 22 && Number.isSafeInteger(number)) return number / divisor;
    return Number(decimalText(unscaled, scale));
  };
}

function dictionaryNumbers(data: Data): Float64Array {
  const dictionary = dictionaryOf(data);
  const numbers = new Float64Array(dictionary.length);
  let at = 0;
  for (const chunk of dictionary.data) {
    numbers.set(numbersFromArrow(chunk), at);
    at += chunk.length;
  }
  return numbers;
}

function fromNumbers(data: Data, begin: number, end: number): Float64Array {
  return Float64Array.from((data.values as Float32Array).subarray(begin, end));
}

function fromBigInts(data: Data, begin: number, end: number): Float64Array {
  const values = data.values as BigInt64Array;
  const numbers = new Float64Array(end - begin);
  for (let i = begin; i < end; i += 1) numbers[i - begin] = Number(values[i]);
  return numbers;
}

function fromReader(read: (index: number) => number, begin: number, end: number): Float64Array {
  const numbers = new Float64Array(end - begin);
  for (let i = begin; i < end; i += 1) numbers[i - begin] = read(i);
  return numbers;
}
