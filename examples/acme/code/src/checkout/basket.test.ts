import { describe, expect, it } from "vitest";

describe("a basket", () => {
  it("keeps its lines in the order in which they were put in", () => {
    expect(basketOf("tea", "mug").lines).toEqual(["tea", "mug"]);
  });
});
