import { assistantResponse, versionResponse } from "../agent-server/assistants/assistants";
import { startAgentServer } from "../agent-server/assistants/defaults";
import { assistantById, versionsOf } from "../agent-server/assistants/records";
import { cronResponse } from "../agent-server/crons/crons";
import { cronById } from "../agent-server/crons/records";
import { graphsOf, setGraphs } from "../agent-server/graphs/of-deployment";
import { stateResponse, threadResponse } from "../agent-server/responses";
import { runResponse } from "../agent-server/runs/responses";
import { enqueueRun } from "../agent-server/runs/runs";
import { runBody } from "../agent-server/runs/schemas";
import { checkpointsOf } from "../agent-server/threads/checkpoints";
import { deleteThreadRecord, type ThreadRecord, threadById, updateThread } from "../agent-server/threads/records";
import { isDeleting } from "../control-plane/lookup";
import { type DeploymentRecord, deploymentById } from "../control-plane/model/records";
import { openSecrets } from "../control-plane/model/secrets";
import type { AdminRequest, AdminRoute } from "../http/admin-gateway";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { graphKinds } from "../runtime/options";
import * as v from "../runtime/validation/schema";

const agentChange = v.object("AgentChange", { graphs: v.required(v.map(v.enumOf(graphKinds))) });

/** An out-of-band update, which no rule checks. */
const threadChange = v.object("ThreadChange", {
  /** Replaces all metadata; omitted keys are removed. */
  metadata: v.anyObject(),
  status: v.enumOf(["idle", "busy", "interrupted", "error"]),
});

/** A run as a cron job starts it. */
const cronRun = v.object("CronRun", { assistant_id: runBody.fields.assistant_id, input: v.any(), cron_id: v.string() });

/** `/_emulator/agents`: describes agent servers and changes their threads out of band. */
export function agentAdminRoutes(context: Context, commit: <T>(transaction: () => T) => T): AdminRoute[] {
  const agentPath = "/agents/{id}";
  const threadPath = `${agentPath}/threads/{thread}`;
  return [
    {
      method: "GET",
      path: agentPath,
      handle: ({ params }) => describeAgent(context, requireAgent(context, params.id)),
    },
    {
      method: "PATCH",
      path: agentPath,
      body: agentChange,
      handle({ params, body }: AdminRequest<v.Infer<typeof agentChange>>) {
        const { id } = requireAgent(context, params.id);
        commit(() => {
          setGraphs(context, id, body.graphs);
          startAgentServer(context, id);
        });
        return describeAgent(context, requireAgent(context, id));
      },
    },
    {
      method: "GET",
      path: `${agentPath}/assistants/{assistant}`,
      handle: ({ params }) => describeAssistant(context, params),
    },
    { method: "GET", path: `${agentPath}/crons/{cron}`, handle: ({ params }) => describeCron(context, params) },
    {
      method: "GET",
      path: threadPath,
      handle: ({ params }) => describeThread(context, requireThread(context, params)),
    },
    {
      method: "GET",
      path: `${threadPath}/history`,
      handle: ({ params }) => historyOf(context, requireThread(context, params).thread),
    },
    {
      method: "PATCH",
      path: threadPath,
      body: threadChange,
      handle: ({ params, body }: AdminRequest<v.Infer<typeof threadChange>>) =>
        commit(() => {
          const { thread } = requireThread(context, params);
          updateThread(context, thread, body);
          return threadResponse(context, thread);
        }),
    },
    {
      method: "DELETE",
      path: threadPath,
      handle: ({ params }) => commit(() => deleteThreadRecord(context, requireThread(context, params).thread)),
    },
    {
      method: "POST",
      path: `${threadPath}/runs`,
      body: cronRun,
      status: 201,
      handle: ({ params, body }: AdminRequest<v.Infer<typeof cronRun>>) =>
        commit(() => startCronRun(context, requireThread(context, params), body)),
    },
  ];
}

