import { type Data, DataType, Vector } from "apache-arrow";

/** A double as the 16 hexadecimal digits of its big-endian form, any NaN as "nan". */
export function doubleDigits(value: number): string {
  if (Number.isNaN(value)) return "nan";
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/** A value of an Arrow array in the `arrow` rendering of test/golden/make-parquet-testing.py. */
export function arrowRendering(data: Data, index: number): unknown {
  const { type } = data;
  if (DataType.isNull(type) || !data.getValid(index)) return null;
  const get = (): unknown => new Vector([data]).get(index);
  if (
    DataType.isDictionary(type) ||
    DataType.isUtf8(type) ||
    DataType.isLargeUtf8(type) ||
    DataType.isBool(type)
  )
    return get();
  if (DataType.isInt(type)) return String(get());
  if (DataType.isFloat(type)) return doubleDigits(get() as number);
  if (DataType.isDecimal(type)) return unscaled(get() as Uint32Array);
  if (DataType.isTimestamp(type)) return microseconds(BigInt(data.values[index]), type.unit);
  if (DataType.isDate(type) || DataType.isTime(type)) return String(data.values[index]);
  return nested(data, index) ?? Buffer.from(get() as Uint8Array).toString("hex");
}

function nested(data: Data, index: number): unknown {
  const { type, children } = data;
  const range = (begin: number, end: number, read: (i: number) => unknown): unknown[] =>
    Array.from({ length: end - begin }, (_, i) => read(begin + i));
  const [child] = children as [Data];
  if (DataType.isStruct(type)) {
    return Object.fromEntries(
      type.children.map(({ name }, i) => [name, arrowRendering(children[i] as Data, index)]),
    );
  }
  if (DataType.isFixedSizeList(type)) {
    return range(index * type.listSize, (index + 1) * type.listSize, (i) => arrowRendering(child, i));
  }
  const [begin, end] = [Number(data.valueOffsets?.[index]), Number(data.valueOffsets?.[index + 1])];
  if (DataType.isList(type) || DataType.isLargeList(type))
    return range(begin, end, (i) => arrowRendering(child, i));
  if (!DataType.isMap(type)) return undefined;
  return range(begin, end, (i) => child.children.map((part) => arrowRendering(part, i)));
}

function unscaled(words: Uint32Array): string {
  const bits = words.length * 32;
  const value = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  return BigInt.asIntN(bits, value).toString();
}

function microseconds(value: bigint, unit: number): string {
  const perMicrosecond = 1000n;
  if (unit < 3) return String(value * ([1_000_000n, 1000n, 1n][unit] as bigint));
  const floor = value / perMicrosecond - (value % perMicrosecond < 0n ? 1n : 0n);
  return String(floor);
}
