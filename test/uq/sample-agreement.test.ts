import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../src/errors.ts";
import { agreementConfidence, sampleAgreement } from "../../src/uq/sample-agreement.ts";

describe("sampleAgreement", () => {
  it("describes the decisions of each group", () => {
    const result = sampleAgreement([1, 2, 1, 0, -1, 3, Number.NaN, -1], [0, 0, 0, 0, 0, 2, 2, 3]);
    expect([...result.n]).toEqual([4, 0, 1, 0]);
    expect([...result.missing]).toEqual([1, 0, 1, 1]);
    expect([...result.distinct]).toEqual([3, 0, 1, 0]);
    expect([...result.majority]).toEqual([1, -1, 3, -1]);
    expect([...result.agreement]).toEqual([0.5, NaN, 1, NaN]);
    // Shares 1/2, 1/4, 1/4: 1.5·ln 2.
    expect(result.entropy[0]).toBeCloseTo(1.5 * Math.LN2, 14);
    expect([...result.entropy.slice(1)]).toEqual([NaN, 0, NaN]);
  });

  it("takes the smallest of equally frequent codes", () => {
    expect(sampleAgreement([3, 1, 1, 3], [0, 0, 0, 0]).majority[0]).toBe(1);
  });

  it("leaves rows without a group out", () => {
    expect([...sampleAgreement([1, 1], [-1, 0]).n]).toEqual([1]);
    expect(sampleAgreement([], []).n.length).toBe(0);
  });

  it("refuses codes that are none, and lists of two lengths", () => {
    expect(() => sampleAgreement([0.5], [0])).toThrow(/^codes\[0\] must be a whole number.*got 0\.5$/);
    expect(() => sampleAgreement([0], [-2])).toThrow(/^groups\[0\].*got -2$/);
    expect(() => sampleAgreement([0, 1], [0])).toThrow(CalibrantError);
  });
});

describe("agreementConfidence", () => {
  it("is the share of the group that decided alike", () => {
    const confidence = agreementConfidence([1, 2, 1, 1, -1, 5, 5], [0, 0, 0, 0, 0, 1, -1]);
    expect([...confidence]).toEqual([0.75, 0.25, 0.75, 0.75, NaN, 1, NaN]);
  });

  it("averages to the sum of squared shares, and peaks at the agreement", () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: -1, max: 4 }), fc.integer({ min: 0, max: 3 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(rows, (list) => {
        const codes = list.map(([code]) => code);
        const groups = list.map(([, group]) => group);
        const confidence = agreementConfidence(codes, groups);
        const { agreement, majority } = sampleAgreement(codes, groups);
        for (const [i, code] of codes.entries()) {
          const group = groups[i] as number;
          const alike = codes.filter((other, j) => groups[j] === group && other === code).length;
          const n = codes.filter((other, j) => groups[j] === group && other >= 0).length;
          if (code < 0) expect(confidence[i]).toBeNaN();
          else expect(confidence[i]).toBe(alike / n);
          if (code === majority[group] && code >= 0) expect(confidence[i]).toBe(agreement[group]);
        }
      }),
    );
  });
});
