/** Imports with the native provider: the command, the resource option and `get`, for every kind. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeWithTools } from "../support/tools";
import type { CliStack } from "./support/cli-stack";
import { changedProperties, steps } from "./support/events";
import { pathWith } from "./support/languages";
import { World } from "./support/world";

const world = new World({
  ...{ strict: true, speed: "instant" },
  ...{ bucketKey: "a-bucket-key", bucketSecret: "a-bucket-secret" },
});
const TENANT = "11111111-1111-4111-8111-111111111111";
const TYPES = {
  agent: "Deployment",
  thread: "Thread",
  lake: "BulkExportDestination",
  once: "BulkExport",
  daily: "ScheduledBulkExport",
};

/** Declares all five kinds. @param options Resource options by name, as source code. */
const program = (options: Record<string, string> = {}, image = "agent:1.0.0") => {
  const optionsOf = (name: string) => options[name] ?? "{}";
  return `const agentgraph = require("pulumi-agentgraph/native");
const agent = new agentgraph.Deployment("agent", { name: "agent", source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/${image}" }, secrets: { KEY: "a-secret-value" } }, ${optionsOf("agent")});
new agentgraph.Thread("thread", { deploymentId: agent.id, metadata: { team: "support" } }, ${optionsOf("thread")});
const lake = new agentgraph.BulkExportDestination("lake", { destinationType: "s3", displayName: "lake",
  config: { bucketName: "exports", endpointUrl: process.env.BUCKET_URL },
  credentials: { accessKeyId: "a-bucket-key", secretAccessKey: "a-bucket-secret" } }, ${optionsOf("lake")});
new agentgraph.BulkExport("once", { bulkExportDestinationId: lake.id, allExperiments: true,
  startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-02T00:00:00Z" }, ${optionsOf("once")});
new agentgraph.ScheduledBulkExport("daily", { bulkExportDestinationId: lake.id, allExperiments: true,
  startTime: "2100-01-01T00:00:00Z", intervalHours: 24 }, ${optionsOf("daily")});`;
};

async function createStack(project: string, more: Record<string, string> = {}): Promise<CliStack> {
  const env = {
    ...more,
    AGENTGRAPH_TRACING_API_URL: world.url,
    AGENTGRAPH_TENANT_ID: TENANT,
    BUCKET_URL: world.emulator.bucket.url,
  };
  const stack = await world.stack({ project, env });
  await stack.program.usePlugin();
  return stack;
}

/** The IDs with which each resource of the owner is imported. */
let ids: Record<keyof typeof TYPES, string>;
beforeAll(async () => {
  const owner = await createStack("owner");
  await owner.program.file("index.js", program());
  expect(await owner.up()).toMatchObject({ code: 0 });
  const resources = await owner.resources();
  const idOf = (name: string) => String(resources.get(name)?.id);
  ids = {
    ...{ agent: idOf("agent"), thread: `${idOf("agent")}/${idOf("thread")}` },
    ...{ lake: idOf("lake"), once: idOf("once"), daily: idOf("daily") },
  };
});

/** Returns the content of an import file for every resource of the owner. */
const importFile = () => {
  const resources = Object.entries(TYPES).map(([name, kind]) => ({
    ...{ type: `agentgraph:index:${kind}`, name },
    id: ids[name as keyof typeof TYPES],
  }));
  return JSON.stringify({ resources });
};

test("pulumi import adopts every kind, and the next preview shows only the credentials that no server returns", async () => {
  const stack = await createStack("command");
  await stack.program.file("index.js", "");
  await stack.program.file("imports.json", importFile());
  await world.requests();
  const imported = await stack.run(
    ...["import", "--file", "imports.json", "--generate-code=false", "--protect=false", "--yes", "--skip-preview"],
  );
  expect(imported).toMatchObject({ code: 0 });
  expect(imported.output).toContain(`Deployment ${ids.agent} is already managed by organization/urn:pulumi:dev::owner`);
  expect(await stack.readBackend()).not.toContain("a-secret-value");

  await stack.program.file("index.js", program());
  const preview = await stack.preview();
  expect(changedProperties(preview).sort()).toEqual(["credentials.accessKeyId", "credentials.secretAccessKey"]);
  expect(preview.output).toContain("in place: credentials");
  expect(world.writes()).toEqual([]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});

describeWithTools("pulumi import in a YAML project", ["pulumi-language-yaml"], (tools) => {
  test("generates a program of all kinds that equals what it imported", async () => {
    const stack = await createStack("yaml", pathWith(tools["pulumi-language-yaml"]));
    await stack.program.file("Pulumi.yaml", "name: yaml\nruntime: yaml\n");
    await stack.program.usePlugin();
    await stack.program.file("imports.json", importFile());
    await stack.runOrThrow("import", "--file", "imports.json", "--out", "generated.yaml", "--yes", "--skip-preview");

    const project = await readFile(join(stack.program.folder, "Pulumi.yaml"), "utf8");
    const generated = await readFile(join(stack.program.folder, "generated.yaml"), "utf8");
    for (const kind of Object.values(TYPES)) expect(generated).toContain(`type: agentgraph:${kind}\n`);
    await stack.program.file("Pulumi.yaml", project + generated);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });
});

test("the option import shows in the preview what the update after it changes, and a destroy deletes the object", async () => {
  const stack = await createStack("option");
  const options = Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, `{ import: ${JSON.stringify(id)} }`]),
  );
  await stack.program.file("index.js", program(options, "agent:2.0.0"));
  const preview = await stack.preview();
  expect(preview.output).toContain("new revision: imageUri 1.0.0 -> 2.0.0");
  expect(steps(preview)).toEqual(expect.arrayContaining(["import agent", "update agent", "import thread"]));
  expect(steps(preview)).not.toContain("update thread");

  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  await stack.program.file("index.js", "");
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});

// The engine keeps a resource whose replacement failed in state after an import, and a destroy fails (docs/errors.md).
test("an import in place of a failed replacement works after the replaced resource is removed from state", async () => {
  const stack = await createStack("replaced");
  const source = (prefix: string, options = "{}") => `const agentgraph = require("pulumi-agentgraph/native");
    const moved = new agentgraph.BulkExportDestination("moved", { destinationType: "s3", displayName: "moved",
      config: { bucketName: "exports", prefix: "${prefix}", endpointUrl: process.env.BUCKET_URL },
      credentials: { accessKeyId: "a-bucket-key", secretAccessKey: "a-bucket-secret" } }, ${options});
    new agentgraph.BulkExport("once", { bulkExportDestinationId: moved.id, allExperiments: true,
      startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-02T00:00:00Z" });`;
  for (const prefix of ["a", "b"]) {
    await stack.program.file("index.js", source(prefix));
    expect(await stack.up()).toMatchObject({ code: 0 });
  }
  // The server still has the destination with the first prefix, since an export refers to it.
  await stack.program.file("index.js", source("a"));
  const [, id] = /import: "([^"]+)"/.exec((await stack.up()).output) ?? [];
  const replaced = stack.urn("moved", "agentgraph:index:BulkExportDestination");
  await stack.runOrThrow("state", "delete", replaced, "--target-dependents", "--yes");
  await stack.program.file("index.js", source("a", JSON.stringify({ import: id })));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});
