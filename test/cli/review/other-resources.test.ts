/** What a review shows besides changes of agentgraph resources. */
import { formatComment } from "../../../cli/review/comment/comment";
import { readPreview } from "../../../cli/review/preview/preview-json";
import { reviewOf } from "../../../cli/review/summary";
import { image, NOW, reviewed } from "../support/previews";

describe("besides changes of agentgraph resources, a review", () => {
  it("counts and lists resources of other providers, without the stack and default providers", () => {
    const review = reviewed([
      { op: "create", type: "aws:s3/bucket:Bucket", name: "logs" },
      { op: "update", type: "pulumi:providers:pulumi-nodejs", name: "default" },
      { op: "update", type: "pulumi:providers:pulumi-nodejs", name: "staging" },
      { op: "same", type: "aws:s3/bucket:Bucket", name: "old" },
      { op: "create", type: "my:index:Fleet", name: "fleet", after: {}, isComponent: true },
    ]);
    expect(review).toMatchObject({ changes: [], unchanged: 1 });
    expect(review.others.map(({ name, op }) => `${op} ${name}`)).toEqual(["create logs", "update staging"]);
    expect(formatComment([review])).toContain(
      "<summary>2 resources of other providers</summary>\n\n- create: `aws:s3/bucket:Bucket` `logs`",
    );
  });

  it("does not count missing settings as a warning", () => {
    const missing = "warning: Settings are missing: controlPlaneUrl, apiKey\n  controlPlaneUrl: run …";
    const review = reviewed([{ op: "create", after: image("1"), diagnostics: [["warning", missing]] }]);
    expect(review).toMatchObject({
      changes: [{ warnings: [], effects: ["create", "unverified"] }],
      missingSettings: ["controlPlaneUrl", "apiKey"],
    });
    expect(formatComment([review])).toContain(
      "The preview ran without `controlPlaneUrl`, `apiKey`, which a preview does not need.",
    );
  });

  it("shows a warning with the name of its resource, and keeps code spans", () => {
    const diagnostics: [string, string][] = [["warning", "warning: name: run `pulumi up` (or `x y`), @you"]];
    const review = reviewed([{ op: "update", before: image("1"), after: image("2"), diagnostics }]);
    expect(review.changes[0]?.effects).toContain("warning");
    expect(formatComment([review])).toContain("> - **Deployment** `agent`: name: run `pulumi up` (or `x y`), `@you`\n");
  });

  it("starts with the error of a failed preview, without terminal colors", () => {
    const review = reviewed([], [["error", "Error: \u001b[90mboom\u001b[39m\n    at here"]]);
    expect(review.isFailed).toBe(true);
    expect(formatComment([review])).toContain("### `shop/dev`: the preview failed\n\n> [!CAUTION]\n");
    expect(formatComment([review])).toContain("```\nError: boom\nat here\n```");
  });

  it("shows the violated policies of an event log on the resource, and those of the stack with its error", () => {
    const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::agent";
    const message = "Several replicas run.\nSet minScale to 2.\n";
    const violation = (policyName: string, enforcementLevel: string, resourceUrn?: string) => ({
      policyEvent: { resourceUrn, message, policyName, enforcementLevel },
    });
    const metadata = { op: "create", urn, new: { custom: true, inputs: image("1") } };
    const M = "mandatory";
    const events = [
      { resourcePreEvent: { metadata } },
      ...[violation("minimum-scale", M, urn), violation("protect", "advisory", urn), violation("few", M)],
      { summaryEvent: { result: "succeeded" } },
    ];
    const log = events.map((event, sequence) => JSON.stringify({ sequence, ...event })).join("\n");
    const review = reviewOf(readPreview(log, "a log"), NOW);
    expect(review).toMatchObject({
      isFailed: true,
      diagnostics: ["policy few (mandatory): Several replicas run. Set minScale to 2."],
      changes: [
        {
          warnings: [
            "policy minimum-scale (mandatory): Several replicas run. Set minScale to 2.",
            "policy protect (advisory): Several replicas run. Set minScale to 2.",
          ],
        },
      ],
    });
  });

  it("treats a truncated event log as a failed preview", () => {
    const metadata = { op: "same", urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev" };
    const events = [{ preludeEvent: {} }, { resourcePreEvent: { metadata } }];
    const cut = `${events.map((event, sequence) => JSON.stringify({ sequence, ...event })).join("\n")}\n{"sequ`;
    expect(reviewOf(readPreview(cut, "a log"), NOW)).toMatchObject({ project: "shop", stack: "dev", isFailed: true });
  });
});
