/** The sum of amounts in dollars, whole cents. */
export function sumOfMoney(amounts: Iterable<number>): number {
  let cents = 0;
  for (const amount of amounts) cents += Math.round(amount * 100);
  return cents / 100;
}
