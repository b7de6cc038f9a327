/** The review of an update, from its event log, and of several stacks. */
import { formatComment } from "../../../cli/review/comment/comment";
import { readPreview } from "../../../cli/review/preview/preview-json";
import { reviewOf } from "../../../cli/review/summary";
import { image, NOW, reviewed } from "../support/previews";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::agent";

function reviewOfEvents(events: readonly object[]) {
  const log = events.map((event, sequence) => JSON.stringify({ sequence, ...event })).join("\n");
  return reviewOf(readPreview(log, "a log"), NOW);
}

/** Returns the review of an event log that updates the image of one deployment. */
function reviewOfLog(summary: object) {
  const [old, current] = ["1", "2"].map((tag) => ({ custom: true, inputs: image(tag), outputs: image(tag) }));
  const events = [
    { resourcePreEvent: { metadata: { op: "update", urn, old, new: current } } },
    { diagnosticEvent: { urn, severity: "error", message: "the rollout failed" } },
    { summaryEvent: { result: "succeeded", ...summary } },
  ];
  return reviewOfEvents(events.filter((event) => !("diagnosticEvent" in event) || "isFailed" in summary));
}

it("The deletion that an earlier replacement has left is shown, although nothing else changes", () => {
  const old = { custom: true, inputs: image("1"), outputs: image("1") };
  const events = ["same", "delete-replaced"].map((op) => ({ resourcePreEvent: { metadata: { op, urn, old } } }));
  expect(reviewOfEvents(events).changes).toMatchObject([{ op: "delete", effects: ["data-loss", "delete"] }]);
});

it("The review of an update says what was done, and that of a preview what would be done", () => {
  expect(formatComment([reviewOfLog({ isPreview: false })])).toContain("### `shop/dev`: 1 updated\n\n1 new revision\n");
  for (const isPreview of [true, undefined])
    expect(formatComment([reviewOfLog({ isPreview })])).toContain("### `shop/dev`: 1 to update\n");
});

it("The review of an update that failed calls it an update, and lists its errors as errors", () => {
  const text = formatComment([reviewOfLog({ isPreview: false, isFailed: true })]);
  expect(text).toContain("### `shop/dev`: the update failed\n");
  expect(text).toContain("> **The update failed.** This list may be incomplete.");
  expect(text).toContain("> **Errors and warnings**\n>\n> - **Deployment** `agent`: the rollout failed");
});

describe("Stacks without changes", () => {
  const unchanged = (stack: string) => ({ ...reviewed([{ op: "same", before: image("1") }]), stack });
  const changed = reviewed([{ op: "update", before: image("1"), after: image("2") }]);

  it("share one line beside a stack that changes", () => {
    const text = formatComment([unchanged("a"), changed, unchanged("b")]);
    expect(text.match(/^### .*/gm)).toEqual(["### `shop/dev`: 1 to update"]);
    expect(text.endsWith("\n\n2 stacks without changes: `shop/a`, `shop/b`\n")).toBe(true);
  });

  it("have a section alone, or if the program reported a problem", () => {
    expect(formatComment([unchanged("a")])).toContain("### `shop/a`: no changes to agents, exports or threads\n");
    const warned = { ...unchanged("b"), diagnostics: ["an old runtime"] };
    expect(formatComment([warned, unchanged("a")])).toMatch(/### `shop\/b`: no changes[\s\S]*an old runtime/i);
  });

  it("are counted if they are many", () => {
    const text = formatComment([changed, ...Array.from({ length: 300 }, (_, index) => unchanged(`group-${index}`))]);
    expect(text).toContain("\n300 stacks without changes: `shop/group-0`, ");
    expect(text.endsWith("`shop/group-19` and 280 more\n")).toBe(true);
  });
});
