/**
 * Facts that only another revision of a deployment shows. It must be one of the run: its secrets and assistants are
 * changed.
 */
import { defaultAssistantId } from "../../statements/assistants.ts";
import type { Subject } from "../../statements/check.ts";
import { type Api, describe, ok, type Reply } from "../../target/http.ts";
import { expect, type Told } from "../story.ts";
import { isSame, revisionAfter, waitForRevision } from "./rollouts.ts";

const [REVISION, NO_REMOVAL, SKIPPED, DEFAULT_ASSISTANT] = [
  "10A.revision",
  "10A.no-removal",
  "10A.skipped",
  "2B.Assistant.default:revision",
] as const;
const ROUTE = "/v2/deployments/{deployment_id}/revisions";
const [KEPT, SKIPPED_STATUS, POST, INTERRUPT, REDEPLOY] = [
  "4A.PATCH:secrets",
  "3.Revision status:skipped",
  `4A.POST ${ROUTE}`,
  `4A.POST ${ROUTE}/{revision_id}/interrupt`,
  `4A.POST ${ROUTE}/{revision_id}/redeploy`,
];
/** The facts. */
export const NEXT_REVISION: readonly string[] = [
  ...[REVISION, NO_REMOVAL, SKIPPED, DEFAULT_ASSISTANT],
  ...[KEPT, SKIPPED_STATUS, POST, INTERRUPT, REDEPLOY],
];

/** Rolls out two revisions at once, of which the second one becomes live. */
export async function lookAtNextRevision(told: Told, subject: Subject): Promise<void> {
  const { nextImage, image, agentUrl } = told.run.options;
  const { controlPlane, deployment, agentServer } = subject;
  const why = !deployment ? "the run had no deployment" : nextImage ? undefined : "--next-image was not given";
  if (why || !controlPlane || !deployment) {
    for (const id of NEXT_REVISION) told.notSeen(id, why ?? "the run had no control plane");
    return;
  }
  const path = `/v2/deployments/${deployment.live.body.id}`;
  const live = String((await controlPlane.get(path)).body.active_revision_id);
  const hasDefault = agentServer && !agentUrl && (await removeDefaultAssistant(agentServer, subject));
  // An emulator would end the first rollout at once.
  const { emulator } = told.run.server;
  const hold = await emulator?.faults.add({ hold: { deployment: told.name, status: "QUEUED" } });
  await rollOut(controlPlane, path, { secrets: [], source_revision_config: { image_uri: nextImage } });
  const first = await revisionAfter(told.run, deployment.live.body.id, live);
  told.saw(REVISION, first !== undefined, "a PATCH of the image makes no revision within a minute");
  await rollOut(controlPlane, path, { source_revision_config: { image_uri: image } });
  if (hold) await emulator?.faults.clear(hold.id);
  await waitForRevision(told.run, deployment.live.body.id, live);

  const { secrets = [], latest_revision_id: latest } = (await controlPlane.get(path)).body;
  told.saw(KEPT, secrets.length > 0, "an empty list of secrets removes the last secret");
  told.saw(NO_REMOVAL, secrets.length > 0, "an empty list of secrets removes the last secret");
  const { status } = (await controlPlane.get(`${path}/revisions/${first}`)).body ?? {};
  if (status === "SKIPPED") told.saw(SKIPPED_STATUS);
  else told.notSeen(SKIPPED_STATUS, `the server does not skip the first of two revisions (${status})`);
  if (status === "SKIPPED")
    told.saw(SKIPPED, !isSame(first, latest), "the newest revision is the one that was skipped");
  else told.notSeen(SKIPPED, `the server does not skip the first of two revisions (${status})`);
  if (!agentServer || !hasDefault) told.notSeen(DEFAULT_ASSISTANT, "the agent server has no default assistant");
  else await lookAtAssistants(told, agentServer, subject);
  await lookAtRoutes(told, controlPlane, path);
}

/** Creates revisions by the routes of revisions. The last step, since nothing waits for them. */
async function lookAtRoutes(told: Told, api: Api, path: string): Promise<void> {
  const { emulator } = told.run.server;
  const { active_revision_id: active, source_revision_config } = (await api.get(path)).body;
  await emulator?.faults.add({ hold: { deployment: told.name, status: "QUEUED" } });
  const created = await api.post(`${path}/revisions`, {
    source_revision_config: { image_uri: source_revision_config.image_uri },
  });
  told.saw(POST, ok(created), describe(created));
  const redeployed = await api.post(`${path}/revisions/${active}/redeploy`, undefined);
  told.saw(REDEPLOY, ok(redeployed), describe(redeployed));
  const latest = (await api.get(path)).body.latest_revision_id;
  if (isSame(latest, active)) return told.notSeen(INTERRUPT, "no route makes a revision that could be interrupted");
  const interrupted = await api.post(`${path}/revisions/${latest}/interrupt`, undefined);
  told.saw(INTERRUPT, ok(interrupted) || interrupted.status === 409, describe(interrupted));
}

async function rollOut(api: Api, path: string, change: object): Promise<void> {
  const changed = await api.patch(path, change);
  expect(ok(changed), "a PATCH of the image succeeds", describe(changed));
}

const defaultPath = ({ assistant }: { assistant: Reply }) =>
  `/assistants/${defaultAssistantId(assistant.body.graph_id)}`;

async function removeDefaultAssistant(api: Api, { assistant }: Subject): Promise<boolean> {
  return assistant !== undefined && ok(await api.delete(defaultPath({ assistant })));
}

async function lookAtAssistants(told: Told, api: Api, { assistant }: Subject): Promise<void> {
  if (!assistant) return;
  const created = await api.get(defaultPath({ assistant }));
  const kept = await api.get(`/assistants/${assistant.body.assistant_id}`);
  const instead = ok(kept) ? `the default assistant is not created again: ${describe(created)}` : "another is deleted";
  told.saw(DEFAULT_ASSISTANT, ok(created) && ok(kept), instead);
}
