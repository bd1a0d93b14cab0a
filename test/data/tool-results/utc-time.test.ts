import { describe, expect, it } from "vitest";
import { utcTime } from "../../../src/data/tool-results/utc-time.ts";

describe("utcTime", () => {
  it("reads ISO 8601, in UTC where no zone is given", () => {
    const expected = Date.UTC(2026, 4, 12, 15, 30);
    for (const text of [
      "2026-05-12T15:30:00Z",
      "2026-05-12 15:30",
      "2026-05-12T17:30:00.000+02:00",
      "2026-05-12T15:30:00 UTC",
    ])
      expect(utcTime(text), text).toBe(expected);
    expect(utcTime("2026-05-12T11:30:00-0400")).toBe(expected);
    expect(utcTime("2026-05-12")).toBe(Date.UTC(2026, 4, 12));
    for (const text of ["", "May 12", "2026-13-01", "12:00", "20260512"])
      expect(utcTime(text), text).toBeNaN();
  });
});
