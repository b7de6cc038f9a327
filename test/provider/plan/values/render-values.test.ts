/** How a preview writes an old and a new value. */
import { UNKNOWN } from "../../../../provider/plan/property-values";
import { changedValues, quoteValue, shortenChange } from "../../../../provider/plan/render";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { definitionOf } from "../plans";

const [deployment, thread] = [definitionOf("Deployment"), definitionOf("Thread")];

const REPOSITORY = "registry.example.com:5000/team/agent";

it.each([
  [`${REPOSITORY}:1.0.0`, `${REPOSITORY}:1.1.0`, "1.0.0 -> 1.1.0"],
  [
    `${REPOSITORY}@sha256:${"a1".repeat(32)}`,
    `${REPOSITORY}@sha256:${"b2".repeat(32)}`,
    "a1a1a1a1a1a1a1a1… -> b2b2b2b2b2b2b2b2…",
  ],
  [`${REPOSITORY}`, `${REPOSITORY}:2`, "agent -> agent:2"],
  ["one.example.com/agent:1", "two.example.com/agent:1", "one.example.com/agent:1 -> two.example.com/agent:1"],
  ["main", "refs/tags/v1", "main -> refs/tags/v1"],
  ["agent", "my agent; in place: x", 'agent -> "my agent; in place: x"'],
  ["1", "10", "1 -> 10"],
])("Changed value: %s and %s are shown without their common prefix", (before, after, displayed) => {
  const short = shortenChange({ path: "p", before, after });
  expect(`${quoteValue(short.before)} -> ${quoteValue(short.after)}`).toBe(displayed);
});

describe("The values of a change", () => {
  const spec = (resourceSpec: PropertyMap) => dockerDeployment({ sourceConfig: { resourceSpec } });
  const path = "sourceConfig.resourceSpec.x";
  const changeOf = (before: PropertyMap, after: PropertyMap, secretInputs?: readonly string[]) => ({
    definition: deployment,
    before,
    after,
    options: { now: 0, ...(secretInputs && { secretInputs }) },
  });

  it.each([
    [1, 2, { path, before: "1", after: "2" }],
    [false, true, { path, before: "false", after: "true" }],
    ["a", "b", { path, before: "a", after: "b" }],
  ])("%p and %p are shown", (before, after, shown) => {
    expect(changedValues(changeOf(spec({ x: before }), spec({ x: after })), [path])).toEqual([shown]);
  });

  it.each([
    [undefined, "b"],
    ["a", undefined],
    ["", "b"],
    ["a", UNKNOWN],
    ["[secret]", "b"],
    [{ a: 1 }, { a: 2 }],
    [null, 1],
  ])("%j and %j are not shown", (before, after) => {
    expect(changedValues(changeOf(spec({ x: before }), spec({ x: after })), [path])).toEqual([]);
  });

  it("are not shown for paths that are secret, marked secret or not listed", () => {
    const [before, after] = [spec({ x: 1 }), spec({ x: 2 })];
    expect(changedValues(changeOf(before, after, ["sourceConfig"]), [path])).toEqual([]);
    expect(changedValues(changeOf(before, after, ["secrets"]), [path])).toHaveLength(1);
    const waits = [dockerDeployment({ waitFor: "a" }), dockerDeployment({ waitFor: "b" })] as const;
    expect(changedValues(changeOf(...waits), ["waitFor"])).toEqual([]);
    expect(changedValues({ ...changeOf({ ttl: 1 }, { ttl: 2 }), definition: thread }, ["ttl"])).toEqual([]);
  });
});
