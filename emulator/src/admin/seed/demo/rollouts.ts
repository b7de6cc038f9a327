/** The revisions of the demo's deployments, as their rollouts in the past left them. */
import { writeLog } from "../../../control-plane/logs/logs";
import {
  deploymentById,
  insert,
  revisionById,
  updateDeployment,
  updateRevision,
} from "../../../control-plane/model/records";
import { sealSecrets } from "../../../control-plane/model/secrets";
import { logLinesFor } from "../../../control-plane/rollout/log-lines";
import type { Context } from "../../../runtime/context";
import { uuidFromName } from "./prng";
import type { Rollout } from "./workspace";

const HOUR_MS = 3_600_000;

/** How long a rollout is in each status, in seconds. One that fails is DEPLOYING for longer. */
const durations: [status: string, seconds: number][] = [
  ["CREATING", 1],
  ["QUEUED", 2],
  ["AWAITING_DEPLOY", 4],
  ["DEPLOYING", 38],
];

export const secretsOf = ({ secrets }: Rollout) => secrets.map((name) => ({ name, value: "a-key-for-show" }));

/** Seeds one revision with its status history and its log. */
export function seedRollout(context: Context, deploymentId: string, image: string, rollout: Rollout): void {
  const { store, clock } = context;
  const { tag, hoursAgo, failure } = rollout;
  const id = uuidFromName(`revision ${image}:${tag}`);
  const steps: [string, number][] = [...durations, [failure ? "DEPLOY_FAILED" : "DEPLOYED", 0]];
  let at = clock.now() - hoursAgo * HOUR_MS;
  clock.runAt(at, () => {
    const times = { created_at: clock.isoNow(), updated_at: clock.isoNow() };
    insert(store, "revisions", {
      ...{ id, deployment_id: deploymentId, status: "CREATING", ...times },
      source_revision_config: { image_uri: `${image}:${tag}` },
      secrets: sealSecrets(context, deploymentId, secretsOf(rollout)),
      plan: { steps: [], logs: [], ...(failure && { stopsAt: failure.stopsAt }) },
    });
    updateDeployment(context, deploymentId, { latest_revision_id: id });
  });
  for (const [status, seconds] of steps) {
    clock.runAt(at, () => enterStatus(context, id, status, rollout));
    at += (status === "DEPLOYING" && failure ? failure.seconds : seconds) * 1000;
  }
}

function enterStatus(context: Context, id: string, status: string, { secrets, failure }: Rollout): void {
  updateRevision(context, id, { status });
  const revision = revisionById(context.store, id);
  const deployment = revision && deploymentById(context.store, revision.deployment_id);
  if (!deployment) return;
  for (const [type, lines] of logLinesFor(deployment, revision, secrets.length))
    writeLog(context, revision, type, lines);
  if (status === "DEPLOYED") updateDeployment(context, deployment.id, { active_revision_id: id });
  if (status === "DEPLOY_FAILED") writeLog(context, revision, "deploy", failure?.log ?? []);
}
