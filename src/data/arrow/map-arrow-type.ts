import type { Data, DataType, Field } from "apache-arrow";

type Arrow = typeof import("apache-arrow");

/** Another type for a leaf, or `undefined` to keep it. */
export type LeafChange = (leaf: DataType) => DataType | undefined;

/** A field whose leaves, at any depth of structs, lists and maps, have changed types; the same field when none did. */
export function mapFieldType(arrow: Arrow, field: Field, change: LeafChange): Field {
  const type = mapType(arrow, field.type as DataType, change);
  return type === field.type ? field : new arrow.Field(field.name, type, field.nullable, field.metadata);
}

function mapType(arrow: Arrow, type: DataType, change: LeafChange): DataType {
  const { DataType } = arrow;
  const inner = (type.children ?? []) as Field[];
  if (DataType.isDictionary(type) || inner.length === 0) return change(type) ?? type;
  const children = inner.map((child) => mapFieldType(arrow, child, change));
  if (children.every((child, i) => child === inner[i])) return type;
  const [item] = children as [Field];
  if (DataType.isStruct(type)) return new arrow.Struct(children);
  if (DataType.isList(type)) return new arrow.List(item);
  if (DataType.isLargeList(type)) return new arrow.LargeList(item);
  if (DataType.isFixedSizeList(type)) return new arrow.FixedSizeList(type.listSize, item);
  return DataType.isMap(type) ? new arrow.Map_(item as never, type.keysSorted) : type;
}

/** The same memory under a type that {@link mapFieldType} made; the changed leaves must have the same layout. */
export function relabelled(arrow: Arrow, data: Data, type: DataType): Data {
  if (type === data.type) return data;
  const fields = (type.children ?? []) as Field[];
  const children = arrow.DataType.isDictionary(type)
    ? data.children
    : data.children.map((child, i) => relabelled(arrow, child, (fields[i] as Field).type as DataType));
  // Given the array itself, `clone` keeps all its buffers, those of views too.
  return data.clone(type, data.offset, data.length, data.nullCount, data as never, children);
}
