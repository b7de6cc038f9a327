import { createHash, randomUUID } from "node:crypto";
import { commandsFor } from "../../runtime/agents/commands";
import type { Context } from "../../runtime/context";
import { durations } from "../../runtime/limits";
import { type LogLine, type LogType, writeLog } from "../logs/logs";
import { isDeleting } from "../lookup";
import { sealCommands } from "../model/commands";
import {
  type DeploymentRecord,
  deploymentById,
  insert,
  type RevisionRecord,
  type RolloutPlan,
  recordStatus,
  requiresBuild,
  revisionById,
  revisionsOf,
  updateDeployment,
  updateRevision,
} from "../model/records";
import type { SourceRevisionConfig } from "../model/schemas";
import { openSecrets } from "../model/secrets";
import { resolveCommit } from "../sources/commits";
import { logLinesFor } from "./log-lines";
import { planRollout } from "./plan";

/** Statuses that a revision never leaves by itself. */
export const finalStatuses = ["DEPLOYED", "CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED"];
/** Statuses before the rollout starts. */
const pendingStatuses = ["CREATING", "QUEUED"];

/** Returns the plan of a revision that has ended. */
function endedPlan({ source }: RolloutPlan): RolloutPlan {
  return { steps: [], logs: [], ...(source && { source }) };
}

/** Creates a revision and schedules its first transition. */
export function startRevision(
  context: Context,
  deployment: DeploymentRecord,
  config: SourceRevisionConfig,
): RevisionRecord {
  const { store, clock, faults } = context;
  const now = clock.isoNow();
  const id = randomUUID();
  const { repo_url } = deployment.source_config;
  const repo_commit_sha =
    config.repo_commit_sha ?? (repo_url ? resolveCommit(context, repo_url, config.repo_ref) : null);
  const source_revision_config = { ...config, repo_commit_sha };
  const plan = planRollout(context, deployment, config, faults.takeForRevision(deployment.name));
  const { secrets } = deployment;
  const base = { id, deployment_id: deployment.id, created_at: now, updated_at: now };
  const commands = sealCommands(context, deployment);
  insert(store, "revisions", { ...base, status: "CREATING", source_revision_config, secrets, commands, plan });
  recordStatus(context, id);
  updateDeployment(context, deployment.id, { latest_revision_id: id });
  const revision = revisionById(store, id);
  if (!revision) throw new Error(`revision ${id} was not stored`);
  scheduleStep(context, deployment, revision);
  return revision;
}

/** Registers the job handlers of rollouts. */
export function registerRolloutJobs(context: Context): void {
  const { scheduler, store, faults } = context;
  scheduler.registerHandler("database-ready", ({ owner }) => {
    const deployment = deploymentById(store, owner);
    if (deployment?.status !== "AWAITING_DATABASE") return;
    updateDeployment(context, owner, { status: "READY" });
    continueQueue(context, owner);
  });
  scheduler.registerHandler("revision-step", ({ subject }) => advanceRevision(context, subject));
  faults.onRelease = () => resumeRollouts(context);
}

/** Ends a revision and continues with the next one in the queue. Returns false if it has already ended. */
export function interruptRevision(context: Context, revision: RevisionRecord): boolean {
  if (isFinal(revision)) return false;
  context.scheduler.cancel(revision.id);
  writeLog(context, revision, "deploy", [{ level: "WARNING", message: "Interrupted on request" }]);
  updateRevision(context, revision.id, { status: "INTERRUPTED", plan: endedPlan(revision.plan) });
  continueQueue(context, revision.deployment_id);
  return true;
}

/** Interrupts all revisions of a deployment. */
export function stopRollouts(context: Context, deployment: DeploymentRecord): void {
  context.scheduler.cancelByOwner(deployment.id);
  for (const revision of revisionsOf(context.store, deployment.id)) {
    if (isFinal(revision)) continue;
    updateRevision(context, revision.id, { status: "INTERRUPTED", plan: endedPlan(revision.plan) });
  }
}

function isFinal(revision: RevisionRecord): boolean {
  return finalStatuses.includes(revision.status) && revision.plan.steps.length === 0;
}

/**
 * Returns whether a command decides how long a revision stays in its status. A revision that a fault or its content
 * lets fail runs no command.
 */
export function awaitsCommand(
  { settings }: Pick<Context, "settings">,
  deployment: DeploymentRecord,
  { status, plan }: RevisionRecord,
): boolean {
  const isTimed = (status !== "BUILDING" && status !== "DEPLOYING") || plan.finished === status;
  return !isTimed && plan.steps.at(-1) === "DEPLOYED" && commandsFor(settings, deployment) !== undefined;
}

/**
 * Continues a revision whose command has ended; with a `failure`, it fails. Real time decides that, so it does not wait
 * for the clock. Does nothing if the revision has left the status.
 */
export function finishCommand(context: Context, id: string, status: string, failure?: string): void {
  const revision = revisionById(context.store, id);
  if (revision?.status !== status) return;
  const failed = { steps: [status === "BUILDING" ? "BUILD_FAILED" : "DEPLOY_FAILED"] };
  const logs = failure === undefined ? [] : [{ level: "ERROR", message: failure }];
  const plan = { ...revision.plan, finished: status, ...(failure !== undefined && { ...failed, logs }) };
  updateRevision(context, id, { plan });
  advanceRevision(context, id);
}

