/**
 * One resource of each kind, for the tests of what all kinds have in common. A kind on agent servers adds it to
 * test/support/agents/kinds/.
 */
import { CRON } from "../../../../provider/resources/cron/fields";
import { THREAD } from "../../../../provider/resources/thread/fields";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { INPUT } from "../../../support/agents/crons";
import { agentKinds } from "../../../support/agents/kinds";
import type { AgentInputs } from "../../../support/agents/kinds/kind";
import { startAgents } from "../../../support/agents/threads";
import { dockerDeployment, withImage } from "../../../support/deployments/inputs";
import { destination, destinationStack } from "../../../support/exports/destinations";
import { startWorkspace } from "../../../support/exports/exports";
import { type Platform, startPlatform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";

export interface Sample {
  platform: Platform;
  stack: Stack;
  declared: PropertyMap;
  /** What the program changes, so that an update sends a request. */
  changed: PropertyMap;
  /** Returns the path of the object. */
  path: (id: string) => string;
  /** Whether the status of an object on the server means that it is active. Default: every object is. */
  isActiveStatus?: RegExp;
}

export interface SampleKind {
  start(): Promise<Sample>;
  /**
   * The request that removes an object, and the number of GET requests before it; absent where tests cannot keep it
   * active.
   */
  removal?: { method: "DELETE" | "PATCH"; readsBefore: number };
  /** Values of the wrong type, by field of a response. */
  malformed: Record<string, unknown>;
}

/** Kinds whose objects need others on their server, or which the server may have none of. */
const LINKED: readonly AgentInputs[] = [
  {
    ...{ names: THREAD, name: "session" },
    declared: { metadata: { graph_id: "echo", team: "support" } },
    changed: { metadata: { graph_id: "echo", team: "sales" } },
    malformed: { metadata: "x", ttl: [] },
  },
  {
    ...{ names: CRON, name: "nightly" },
    declared: { assistantId: "echo", schedule: "0 3 * * *", input: INPUT },
    changed: { schedule: "0 4 * * *" },
    malformed: { metadata: "x", payload: [], schedule: {}, enabled: [] },
  },
];

const onAgentServer = ({ names, name, declared, changed, malformed, readsBefore = 2 }: AgentInputs): SampleKind => ({
  async start() {
    const platform = await startAgents();
    const inputs = { deploymentId: platform.deploymentId, ...declared };
    return {
      ...{ platform, stack: platform.stack({ kind: names.kind, name }) },
      ...{ declared: inputs, changed: { ...inputs, ...changed } },
      path: (id) => `${platform.basePath}/${names.path}/${id}`,
    };
  },
  removal: { method: "DELETE", readsBefore },
  malformed,
});

export const sampleKinds: Record<string, SampleKind> = {
  Deployment: {
    async start() {
      const platform = await startPlatform();
      return {
        ...{ platform, stack: new Stack(platform), declared: dockerDeployment() },
        changed: dockerDeployment(withImage("2.0.0")),
        path: (id) => `/v2/deployments/${id}`,
        isActiveStatus: /READY|DEPLOY/,
      };
    },
    removal: { method: "DELETE", readsBefore: 1 },
    malformed: {
      ...{ secrets: {}, source_config: [], source_revision_config: "x" },
      ...{ secret_references: 5, latest_revision_id: {} },
    },
  },
  ...Object.fromEntries([...agentKinds, ...LINKED].map((kind) => [kind.names.kind, onAgentServer(kind)])),
  BulkExportDestination: {
    async start() {
      const platform = await startPlatform();
      return {
        ...{ platform, stack: destinationStack(platform), declared: destination(platform) },
        changed: destination(platform, { credentials: { sessionToken: "t" } }),
        path: (id) => `/api/v1/bulk-exports/destinations/${id}`,
      };
    },
    removal: { method: "DELETE", readsBefore: 0 },
    malformed: { credentials_keys: 5, config: "x", display_name: {} },
  },
  BulkExport: { start: () => startExport("BulkExport"), malformed: {} },
  ScheduledBulkExport: {
    start: () => startExport("ScheduledBulkExport"),
    removal: { method: "PATCH", readsBefore: 1 },
    malformed: { export_fields: {}, status: [], interval_hours: {}, filter: ["x"] },
  },
};

async function startExport(kind: "BulkExport" | "ScheduledBulkExport"): Promise<Sample> {
  const platform = await startWorkspace();
  // Its runs never end, so that the export stays active.
  await platform.emulator.faults.add({ export_run: { stalls: true }, times: 100 });
  const declared = kind === "BulkExport" ? platform.oneTime() : platform.daily();
  return {
    ...{ platform, stack: platform.stack(kind), declared, changed: { ...declared, allowDuplicate: true } },
    path: (id) => `/api/v1/bulk-exports/${id}`,
    isActiveStatus: /run|created|interval/i,
  };
}

/** Returns the server's response to a request for an object, as another client gets it. */
export function fetchSample({ platform, path }: Sample, id: string): ReturnType<Platform["call"]> {
  const headers = { "x-api-key": "somebody-else", "x-tenant-id": "11111111-1111-4111-8111-111111111111" };
  return platform.call("GET", path(id), undefined, headers);
}

/** Whether an object is active on the server. */
export async function isActive(sample: Sample, id: string): Promise<boolean> {
  const { status, body } = await fetchSample(sample, id);
  return sample.isActiveStatus ? sample.isActiveStatus.test(body.status) : status === 200;
}

/** Starts a sample and creates its resource. */
export async function createSample({ start }: SampleKind): Promise<Sample & { id: string }> {
  const sample = await start();
  await sample.stack.up(sample.declared);
  sample.stack.messages = [];
  return { ...sample, id: stateOf(sample.stack).id };
}
