/** `agentgraph doctor` requires only the settings that the resources of the stack need. */
import { checkValues } from "../../../cli/doctor/settings";
import type { StateResource } from "../../../cli/doctor/state";

const resource = (kind: string, inputs: Record<string, unknown>): StateResource => ({
  type: `agentgraph:index:${kind}`,
  urn: `urn:pulumi:dev::shop::agentgraph:index:${kind}::one`,
  inputs,
});
const byUrl = [
  { type: "pulumi:pulumi:Stack" },
  resource("Assistant", { deploymentUrl: "https://agent.example.com" }),
  resource("Cron", { deploymentUrl: "https://agent.example.com" }),
];

it.each([
  ["has no resources yet", [], ["fix", "fix", "skipped"]],
  ["has only resources by deploymentUrl", byUrl, ["skipped", "skipped", "skipped"]],
  ["has one by deploymentId as well", [...byUrl, resource("Thread", { deploymentId: "1" })], ["fix", "fix", "skipped"]],
  ["has only exports", [resource("BulkExport", {})], ["fix", "skipped", "fix"]],
  ["has both", [resource("BulkExport", {}), resource("Deployment", {})], ["fix", "fix", "fix"]],
] as const)("doctor of a stack that %s judges missing settings accordingly", (_what, resources, statuses) => {
  const { checks } = checkValues({}, {}, resources);
  expect(checks.slice(0, 3).map(({ status }) => status)).toEqual(statuses);
});