/** Moves a revision to its next status, unless it has to wait. */
function advanceRevision(context: Context, id: string): void {
  const { store } = context;
  const revision = revisionById(store, id);
  const deployment = revision && deploymentById(store, revision.deployment_id);
  if (!deployment || isDeleting(deployment) || context.faults.isOnHold(deployment.name, revision.status)) return;
  if (revision.status === "QUEUED" && !isNextInQueue(context, deployment, revision)) return;
  const [status, ...steps] = revision.plan.steps;
  if (status === undefined) return;
  enterStatus(context, deployment, { ...revision, status, plan: { ...revision.plan, steps } });
}

/** Stores the new status and its consequences. */
function enterStatus(context: Context, deployment: DeploymentRecord, revision: RevisionRecord): void {
  const { id, status, plan } = revision;
  const config =
    status === "AWAITING_DEPLOY" ? withBuiltImage(context, deployment, revision) : revision.source_revision_config;
  updateRevision(context, id, { status, plan, source_revision_config: config });
  for (const [type, lines] of logEntries(context, deployment, revision)) writeLog(context, revision, type, lines);
  if (status === "DEPLOYED") updateDeployment(context, deployment.id, { active_revision_id: id });
  if (status === "QUEUED") skipSuperseded(context, deployment, revision);
  if (isFinal(revision)) continueQueue(context, deployment.id);
  else scheduleStep(context, deployment, revision);
}

/** Skips queued revisions older than another one that has reached the queue. */
function skipSuperseded(context: Context, deployment: DeploymentRecord, queued: RevisionRecord): void {
  const reached = revisionsOf(context.store, deployment.id).filter((other) => other.status !== "CREATING");
  for (const older of reached.filter((other) => other.status === "QUEUED")) {
    const newer = reached.find((other) => other.seq > older.seq);
    if (!newer) continue;
    context.scheduler.cancel(older.id);
    writeLog(context, older, "deploy", [`Skipped: revision ${newer.id} is newer`]);
    updateRevision(context, older.id, { status: "SKIPPED", plan: endedPlan(older.plan) });
    if (older.id === queued.id) queued.plan = endedPlan(queued.plan);
  }
}

function isNextInQueue(context: Context, deployment: DeploymentRecord, revision: RevisionRecord): boolean {
  if (deployment.status === "AWAITING_DATABASE") return false;
  const others = revisionsOf(context.store, deployment.id).filter((other) => other.id !== revision.id);
  return others.every((other) => pendingStatuses.includes(other.status) || isFinal(other));
}

/** Continues the queued revision of a deployment after the one before it ended. */
function continueQueue(context: Context, deploymentId: string): void {
  const deployment = deploymentById(context.store, deploymentId);
  const queued = revisionsOf(context.store, deploymentId).find((revision) => revision.status === "QUEUED");
  if (deployment && queued && !context.scheduler.isScheduled(queued.id)) scheduleStep(context, deployment, queued);
}

/** Sets a revision's status out of band; it stays in that status. */
export function forceStatus(context: Context, revision: RevisionRecord, status: string): void {
  context.scheduler.cancel(revision.id);
  updateRevision(context, revision.id, { status, plan: endedPlan(revision.plan) });
  if (status === "DEPLOYED") updateDeployment(context, revision.deployment_id, { active_revision_id: revision.id });
}

/** Continues revisions that a hold or the status of their deployment had stopped. */
export function resumeRollouts(context: Context): void {
  for (const row of context.store.all("SELECT id FROM revisions")) {
    const revision = revisionById(context.store, String(row.id));
    const deployment = revision && deploymentById(context.store, revision.deployment_id);
    if (!deployment || isFinal(revision) || context.scheduler.isScheduled(revision.id)) continue;
    scheduleStep(context, deployment, revision);
  }
}

function scheduleStep(context: Context, deployment: DeploymentRecord, revision: RevisionRecord): void {
  if (revision.plan.steps.length === 0 || awaitsCommand(context, deployment, revision)) return;
  const delayMs = durations.revision[revision.status] ?? durations.otherStatus;
  context.scheduler.schedule(delayMs, { kind: "revision-step", subject: revision.id, owner: deployment.id });
}

/** A build sets an image (API `2A.SourceRevisionConfig.image_uri:built`), except with the bare interface. */
function withBuiltImage(
  { settings }: Context,
  deployment: DeploymentRecord,
  revision: RevisionRecord,
): SourceRevisionConfig {
  const config = revision.source_revision_config;
  if (settings.interfaceOnly || !requiresBuild(deployment)) return config;
  const digest = createHash("sha256").update(revision.id).digest("hex");
  return { ...config, image_uri: `registry.example/${deployment.name}@sha256:${digest}` };
}

function logEntries(context: Context, deployment: DeploymentRecord, revision: RevisionRecord): [LogType, LogLine[]][] {
  // What commands print is the log, not the description of what a server would do.
  const isReal = revision.plan.finished !== undefined || awaitsCommand(context, deployment, revision);
  const secrets = openSecrets(context, deployment.id, revision.secrets);
  const entries = isReal ? [] : logLinesFor(deployment, revision, secrets.length);
  if (revision.plan.steps.length > 0 || revision.plan.logs.length === 0) return entries;
  const failedEarly =
    revision.status === "BUILD_FAILED" || (revision.status === "CREATE_FAILED" && requiresBuild(deployment));
  return [...entries, [failedEarly ? "build" : "deploy", revision.plan.logs]];
}
