import type { ColumnNeeds, ColumnRequest, FoundColumn } from "./columns.ts";

/**
 * The needs of a job that takes numbers for keys: a key whose column holds doubles everywhere (seeds that went through pandas, say)
 * is asked for as numbers.
 *
 * @param found the columns of each input
 */
export function withNumberKeys(
  { required, optional }: ColumnNeeds,
  found: readonly (readonly FoundColumn[])[],
): ColumnNeeds {
  const fit = (request: ColumnRequest): ColumnRequest => {
    const columns = found.flatMap((one) => one.filter(({ name }) => name === request.name));
    const holds = (kind: ColumnRequest["kind"]): boolean =>
      columns.every(({ kinds }) => kinds.includes(kind));
    return request.kind === "key" && !holds("key") && holds("number")
      ? { ...request, kind: "number" }
      : request;
  };
  return { required: required.map((alternatives) => alternatives.map(fit)), optional: optional.map(fit) };
}
