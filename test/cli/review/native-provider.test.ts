/** The review of resources of the native provider, and of their imports. */
import { readPreview } from "../../../cli/review/preview/preview-json";
import { type Review, reviewOf } from "../../../cli/review/summary";
import { type Bag, digest, image, NOW } from "../support/previews";

describe("A native import", () => {
  const urn = "urn:pulumi:dev::shop::agentgraph:index:Deployment::agent";
  const reviewImport = (inputs: Bag, ...more: object[]) => {
    const steps = [{ op: "import", urn, newState: { importID: "6b0c", inputs } }, ...more];
    return reviewOf(readPreview(JSON.stringify({ steps, diagnostics: [] }), "a preview"), NOW);
  };

  it("of what equals the program imports an ID and changes nothing", () => {
    const review = reviewImport(image("1"));
    expect(review.counts).toMatchObject({ create: 0, import: 1 });
    expect(review.changes).toMatchObject([
      {
        op: "import",
        summary: "imported, not created; ID 6b0c, and nothing changes on the server",
        effects: ["create"],
      },
    ]);
  });

  it("that an update follows shows both, with the effects of the update", () => {
    const [oldState, newState] = [
      { id: "6b0c", inputs: image("1"), outputs: image("1") },
      { importID: "6b0c", inputs: image("2") },
    ];
    const update = { op: "update", urn, oldState, newState };
    const { changes, counts } = reviewImport(image("2"), update);
    expect(counts).toMatchObject({ create: 0, import: 1, update: 0 });
    expect(changes).toMatchObject([
      {
        summary: "imported, not created; ID 6b0c; new revision: imageUri 1 -> 2",
        effects: ["create", "revision", "unverified", "update"],
      },
    ]);
  });
});

test("Resources of the native provider are reviewed like dynamic resources", () => {
  const text = digest([
    { op: "update", name: "a", before: image("1"), after: image("2") },
    { op: "delete", kind: "Thread", name: "b", before: { deploymentId: "d" } },
  ]);
  const native = text.replaceAll("pulumi-nodejs:dynamic/agentgraph:", "agentgraph:index:");
  const withoutUrn = (review: Review) => review.changes.map(({ urn: _, ...change }) => change);
  const [dynamicReview, nativeReview] = [text, native].map((one) => reviewOf(readPreview(one, "a preview"), NOW));
  expect(nativeReview && withoutUrn(nativeReview)).toEqual(dynamicReview && withoutUrn(dynamicReview));
  expect(nativeReview?.changes.map(({ kind }) => kind)).toEqual(["Thread", "Deployment"]);
});
