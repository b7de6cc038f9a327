/** A bucket for exports, with the real engine: refused, created, rotated, replaced and gone; its key shows nowhere. */
import { defaultTenantId } from "../../../emulator/src";
import { fails } from "../support/cli";
import type { CliStack } from "../support/cli-stack";
import { changedProperties, drifted, messagesOf, steps } from "../support/events";
import { API_KEY, World } from "../support/world";

const world = new World();

/** Source text that declares the destination; `secret` and `token` are plain text, as a careless user writes them. */
function traces({ secret = "", token = "", prefix = "agents" } = {}): string {
  const { url: endpointUrl, accessKeyId, secretAccessKey } = world.emulator.bucket;
  const inputs = {
    ...{ destinationType: "s3", displayName: "traces", config: { bucketName: "exports", prefix, endpointUrl } },
    credentials: { accessKeyId, secretAccessKey: secret || secretAccessKey, ...(token && { sessionToken: token }) },
  };
  return `const traces = new agentgraph.BulkExportDestination("traces", ${JSON.stringify(inputs)});
    exports.id = traces.id; exports.key = traces.credentials; exports.names = traces.credentialsKeys;`;
}

async function destinations(): Promise<{ id: string; config: { prefix: string } }[]> {
  const headers = { "x-api-key": API_KEY, "x-tenant-id": defaultTenantId };
  return (await fetch(`${world.url}/api/v1/bulk-exports/destinations`, { headers })).json() as never;
}

const idOf = async (stack: CliStack) => (await stack.resources()).get("traces")?.id;

// @covers 2C.Destination.credentials:encrypted, 7:destinations
test("a destination is created, rotated, replaced and deleted, and its credentials appear nowhere", async () => {
  const env = { AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId };
  const stack = await world.stack({ project: "bucket", env: { ...env, AGENTGRAPH_CONTROL_PLANE_URL: "" } });
  const [wrong, token] = ["a-very-wrong-secret", "a-very-secret-token"];

  await stack.program.write(traces({ secret: wrong }));
  const refused = await fails(stack.up());
  expect(messagesOf(refused, "traces").join()).toContain(
    "credentials.secretAccessKey: Failed to validate S3 destination",
  );
  expect(await destinations()).toEqual([]);

  await stack.program.write(traces());
  const created = await stack.up();
  expect(steps(created)).toEqual(["create traces"]);
  const id = await idOf(stack);

  await stack.program.write(traces({ token }));
  const rotation = await stack.preview("--diff");
  expect(steps(rotation)).toEqual(["update traces"]);
  expect(messagesOf(rotation, "traces")).toContain("in place: credentials");
  const rotated = await stack.up();
  expect(changedProperties(rotated).join()).toMatch(/^credentials/);
  expect(await idOf(stack)).toBe(id);

  await stack.program.write(traces({ token, prefix: "elsewhere" }));
  const replaced = await stack.up("--refresh");
  expect(drifted(replaced)).toEqual([]);
  expect(messagesOf(replaced, "traces").join()).toContain("REPLACED: config.prefix");
  expect(await destinations()).toMatchObject([{ id: await idOf(stack), config: { prefix: "elsewhere" } }]);

  const outputs = await stack.run("stack", "output", "--json");
  const destroyed = await stack.destroy();
  expect(destroyed.code).toBe(0);
  expect(await destinations()).toEqual([]);

  const runs = [refused, created, rotation, rotated, replaced, outputs, destroyed];
  const everything = [
    ...runs.map(({ output, events }) => output + JSON.stringify(events)),
    await stack.readBackend(),
  ].join("\n");
  const { accessKeyId, secretAccessKey } = world.emulator.bucket;
  for (const secret of [wrong, token, accessKeyId, secretAccessKey]) expect(everything).not.toContain(secret);
  expect(everything).toContain("session_token");
});
