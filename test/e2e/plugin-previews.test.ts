/** Previews of the native plugin: an update leaves dependents alone, and a replacement shows what it replaces with it. */
import { defaultTenantId } from "../../emulator/src";
import type { CliStack } from "./support/cli-stack";
import { messagesOf, steps } from "./support/events";
import { DAY_MS } from "./support/traces";
import { World } from "./support/world";

const world = new World();
/** A day ago: the emulator exports every window since then. */
const START = new Date(Date.now() - DAY_MS).toISOString();
const image = (version: number) => `registry.example.com/agent:${version}`;

/** Declares a deployment with what depends on its ID, URL and project. */
function declare(stack: CliStack, name: string, version: number): Promise<void> {
  const { url: endpointUrl, accessKeyId, secretAccessKey } = world.emulator.bucket;
  const lake = {
    ...{ destinationType: "s3", displayName: "Lake", config: { bucketName: "exports", endpointUrl } },
    credentials: { accessKeyId, secretAccessKey },
  };
  return stack.program.file(
    "index.js",
    `const agentgraph = require("pulumi-agentgraph/native");
     const agent = new agentgraph.Deployment("agent", {
       name: "${name}", source: "external_docker", sourceRevisionConfig: { imageUri: "${image(version)}" },
     });
     new agentgraph.Thread("by-id", { deploymentId: agent.id });
     new agentgraph.Thread("by-url", { deploymentUrl: agent.url });
     const lake = new agentgraph.BulkExportDestination("lake", ${JSON.stringify(lake)});
     new agentgraph.ScheduledBulkExport("nightly", {
       bulkExportDestinationId: lake.id, sessionId: agent.tracingProjectId,
       startTime: "${START}", intervalHours: 24,
     });`,
  );
}

test("an image bump previews one update, and another name the replacement of all that depends on it", async () => {
  const env = { AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId };
  const stack = await world.stack({ project: "previews", env });
  await stack.program.usePlugin();
  await declare(stack, "first", 1);
  expect(await stack.up()).toMatchObject({ code: 0 });

  await declare(stack, "first", 2);
  expect(steps(await stack.preview())).toEqual(["update agent"]);

  await declare(stack, "second", 1);
  const preview = await stack.preview();
  const replaced = ["replace agent", "replace by-id", "replace by-url", "replace nightly"];
  expect(steps(preview)).toEqual(expect.arrayContaining(replaced));
  expect(messagesOf(preview, "nightly")).toEqual([
    expect.stringMatching(/^restarts the export: sessionId \(its deployment gets another name\)/),
  ]);
  const run = await stack.up();
  expect(run).toMatchObject({ code: 0 });
  expect(steps(run)).toEqual(expect.arrayContaining(replaced));
  expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});
