/** The setting `streamLogs`: the lines of the log on the row of a deployment, through both hosts. */
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, repository, withImage } from "../../../../support/deployments/inputs";
import type { Platform } from "../../../../support/platform";
import { type Stack, stateOf } from "../../../../support/stack";

/** Returns the lines of a log on the row, without their type. */
const shownLines = (stack: Stack, type: string) =>
  stack.messages.flatMap((row) =>
    row.startsWith(`progress: ${type} | `) ? row.slice(`progress: ${type} | `.length) : [],
  );

/** Returns the messages of a log of the latest revision. */
async function remoteLog(platform: Platform, stack: Stack, type: string): Promise<string[]> {
  const { id, outputs } = stateOf(stack);
  const { body } = await platform.call(
    "GET",
    `/v2/deployments/${id}/revisions/${outputs.latestRevisionId}/logs?type=${type}`,
  );
  return (body as unknown as { logs: { message: string }[] }).logs.map(({ message }) => message);
}

const logRequests = (platform: Platform) =>
  platform.emulator.requestLog
    .entries({ path: "/v2/deployments/*/revisions/*/logs" })
    .flatMap(({ query }) => query.type);

it("streamLogs shows each line of the build log and then of the deploy log once and in order", async () => {
  const { platform, stack } = await createDeployment(repository(), { stack: { config: { streamLogs: "true" } } });
  const types = logRequests(platform);
  const polls = platform.requests({ path: "/v2/deployments/*/revisions/*" }).length;
  for (const type of ["build", "deploy"]) {
    const lines = await remoteLog(platform, stack, type);
    expect(lines.length).toBeGreaterThan(2);
    expect(shownLines(stack, type)).toEqual(lines);
  }
  const rows = stack.messages.flatMap((row) => /^progress: (build|deploy) \|/.exec(row)?.[1] ?? []);
  expect(rows).toEqual(rows.toSorted());
  expect(types).toEqual(types.toSorted());
  // One with each poll of the revision, and one for the first page of the second log.
  expect(types.length).toBeLessThanOrEqual(polls + 1);
});

it("streamLogs shows the last lines of a failed rollout before its error", async () => {
  const { platform, stack } = await startDeployment({
    faults: [{ revision: { ends: "DEPLOY_FAILED", logs: ["the key s3cr3t-value was refused"] } }],
    stack: { config: { streamLogs: '["other", "agent"]' } },
  });
  await expect(stack.up(dockerDeployment({ secrets: { KEY: "s3cr3t-value" } }))).rejects.toThrow("\n  | ");
  expect(shownLines(stack, "deploy").at(-1)).toBe("ERROR the key [secret] was refused");
  expect(stack.messages.at(-1)).toMatch(/^progress: failed with DEPLOY_FAILED after/);
  expect(logRequests(platform)).not.toContain("build");
  expect(stack.messages.join()).not.toContain("s3cr3t");
});

it.each([
  ["is not set", {}],
  ["is false", { streamLogs: "false" }],
  ["names other resources", { streamLogs: "agent-2, other" }],
])("no log is read if streamLogs %s", async (_what, config) => {
  const { platform, stack } = await createDeployment(dockerDeployment(), { stack: { config } });
  expect(logRequests(platform)).toEqual([]);
  expect(stack.messages.join()).not.toContain("|");
});

it("no log is read by an update without a new revision", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment(), {
    stack: { config: { streamLogs: "agent" } },
  });
  await stack.up(dockerDeployment({ sourceConfig: { customUrl: "https://a.example" } }));
  expect(logRequests(platform)).toEqual([]);
  await stack.up(dockerDeployment({ ...withImage("2"), sourceConfig: { customUrl: "https://a.example" } }));
  expect(shownLines(stack, "deploy").at(-1)).toBe("Deployed registry.example.com/agent:2");
});