async function describeAgent(context: Context, deployment: DeploymentRecord): Promise<Record<string, unknown>> {
  const { id, name, secret_references } = deployment;
  const secrets = openSecrets(context, id, deployment.secrets);
  const agent = context.agents.find(deployment.active_revision_id);
  const own = agent && Object.fromEntries((await agent.graphs()).map((name) => [name, "process"]));
  const count = (sql: string) => Number(context.store.get(sql, id)?.n);
  return {
    deployment_id: id,
    name,
    serves: deployment.active_revision_id !== null && !isDeleting(deployment),
    graphs: own ?? graphsOf(context, deployment),
    agent_auth: context.settings.agentAuth,
    // The process that responds; null for the built-in graphs.
    process: agent?.describe() ?? null,
    // API `2A.Secret.value:environment`: secrets are environment variables. Their values are not shown.
    environment: [...secrets, ...(secret_references ?? [])].map((secret) => secret.name),
    assistants: count("SELECT count(*) AS n FROM assistants WHERE deployment_id = ?"),
    crons: count("SELECT count(*) AS n FROM crons WHERE deployment_id = ?"),
    threads: count("SELECT count(*) AS n FROM threads WHERE deployment_id = ?"),
    runs: count("SELECT count(*) AS n FROM agent_runs JOIN threads ON threads.seq = thread WHERE deployment_id = ?"),
  };
}

/** Returns an assistant with its deployment and all its versions. */
function describeAssistant(context: Context, params: Record<string, string>) {
  const { id, name } = requireAgent(context, params.id);
  const assistant = assistantById(context.store, id, params.assistant ?? "");
  if (!assistant) throw new ApiError(404, `Assistant '${params.assistant}' not found`);
  const versions = versionsOf(context.store, assistant).map((version) =>
    versionResponse(context, assistant.id, version),
  );
  return { ...assistantResponse(context, assistant), deployment: { id, name }, versions };
}

function describeCron(context: Context, params: Record<string, string>) {
  const { id, name } = requireAgent(context, params.id);
  const cron = cronById(context.store, id, params.cron ?? "");
  if (!cron) throw new ApiError(404, `Cron '${params.cron}' not found`);
  return { ...cronResponse(context, cron), deployment: { id, name } };
}

/** Returns a thread with its deployment and its newest checkpoints. */
function describeThread(
  context: Context,
  { deployment, thread }: { deployment: DeploymentRecord; thread: ThreadRecord },
) {
  const checkpoints = checkpointsOf(context.store, thread, { limit: MAX_CHECKPOINTS }).map(
    ({ id, created_at, next, metadata: { source, step } }) => ({ id, created_at, source, step, next }),
  );
  return {
    ...threadResponse(context, thread),
    deployment: { id: deployment.id, name: deployment.name },
    error: thread.error,
    checkpoints,
  };
}

/** How many checkpoints the description of a thread contains, and its history. */
const MAX_CHECKPOINTS = 50;

/** Returns the newest states of a thread, as its agent server does, which may require a key. */
function historyOf(context: Context, thread: ThreadRecord) {
  const checkpoints = checkpointsOf(context.store, thread, { limit: MAX_CHECKPOINTS });
  return checkpoints.map((checkpoint) => stateResponse(context, thread, checkpoint));
}

function startCronRun(
  context: Context,
  { deployment, thread }: { deployment: DeploymentRecord; thread: ThreadRecord },
  { assistant_id, input = {}, cron_id }: v.Infer<typeof cronRun>,
) {
  const cronMetadata = cron_id === undefined ? {} : { cron_id };
  const defaults = { multitask_strategy: "enqueue", if_not_exists: "reject", on_completion: "keep" } as const;
  const run = enqueueRun(context, { deployment, user: undefined }, thread, {
    assistant_id,
    input,
    metadata: cronMetadata,
    ...defaults,
    on_disconnect: "continue",
  });
  updateThread(context, thread, { metadata: { ...thread.metadata, ...cronMetadata } });
  return runResponse(context, thread, run);
}

function requireAgent({ store }: Context, id = ""): DeploymentRecord {
  const deployment = deploymentById(store, id);
  if (deployment) return deployment;
  throw new ApiError(404, `Deployment ${id} not found`);
}

function requireThread(context: Context, params: Record<string, string>) {
  const deployment = requireAgent(context, params.id);
  const thread = threadById(context.store, deployment.id, params.thread ?? "");
  if (thread) return { deployment, thread };
  throw new ApiError(404, `Thread with ID ${params.thread} not found`);
}
