import { expect, it } from "vitest";
import { confidenceFromNll, nllFromPpl, pplFromNll } from "../../src/uq/nll.ts";

it("pplFromNll is e^nll", () => {
  expect([...pplFromNll([0, 1, 1000, Number.NaN])]).toEqual([1, Math.E, Infinity, NaN]);
});

it("nllFromPpl is ln PPL, and NaN below 1 but for rounding", () => {
  expect([...nllFromPpl([1, Math.E, Infinity])]).toEqual([0, 1, Infinity]);
  expect([...nllFromPpl([0.9995, 0.99999999])]).toEqual([0, 0]);
  expect([...nllFromPpl([0.998, 0, -1, Number.NaN])]).toEqual([NaN, NaN, NaN, NaN]);
});

it("confidenceFromNll is the geometric mean of token probabilities", () => {
  expect([...confidenceFromNll([0, Math.LN2, Infinity])]).toEqual([1, 0.5, 0]);
  expect(confidenceFromNll([Number.NaN])[0]).toBeNaN();
});
