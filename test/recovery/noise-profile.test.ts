import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkNoiseProfile,
  DEFAULT_NOISE,
  drawFault,
  NOISE_NAMES,
  type NoiseOptions,
  type NoiseProfile,
  noiseProfile,
} from "../../src/recovery/noise-profile.ts";
import { FAULT_KINDS } from "../../src/types.ts";

const ZERO = Object.fromEntries(NOISE_NAMES.map((name) => [name, 0])) as NoiseProfile;

describe("noiseProfile", () => {
  it("is Table 7 without options and with its own share of clean calls", () => {
    expect(noiseProfile()).toEqual(DEFAULT_NOISE);
    expect(noiseProfile({ clean: 0.6 })).toEqual(DEFAULT_NOISE);
  });

  it("scales the nine kinds in their proportions when only clean is given", () => {
    expect(noiseProfile({ clean: 0.8 })).toEqual({
      clean: 0.8,
      timeout: 0.03,
      rate_limit: 0.025,
      server_error: 0.025,
      malformed_response: 0.02,
      auth_error: 0.015,
      schema_drift: 0.015,
      partial: 0.025,
      stale: 0.02,
      factual_error: 0.025,
    });
    expect(noiseProfile({ clean: 1 })).toEqual({ ...ZERO, clean: 1 });
    expect(noiseProfile({ clean: 0 }).timeout).toBe(0.15);
  });

  it("takes kinds as they are: alone, clean is the rest; with clean, the other kinds share the rest", () => {
    expect(noiseProfile({ timeout: 1 })).toEqual({ ...ZERO, timeout: 1 });
    expect(noiseProfile({ timeout: 0.2, stale: 0.1 })).toEqual({
      ...ZERO,
      clean: 0.7,
      timeout: 0.2,
      stale: 0.1,
    });
    expect(noiseProfile({ clean: 0.5, timeout: 0.5 })).toEqual({ ...ZERO, clean: 0.5, timeout: 0.5 });
    const shared = noiseProfile({ clean: 0.6, timeout: 0.23 });
    expect([shared.timeout, shared.rate_limit, shared.schema_drift]).toEqual([0.23, 0.025, 0.015]);
  });

  it("refuses what cannot become a profile, in one line", () => {
    const refusal = (options: object) => () => noiseProfile(options as NoiseOptions);
    expect(refusal({ timout: 0.1 })).toThrow("noiseProfile has no option timout: did you mean timeout?");
    expect(refusal({ clean: "0.8" })).toThrow('noiseProfile: clean must be a number in [0, 1], got "0.8"');
    expect(refusal({ stale: Number.NaN })).toThrow("noiseProfile: stale must be a number in [0, 1], got NaN");
    expect(refusal({ clean: 0.8, timeout: 0.3 })).toThrow(
      "noiseProfile: the probabilities given must sum to at most 1: lower clean, timeout, got a sum of 1.1",
    );
    expect(refusal({ ...ZERO, clean: 0.5, stale: 0.2 })).toThrow(
      "noiseProfile must sum to 1: set clean to 0.8, or leave clean out of noiseProfile({ … }), got a sum of 0.7",
    );
  });

  it("always makes a profile that passes the check, with what was given untouched", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...FAULT_KINDS)),
        fc.array(share, { minLength: 9, maxLength: 9 }),
        fc.option(share),
        (kinds, parts, clean) => {
          // Scaled so that the kinds given fit beside clean; the tenth part keeps the sum of them below it.
          const room = clean === null ? 1 : 1 - clean;
          const total = kinds.reduce((sum, _, i) => sum + (parts[i] as number), 0) + 1;
          const given = Object.fromEntries(
            kinds.map((kind, i) => [kind, (room * (parts[i] as number)) / total]),
          );
          if (clean !== null && kinds.length === 9) return;
          const profile = noiseProfile(clean === null ? given : { ...given, clean });
          checkNoiseProfile(profile);
          expect(profile).toMatchObject(given);
        },
      ),
    );
  });
});

