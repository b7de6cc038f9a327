/** Two resources of one program for the same object: the preview rejects the second one before anything is created. */
import { runtime } from "@pulumi/pulumi";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { type CheckError, Stack } from "../../../support/stack";
import { TestClock } from "../../../support/time/clock";

const offline = (kind: string) => new Stack({ clock: new TestClock(), url: "https://control.example" }, { kind });
const urnOf = (kind: string, name: string) => offline(kind).fork({ name }).urn;

/** Returns the errors of the checks of one program, by resource name. */
async function refusals(kind: string, resources: Record<string, PropertyMap>): Promise<string[]> {
  const stack = offline(kind);
  const host = stack.host({ tracingApiUrl: "https://tracing.example", tenantId: "t" });
  const failures: string[] = [];
  for (const [name, declared] of Object.entries(resources))
    await stack.check(declared, host, { __urn: urnOf(kind, name) }).catch((error: CheckError) => {
      failures.push(...error.failures.map(({ property, reason }) => `${name}: ${property} ${reason}`));
    });
  return failures;
}

const destination = (change: PropertyMap = {}): PropertyMap => ({
  ...{ destinationType: "s3", displayName: "Lake", credentials: { accessKeyId: "k", secretAccessKey: "s" } },
  ...{ config: { bucketName: "traces", region: "eu-central-1" }, ...change },
});
const thread = (change: PropertyMap = {}): PropertyMap => ({
  deploymentUrl: "https://agents.example",
  threadId: "66666666-6666-4666-8666-666666666666",
  ...change,
});
const assistant = (change: PropertyMap = {}): PropertyMap => ({
  ...{ deploymentUrl: "https://agents.example", graphId: "echo", name: "support" },
  ...{ assistantId: "66666666-6666-4666-8666-666666666666", ...change },
});

const withSecret = dockerDeployment({ secrets: { A: "1" } });

it.each<[string, string, PropertyMap, PropertyMap, string]>([
  ["Deployment", "of one name", dockerDeployment(), dockerDeployment(), "name is also used by"],
  ["Deployment", "of one name and other contents", dockerDeployment(), withSecret, "name is also used by"],
  ["BulkExportDestination", "of one name and place", destination(), destination(), "displayName is also used by"],
  ["Assistant", "of one ID", assistant(), assistant({ name: "other" }), "assistantId is also used by"],
  ["Thread", "of one ID", thread(), thread({ metadata: { a: 1 } }), "threadId is also used by"],
])("%s: two resources %s are rejected with the URN of the first", async (kind, _what, one, other, expected) => {
  const refused = await refusals(kind, { first: one, second: other });
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatch(/^second: /);
  expect(refused[0]?.replace("  ", " ")).toContain(expected);
  expect(refused[0]).toContain(urnOf(kind, "first"));
});

const unnamed = dockerDeployment({ name: runtime.unknownValue });
const [anyAssistant, anyThread] = [assistant({ assistantId: undefined }), thread({ threadId: undefined })];
const otherBucket = destination({ config: { bucketName: "other", region: "eu-central-1" } });

it.each<[string, string, PropertyMap, PropertyMap]>([
  ["Deployment", "of two names", dockerDeployment(), dockerDeployment({ name: "other" })],
  ["Deployment", "whose names are unknown", unnamed, unnamed],
  ["BulkExportDestination", "of one name with two buckets", destination(), otherBucket],
  ["BulkExportDestination", "that are equal with allowDuplicate", destination(), destination({ allowDuplicate: true })],
  ["Thread", "of two servers", thread(), thread({ deploymentUrl: "https://other.example" })],
  ["Assistant", "without declared IDs", anyAssistant, anyAssistant],
  ["Thread", "without declared IDs", anyThread, anyThread],
])("%s: two resources %s are accepted", async (kind, _what, first, second) => {
  expect(await refusals(kind, JSON.parse(JSON.stringify({ first, second })))).toEqual([]);
});

it("Deployment: a resource that is checked again is not its own duplicate and releases its previous name", async () => {
  const stack = offline("Deployment");
  const host = stack.host();
  const [first, second] = ["first", "second"].map((name) => ({ __urn: urnOf("Deployment", name) }));
  await stack.check(dockerDeployment(), host, first);
  await stack.check(dockerDeployment(), host, first);
  await stack.check(dockerDeployment({ name: "renamed" }), host, first);
  await stack.check(dockerDeployment(), host, second);
});
