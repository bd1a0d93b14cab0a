import { actionOf, faultOf, UNPARSED } from "./answer-codes.ts";
import type { CompiledGold } from "./compile-gold.ts";

/** Whether the answer to an item has the right fault type; an answer that is none never has. */
export function rightFault(gold: CompiledGold, item: number, code: number): boolean {
  return code < UNPARSED && faultOf(code) === gold.fault[item];
}

/** Whether the answer to an item has an acceptable action; an answer that is none never has. */
export function rightAction(gold: CompiledGold, item: number, code: number): boolean {
  return code < UNPARSED && (((gold.acceptable[item] as number) >> actionOf(code)) & 1) === 1;
}
