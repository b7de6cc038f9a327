/**
 * The whole story: an agent, a conversation that begins with a state, a turn of it through plain
 * HTTP, and what was traced of that turn in a bucket, read back by DuckDB.
 */
import { join } from "node:path";
import { defaultTenantId } from "../../emulator/src";
import { queryParquet } from "../../emulator/test/support/bucket/client";
import { downloadObjects } from "./support/buckets";
import type { CliStack } from "./support/cli-stack";
import { steps } from "./support/events";
import { Program } from "./support/program";
import { DAY_MS } from "./support/traces";
import { World } from "./support/world";

const world = new World();
const PROGRAM = `
const config = new pulumi.Config();

const agent = new agentgraph.Deployment("concierge", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/concierge:2.0.0" },
});

const guest = new agentgraph.Thread("guest", {
  deploymentId: agent.id,
  metadata: { graph_id: "echo", audience: "guests" },
  supersteps: [{ updates: [{ asNode: "__start__", values: { messages: [{ role: "user", content: "Hello" }] } }] }],
});

const bucket = new agentgraph.BulkExportDestination("lake", {
  destinationType: "s3",
  displayName: "Conversations",
  config: { bucketName: config.require("bucket"), prefix: "conversations", endpointUrl: config.require("objectStore") },
  credentials: {
    accessKeyId: config.requireSecret("accessKeyId"),
    secretAccessKey: config.requireSecret("secretAccessKey"),
  },
});


const until = config.get("exportUntil");
if (until) {
  new agentgraph.BulkExport("traces", {
    bulkExportDestinationId: bucket.id,
    sessionId: agent.tracingProjectId,
    startTime: config.require("exportSince") + "T00:00:00Z",
    endTime: until + "T00:00:00Z",
    waitFor: "completed",
  });
}
`;

const day = (offset: number) => {
  const now = Date.parse(world.emulator.clock.read().now);
  return new Date(now + offset * DAY_MS).toISOString().slice(0, 10);
};

/** Asks the agent server, as any client does. */
async function ask<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

interface Message {
  content: string;
}

async function outputsOf(stack: CliStack): Promise<{ url: string; thread: string }> {
  const guest = (await stack.resources()).get("guest");
  return { url: String(guest?.outputs?.url), thread: String(guest?.id) };
}

// @covers 1B, 1B.item 2, 1B.item 5, 3.4, 4B:runs
test("a declared conversation continues over HTTP, and its traces are exported to the bucket", async () => {
  const { url: objectStore, accessKeyId, secretAccessKey } = world.emulator.bucket;
  const config = { bucket: "exports", objectStore, accessKeyId, secretAccessKey, exportSince: day(-1) };
  const flags = (more: object = {}) =>
    Object.entries({ ...config, ...more }).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const program = await Program.create(await world.createFolder("whole-story"), "whole-story");
  await program.write(PROGRAM);
  const env = { AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId };
  const stack = await world.stack({ project: "whole-story", program, env });
  const first = await stack.up(...flags());
  expect(first).toMatchObject({ code: 0 });
  expect(steps(first).sort()).toEqual(["create concierge", "create guest", "create lake"]);

  const { url, thread } = await outputsOf(stack);
  const turn = { assistant_id: "echo", input: { messages: [{ role: "user", content: "Is there breakfast?" }] } };
  const { messages } = await ask<{ messages: Message[] }>(url, "POST", `/threads/${thread}/runs/wait`, turn);
  expect(messages.map(({ content }) => content).slice(0, 2)).toEqual(["Hello", "Is there breakfast?"]);
  expect(messages.at(-1)?.content).toContain("breakfast");

  const second = await stack.up(...flags({ exportUntil: day(1) }));
  expect(second).toMatchObject({ code: 0 });
  expect(steps(second)).toEqual(["create traces"]);
  await downloadObjects(await world.createFolder("copy"), world.emulator.bucket);
  const rows = await queryParquet(
    [],
    `SELECT is_root, run_type, status, inputs, outputs, json_extract_string(extra, '$.metadata.thread_id') AS thread
     FROM read_parquet('${join(await world.createFolder("copy"), "conversations/**/*.parquet")}') ORDER BY start_time, dotted_order`,
  );
  expect(rows).toHaveLength(Number((await stack.resources()).get("traces")?.outputs?.rowsWritten));
  expect(rows.length).toBeGreaterThan(1);
  // The root is the turn; each of its runs contains the thread ID, so that a conversation can be found in the lake.
  expect(rows.filter(({ is_root }) => is_root)).toHaveLength(1);
  expect(rows.every((row) => row.thread === thread && row.status === "success")).toBe(true);
  expect(String(rows[0]?.inputs)).toContain("Is there breakfast?");

  // The turn is not drift of the declared thread.
  expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});
