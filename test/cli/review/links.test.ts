/** What belongs together in a review: what a removal causes, and resources that are only renamed. */
import { formatComment } from "../../../cli/review/comment/comment";
import { UNKNOWN } from "../../../provider/plan/property-values";
import { image, reviewed } from "../support/previews";

const gone = { op: "delete" } as const;
const deployment = { ...gone, name: "desk", id: "d1", before: image("1"), outputs: { tracingProjectId: "p1" } };
const inD1 = { deploymentId: "d1" };
const assistant = { ...inD1, graphId: "agent" };
const REMOVED = [
  { ...gone, kind: "Assistant", name: "concierge", id: "a1", before: assistant },
  { ...gone, kind: "Cron", name: "nightly", id: "c1", before: { ...inD1, assistantId: "a1", schedule: "0 3 * * *" } },
  deployment,
  { ...gone, kind: "Assistant", name: "other", id: "a2", before: { ...assistant, deploymentId: "d2" } },
];

const linesOf = (text: string) => text.split("\n").filter((line) => /^> +- /.test(line));

it("a removed deployment is the head of what is removed with it", () => {
  const lines = linesOf(formatComment([reviewed(REMOVED)]));
  expect(lines.map((line) => line.replace(/`: .*/, "`"))).toEqual([
    ...["> - **Deployment** `desk`", ">   - **Assistant** `concierge`", ">   - **Cron** `nightly`"],
    "> - **Assistant** `other`",
  ]);
});

it("a replaced deployment is the head of what is replaced with it", () => {
  const replaced = { op: "replace", name: "desk", id: "d1", before: image("1"), after: { ...image("1"), name: "b" } };
  const thread = { op: "replace", kind: "Thread", name: "talk", id: "t1", before: { deploymentId: "d1" } };
  const review = reviewed([{ ...thread, after: { deploymentId: "x" } }, replaced]);
  expect(review.changes.map(({ name }) => name)).toEqual(["desk", "talk"]);
  expect(review.changes[1]?.causedBy).toBe(review.changes[0]?.urn);
});

it("a deletion and a creation of the same content advise an alias, also for what refers to them", () => {
  const review = reviewed([
    deployment,
    REMOVED[0] as (typeof REMOVED)[0],
    { op: "create", name: "front", after: { ...image("1"), name: "front" } },
    { op: "create", kind: "Assistant", name: "front-concierge", after: { graphId: "agent", deploymentId: UNKNOWN } },
  ]);
  expect(review.changes.flatMap(({ name, renamedTo }) => (renamedTo ? [[name, renamedTo]] : []))).toEqual([
    ["desk", "front"],
    ["concierge", "front-concierge"],
  ]);
  expect(formatComment([review])).toContain(
    '. Renamed to `front`? Add `aliases: [{ name: "desk" }]` to its options, and nothing is lost',
  );
});

it.each([
  ["another image", [{ op: "create", name: "front", after: image("2") }]],
  ["another kind", [{ op: "create", kind: "Assistant", name: "front", after: assistant }]],
  [
    "two candidates",
    [
      { op: "create", name: "front", after: image("1") },
      { op: "create", name: "back", after: image("1") },
    ],
  ],
  ["another declared name", [{ op: "create", name: "front", after: { ...image("1"), name: "declared" } }]],
])("no alias is advised for %s", (_, created) => {
  expect(reviewed([deployment, ...created]).changes.filter(({ renamedTo }) => renamedTo !== undefined)).toEqual([]);
});

it("the option of a resource that moves into a component names its former parent", () => {
  const type = "agentgraph:index:AgentService$pulumi-nodejs:dynamic/agentgraph:Deployment";
  const text = formatComment([reviewed([deployment, { op: "create", type, name: "desk", after: image("1") }])]);
  expect(text).toContain("Add `aliases: [{ parent: pulumi.rootStackResource }]` to its options");
});

it.each([
  ["at another deployment", "d2"],
  ["at a deployment that is created", UNKNOWN],
])("no alias is advised for an assistant that is created %s, because it would be replaced", (_, deploymentId) => {
  const created = { op: "create", kind: "Assistant", name: "host", after: { ...assistant, deploymentId } };
  const review = reviewed([{ ...gone, kind: "Assistant", name: "concierge", id: "a1", before: assistant }, created]);
  expect(review.changes.flatMap(({ renamedTo }) => renamedTo ?? [])).toEqual([]);
});

it("a resource of a component is told that the component may be what was renamed", () => {
  const type = "agentgraph:index:AgentService$agentgraph:index:Deployment";
  const [before, after] = [image("1"), image("1")];
  const steps = [
    { ...gone, type, name: "desk", id: "d1", before },
    { op: "create", type, name: "front", after },
  ];
  expect(formatComment([reviewed(steps)])).toContain(
    'Add `aliases: [{ name: "desk" }]` to its options, or an alias to those of its renamed component, and ' +
      "nothing is lost",
  );
});
