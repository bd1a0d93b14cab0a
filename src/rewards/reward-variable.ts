/** A reward as formulas and columns name it: `trust_released`, for a minus has no place in a name. */
export function rewardVariable(name: string): string {
  return name.replaceAll("-", "_");
}
