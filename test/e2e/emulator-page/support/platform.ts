/** What the page shows in these tests: resources as Pulumi programs and their users create them, over the API. */
import type { EmulatorOptions } from "../../../../emulator/src/index";
import { startWorkspace, toSnakeCase, type Workspace } from "../../../support/exports/exports";
import { type Platform, type RemoteObject, startPlatform } from "../../../support/platform";

/** Long enough for a rollout or a run to finish. */
export const ROLLOUT_MS = 10_000;

/** The secret value of each deployment. */
export const SECRET = "hidden-value";

/** Returns the body that creates a deployment. */
const deployment = (name: string, tag: string, change: object = {}) => ({
  name,
  source: "external_docker",
  source_config: { resource_spec: {} },
  source_revision_config: { image_uri: image(tag) },
  secrets: [{ name: "MODEL_API_KEY", value: SECRET }],
  ...change,
});

const image = (tag: string) => `registry.example.com/team/support-agent:${tag}`;

/** Sends a request that must succeed, and returns the body of the response. */
export async function send(platform: Platform, method: string, path: string, body?: unknown): Promise<RemoteObject> {
  const response = await platform.call(method, path, body, {
    "x-api-key": "any",
    "user-agent": "pulumi-agentgraph/0.1.0",
  });
  expect(response.status).toBeLessThan(300);
  return response.body;
}

export const create = (platform: Platform, name: string, tag = "1.0.0", change: object = {}) =>
  send(platform, "POST", "/v2/deployments", deployment(name, tag, change));

/** Starts a platform with the deployment `support-agent`, whose rollout takes ROLLOUT_MS. */
export async function startWithAgent(options: EmulatorOptions = {}): Promise<{ platform: Platform; id: string }> {
  const platform = await startPlatform(options);
  return { platform, id: (await create(platform, "support-agent")).id };
}

/** Creates a revision with another image. */
export const update = (platform: Platform, id: string, tag: string) =>
  send(platform, "PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: image(tag) } });

export const FAILURE = "no such tag: 1.2.0";

/** Updates a deployment to a revision that fails. */
export async function updateInVain(platform: Platform, id: string): Promise<void> {
  await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: ["pulling the image", FAILURE] } });
  await update(platform, id, "1.2.0");
  await platform.advance(ROLLOUT_MS);
}

export const QUESTION = "Where is my order?";

/** Creates a thread with a question and its response. */
export async function converse(platform: Platform, deploymentId: string, question: string): Promise<string> {
  const base = `/agents/${deploymentId}/threads`;
  const thread = await send(platform, "POST", base, { metadata: { customer: "c-1" } });
  const { thread_id: id } = thread as RemoteObject & { thread_id: string };
  const input = { messages: [{ type: "human", content: question }] };
  await send(platform, "POST", `${base}/${id}/runs`, { assistant_id: "echo", input });
  await platform.advance(ROLLOUT_MS);
  return id;
}

export async function createExport(workspace: Workspace, change: object = {}): Promise<string> {
  const body = toSnakeCase(workspace.oneTime({ ...change }));
  const { id } = (await workspace.callTracingApi("POST", "bulk-exports", body)).body;
  return id;
}

/** Creates an assistant with two versions, and a cron of it. Returns the ID of each. */
export async function configure(
  platform: Platform,
  deploymentId: string,
): Promise<{ assistant: string; cron: string }> {
  const base = `/agents/${deploymentId}`;
  const context = { model: "small", prompt: "You work at the order desk.\nYou are polite." };
  const body = { graph_id: "agent", name: "Order desk", context };
  const created = await send(platform, "POST", `${base}/assistants`, body);
  const { assistant_id } = created as RemoteObject & { assistant_id: string };
  await send(platform, "PATCH", `${base}/assistants/${assistant_id}`, {
    context: { model: "large", prompt: "You work at the order desk.\nYou are polite and short." },
  });
  const schedule = { schedule: "0 9 * * MON-FRI", timezone: "Europe/Berlin", input: {} };
  const cron = await send(platform, "POST", `${base}/runs/crons`, { assistant_id, ...schedule });
  return { assistant: assistant_id, cron: (cron as RemoteObject & { cron_id: string }).cron_id };
}

/** A platform with something in every view. */
export interface BusyPlatform extends Workspace {
  failed: string;
  assistant: string;
  cron: string;
  thread: string;
  export: string;
  /** The request that created the first deployment. */
  request: number;
}

export async function startBusyPlatform(): Promise<BusyPlatform> {
  const workspace = await startWorkspace();
  const { id: failed } = await create(workspace, "support-agent");
  await workspace.advance(ROLLOUT_MS);
  await update(workspace, failed, "1.1.0");
  await workspace.advance(ROLLOUT_MS);
  await updateInVain(workspace, failed);
  const { id: live } = await create(workspace, "billing-agent", "2.0.0");
  const exportId = await createExport(workspace);
  await workspace.advance(15 * 60_000);
  const thread = await converse(workspace, live, QUESTION);
  await converse(workspace, live, "Thank you!");
  const { assistant, cron } = await configure(workspace, live);
  await workspace.callTracingApi("POST", "bulk-exports", toSnakeCase(workspace.daily()));
  await update(workspace, live, "2.1.0");
  await workspace.advance(1_000);
  await workspace.call("GET", "/v2/deployments/00000000-0000-4000-8000-000000000000");
  await workspace.emulator.faults.add({ method: "GET", path: "/v2/deployments/**", status: 503, times: 3 });
  const [created] = workspace.emulator.requestLog.entries();
  return {
    ...workspace,
    failed,
    assistant: `${live}/${assistant}`,
    cron: `${live}/${cron}`,
    thread: `${live}/${thread}`,
    export: exportId,
    request: created?.id ?? 0,
  };
}
