/** Any value in a message: one line, short. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value !== null && typeof value === "object") return "an object";
  if (typeof value !== "string") return String(value);
  const text = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return /^[\p{L}\p{N}\p{P}\p{S}]+( [\p{L}\p{N}\p{P}\p{S}]+)*$/u.test(text) ? text : JSON.stringify(text);
}
