/** A workspace with an object of every type and every field, and the arguments that name them. */
import type { PropertyMap } from "../../../provider/schema/schema";
import { superstep } from "../agents/threads";
import { LISTENER_ID } from "../deployments/inputs";
import { startWorkspace, toSnakeCase, type Workspace } from "../exports/exports";

const resource_spec = {
  ...{ cpu: 0.5, memory_mb: 512, labels: { team: "support" } },
  volumes: [{ name: "data", emptyDir: { sizeLimit: "1Gi" } }],
  volume_mounts: [{ name: "data", mountPath: "/data", readOnly: true }],
  sidecars: [{ name: "proxy", image: "registry.example.com/proxy:1", env: [{ name: "LEVEL", value: "info" }] }],
  image_pull_secrets: [{ name: "registry" }],
};
const external = {
  ...{ name: "agent", source: "external_docker" },
  source_config: { listener_id: LISTENER_ID, listener_config: { k8s_namespace: "agents" }, resource_spec },
  source_revision_config: { image_uri: "registry.example.com/agent:1" },
  secrets: [{ name: "TOKEN", value: "secret" }],
  secret_references: [{ name: "DATABASE", secret_name: "db", secret_key: "uri" }],
} as const;

const CONFIG_PATH = { agentgraph_config_path: "agentgraph.json" };

export interface World extends Workspace {
  /** IDs and other arguments, by the names that methods and functions give them. */
  ids: Record<
    | "deploymentId"
    | "revisionId"
    | "dockerDeploymentId"
    | "sourceDeploymentId"
    | "threadId"
    | "checkpointId"
    | "assistantId"
    | "cronId"
    | "exportId"
    | "scheduleId",
    string
  >;
  /** Base URL of the agent server, below the URL of the platform. */
  agentPath: string;
}

export async function startWorld(): Promise<World> {
  const workspace = await startWorkspace();
  const { call, callTracingApi, oneTime, daily } = workspace;
  const create = async (path: string, body: object) => {
    const response = await call("POST", path, body);
    if (response.status >= 300) throw new Error(`${path}: ${JSON.stringify(response)}`);
    return response.body;
  };
  const deployment = await create("/v2/deployments", external);
  const empty = { source_config: {}, source_revision_config: {}, secrets: [] };
  const dockerDeployment = await create("/v2/deployments", { ...empty, name: "docker", source: "internal_docker" });
  const fromSource = { name: "source", source: "internal_source", source_revision_config: CONFIG_PATH };
  const sourceDeployment = await create("/v2/deployments", { ...empty, ...fromSource });
  await workspace.advance(15 * 60_000);
  const agentPath = `/agents/${deployment.id}`;
  const metadata = { graph_id: "echo", team: "support" };
  const supersteps = [superstep({ messages: [{ role: "user", content: "Hello" }] })].map(({ updates }) => ({
    updates: updates.map(({ asNode, ...rest }) => ({ ...rest, as_node: asNode })),
  }));
  const thread = (await create(`${agentPath}/threads`, {
    metadata,
    supersteps,
    ttl: { ttl: 60 },
  })) as unknown as PropertyMap;
  const state = (await call("GET", `${agentPath}/threads/${thread.thread_id}/state`)).body as unknown as PropertyMap;
  const config = { tags: ["a"], recursion_limit: 5 };
  const settings = { config, context: { model: "small" }, metadata: { team: "support" } };
  const assistant = (await create(`${agentPath}/assistants`, {
    ...{ graph_id: "echo", name: "support", description: "Answers.", ...settings },
  })) as unknown as PropertyMap;
  const cron = (await create(`${agentPath}/runs/crons`, {
    ...{ assistant_id: "echo", schedule: "0 3 * * *", timezone: "Europe/Berlin", input: {}, ...settings },
    ...{ enabled: false, interrupt_before: ["a"], stream_mode: ["values"], on_run_completed: "keep" },
  })) as unknown as PropertyMap;
  const exported = (await callTracingApi("POST", "bulk-exports", toSnakeCase(oneTime()))).body;
  const schedule = (await callTracingApi("POST", "bulk-exports", toSnakeCase(daily()))).body;
  await workspace.advance(60_000);
  return {
    ...workspace,
    agentPath,
    ids: {
      deploymentId: deployment.id,
      revisionId: (await workspace.getDeployment(deployment.id)).latest_revision_id,
      dockerDeploymentId: dockerDeployment.id,
      sourceDeploymentId: sourceDeployment.id,
      threadId: String(thread.thread_id),
      checkpointId: String((state.checkpoint as PropertyMap).checkpoint_id),
      assistantId: String(assistant.assistant_id),
      cronId: String(cron.cron_id),
      exportId: exported.id,
      scheduleId: schedule.id,
    },
  };
}
