/** Stacks of the native provider that import what another one owns: one resource of each kind. */
import type { CliStack } from "../cli/cli-stack";
import { World } from "../world";

export const TYPES = {
  agent: "Deployment",
  thread: "Thread",
  lake: "BulkExportDestination",
  once: "BulkExport",
  daily: "ScheduledBulkExport",
};

/** Declares all five kinds. @param options Resource options by name, as source code. */
export const program = (options: Record<string, string> = {}, image = "agent:1.0.0") => {
  const optionsOf = (name: string) => options[name] ?? "{}";
  return `const agentgraph = require("pulumi-agentgraph/native");
const agent = new agentgraph.Deployment("agent", { name: "agent", source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/${image}" }, secrets: { KEY: "a-secret-value" } },
  ${optionsOf("agent")});
new agentgraph.Thread("thread", { deploymentId: agent.id, metadata: { team: "support" } }, ${optionsOf("thread")});
const lake = new agentgraph.BulkExportDestination("lake", { destinationType: "s3", displayName: "lake",
  config: { bucketName: "exports", endpointUrl: process.env.BUCKET_URL },
  credentials: { accessKeyId: "a-bucket-key", secretAccessKey: "a-bucket-secret" } }, ${optionsOf("lake")});
new agentgraph.BulkExport("once", { bulkExportDestinationId: lake.id, allExperiments: true,
  startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-02T00:00:00Z" }, ${optionsOf("once")});
new agentgraph.ScheduledBulkExport("daily", { bulkExportDestinationId: lake.id, allExperiments: true,
  startTime: "2100-01-01T00:00:00Z", intervalHours: 24 }, ${optionsOf("daily")});`;
};

/** Creates a stack of the native provider with the settings for exports. */
export async function nativeStack(world: World, project: string, more: Record<string, string> = {}): Promise<CliStack> {
  const env = { ...more, ...world.tracing, BUCKET_URL: world.emulator.bucket.url };
  const stack = await world.stack({ project, env });
  await stack.program.usePlugin();
  return stack;
}

/** A world in which a stack named "owner" has created a resource of each kind before the tests. */
export class OwnedWorld extends World {
  /** The IDs with which each resource of the owner is imported. */
  ids = {} as Record<keyof typeof TYPES, string>;

  constructor() {
    super({ ...{ strict: true, speed: "instant" }, ...{ bucketKey: "a-bucket-key", bucketSecret: "a-bucket-secret" } });
    beforeAll(async () => {
      const owner = await nativeStack(this, "owner");
      await owner.program.file("index.js", program());
      expect(await owner.up()).toMatchObject({ code: 0 });
      const resources = await owner.resources();
      const idOf = (name: string) => String(resources.get(name)?.id);
      this.ids = {
        ...{ agent: idOf("agent"), thread: `${idOf("agent")}/${idOf("thread")}` },
        ...{ lake: idOf("lake"), once: idOf("once"), daily: idOf("daily") },
      };
    });
  }

  /** Returns the content of an import file for every resource of the owner. */
  importFile(): string {
    const resources = Object.entries(TYPES).map(([name, kind]) => ({
      ...{ type: `agentgraph:index:${kind}`, name },
      id: this.ids[name as keyof typeof TYPES],
    }));
    return JSON.stringify({ resources });
  }
}
