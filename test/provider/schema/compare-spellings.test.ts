/** Earlier versions accepted fields of open objects in the API's spelling, so state has them. */
import { z } from "zod";
import { diffPaths, isEqual } from "../../../provider/schema/compare";
import { mergeRemote } from "../../../provider/schema/mapping";

describe("A field in the API's spelling", () => {
  const open = z.looseObject({ oneField: z.string().optional() });
  const [spelled, named] = [{ one_field: "a" }, { oneField: "a" }];

  it("is the field in an open object, unless that has both", () => {
    expect(isEqual(open, spelled, named)).toBe(true);
    expect(diffPaths(open, named, spelled)).toEqual([]);
    expect(diffPaths(open, named, { one_field: "b" })).toEqual(["oneField"]);
    expect(diffPaths(open, named, { ...named, one_field: "b" })).toEqual(["one_field"]);
  });

  it("keeps its spelling in the declared inputs, with the value of the server", () => {
    expect(mergeRemote(open, spelled, named)).toEqual(spelled);
    expect(mergeRemote(open, spelled, { oneField: "b" })).toEqual({ one_field: "b" });
  });

  it("is a key as any other in a map", () => {
    expect(diffPaths(z.record(z.string(), z.string()), spelled, named)).toEqual(["one_field", "oneField"]);
  });
});
