import { expect, it } from "vitest";
import { nearestName } from "../../src/data/nearest-name.ts";

it("finds the most similar name", () => {
  expect(nearestName("certanty", ["ppl", "certainty", "margin"])).toBe("certainty");
  expect(nearestName("PPL", ["ppl", "npl"])).toBe("ppl");
  expect(nearestName("sqr", ["abs", "sqrt"])).toBe("sqrt");
});

it("finds nothing where nothing is similar", () => {
  expect(nearestName("reward", ["ppl", "iou"])).toBeNull();
  expect(nearestName("x", [])).toBeNull();
  expect(nearestName("ab", ["xy"])).toBeNull();
});
