/**
 * A resource that an alias continues under a new name: the engine writes some lines of a preview with the former one.
 */
import { formatComment } from "../../../cli/review/comment/comment";
import { readPreview } from "../../../cli/review/preview/preview-json";
import { reviewOf } from "../../../cli/review/summary";
import { type Bag, image, NOW } from "../support/previews";

const urnOf = (kind: string, name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentgraph:${kind}::${name}`;
const LOST = "REPLACED, its history is lost: deploymentId (its deployment is replaced)";

/**
 * A replacement of a resource that was called `former`: its state, what the program declares, and the engine's keys.
 */
const replaced = (
  kind: string,
  { name, former = name }: { name: string; former?: string },
  [old, now]: [Bag, Bag],
) => ({
  urn: urnOf(kind, name),
  before: { urn: urnOf(kind, former), custom: true, id: `${kind}-${former}`, inputs: old, outputs: old },
  after: { urn: urnOf(kind, name), custom: true, inputs: now },
});
const RENAMED = [
  replaced("Deployment", { name: "front", former: "desk" }, [image("1"), { ...image("1"), name: "front" }]),
  replaced("Thread", { name: "front-talk", former: "desk-talk" }, [
    { deploymentId: "Deployment-desk" },
    { deploymentId: "front" },
  ]),
];
const WARNINGS = ["desk-talk", "front-talk"].flatMap((name) => [
  { urn: urnOf("Thread", name), severity: "warning", message: `warning: ${LOST}\n` },
  { urn: urnOf("Thread", name), severity: "warning", message: "warning: the server is old\n" },
]);

type Renamed = typeof RENAMED;

function digestOf(resources: Renamed): string {
  const steps = resources.map(({ urn, before, after }) => ({ op: "replace", urn, oldState: before, newState: after }));
  return JSON.stringify({ steps, diagnostics: WARNINGS });
}

/** The engine reports the halves of a replacement too, in either order, and that which deletes with the former name. */
function eventsOf(resources: Renamed, isDeletedFirst: boolean): string {
  const deletions = resources.map(({ before }) => ({ op: "delete-replaced", urn: before.urn, old: before }));
  const creations = resources.flatMap(({ urn, before, after }) =>
    ["replace", "create-replacement"].map((op) => ({ op, urn, old: before, new: after })),
  );
  const steps = isDeletedFirst ? [...deletions, ...creations] : [...creations, ...deletions];
  const events = [
    ...WARNINGS.map((diagnosticEvent) => ({ diagnosticEvent })),
    ...steps.map((metadata) => ({ resourcePreEvent: { metadata } })),
    { summaryEvent: { result: "succeeded", isPreview: true } },
  ];
  return events.map((event, sequence) => JSON.stringify({ sequence, ...event })).join("\n");
}

const FORMS = {
  "one object": digestOf,
  "an event per line": (resources: Renamed) => eventsOf(resources, true),
  "an event per line, with the deletions at the end": (resources: Renamed) => eventsOf(resources, false),
};

describe.each(Object.entries(FORMS))("the review of a preview that is %s", (_, write) => {
  it("shows a resource with an alias once, with its new name and each of its warnings once", () => {
    const review = reviewOf(readPreview(write(RENAMED), "a preview"), NOW);
    expect(review.changes.map(({ name }) => name)).toEqual(["front", "front-talk"]);
    expect(review.changes[1]).toMatchObject({
      causedBy: urnOf("Deployment", "front"),
      warnings: ["the server is old"],
    });
    expect(review.diagnostics).toEqual([]);
    expect(formatComment([review])).not.toMatch(/desk-talk|`desk`:/);
  });

  it("keeps the name of a resource that another one had before", () => {
    const swapped = [
      replaced("Thread", { name: "first" }, [{ deploymentId: "a" }, { deploymentId: "b" }]),
      replaced("Thread", { name: "second", former: "first" }, [{ deploymentId: "c" }, { deploymentId: "d" }]),
    ];
    const review = reviewOf(readPreview(write(swapped), "a preview"), NOW);
    expect(review.changes.map(({ name }) => name)).toEqual(["first", "second"]);
  });
});
