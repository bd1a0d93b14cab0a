import type { InjectionRecord } from "./injection-record.ts";

/** Whether the agent could notice an injection: not so where a silent fault found nothing that it may change. */
export function hadEffect({ executed, changes }: InjectionRecord): boolean {
  return !executed || changes.length > 0;
}