describe("checkNoiseProfile", () => {
  it("accepts the default, and sums within 1e-9", () => {
    expect(() => checkNoiseProfile(DEFAULT_NOISE)).not.toThrow();
    expect(() => checkNoiseProfile({ ...DEFAULT_NOISE, clean: 0.6 + 9e-10 })).not.toThrow();
    expect(() => checkNoiseProfile({ ...DEFAULT_NOISE, clean: 0.6 + 2e-9 })).toThrow("must sum to 1");
  });

  it("says what is wrong and how to mend it", () => {
    const { stale: _stale, clean: _clean, ...lacking } = DEFAULT_NOISE;
    const cases: [unknown, string][] = [
      [
        { ...DEFAULT_NOISE, clean: 0.5 },
        "noise must sum to 1: set clean to 0.6, or leave clean out of noiseProfile({ … }), got a sum of 0.9",
      ],
      [
        { ...DEFAULT_NOISE, timeout: 0.9 },
        "noise must sum to 1: the nine kinds alone sum to 1.24; noiseProfile({ clean: 0.6 }) scales those of Table 7, got a sum of 1.84",
      ],
      [
        lacking,
        "noise must give all ten probabilities, or let noiseProfile({ … }) fill up the ones you have; missing clean, stale",
      ],
      [{ ...DEFAULT_NOISE, timeouts: 0 }, "noise has no option timeouts: did you mean timeout?"],
      [{ ...DEFAULT_NOISE, timeout: null }, "noise: timeout must be a number in [0, 1], got null"],
      [{ ...DEFAULT_NOISE, timeout: -0.06 }, "noise: timeout must be a number in [0, 1], got -0.06"],
      [null, "noise must be an object of ten probabilities, as noiseProfile({ clean: 0.8 }) makes, got null"],
    ];
    for (const [profile, message] of cases) expect(() => checkNoiseProfile(profile)).toThrow(message);
    expect(() => checkNoiseProfile(null, "toolNoise.search")).toThrow("toolNoise.search must be an object");
  });
});

describe("drawFault", () => {
  const LAST = 1 - 2 ** -53;

  it("inverts the cumulative distribution: clean, then Table 7", () => {
    const draws = [
      0,
      0.599,
      0.6001,
      0.659,
      0.6601,
      0.7101,
      0.7601,
      0.8001,
      0.8301,
      0.8601,
      0.9101,
      0.9501,
      LAST,
    ];
    expect(draws.map((u) => drawFault(DEFAULT_NOISE, u))).toEqual([
      "clean",
      "clean",
      "timeout",
      "timeout",
      "rate_limit",
      "server_error",
      "malformed_response",
      "auth_error",
      "schema_drift",
      "partial",
      "stale",
      "factual_error",
      "factual_error",
    ]);
  });

  it("never draws a name of probability 0, at either end", () => {
    const some = noiseProfile({ clean: 0, stale: 0.1, factual_error: 0, timeout: 0 });
    expect([drawFault(some, 0), drawFault(some, LAST)]).toEqual(["rate_limit", "stale"]);
    const thirds = noiseProfile({ clean: 0.1, timeout: 0.2, partial: 0.7 });
    expect(drawFault(thirds, LAST)).toBe("partial");
    // Short of 1 by what the check lets pass.
    const short = { ...ZERO, rate_limit: 1 - 9e-10 };
    checkNoiseProfile(short);
    expect(drawFault(short, LAST)).toBe("rate_limit");
  });

  it("refuses a number outside [0, 1)", () => {
    expect(() => drawFault(DEFAULT_NOISE, 1)).toThrow("drawFault: u must be in [0, 1), got 1");
    expect(() => drawFault(DEFAULT_NOISE, Number.NaN)).toThrow("got NaN");
  });
});
