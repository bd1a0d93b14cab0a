/**
 * Plain data as JSON text that ends with a line feed: numbers in full precision, NaN and infinities as the strings "NaN",
 * "Infinity", "-Infinity".
 *
 * @param space spaces of indentation; 0: one line
 */
export function indentedJson(value: unknown, space: number): string {
  return `${JSON.stringify(value, (_key, item) => asText(item), space)}\n`;
}

function asText(value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
