/**
 * What the deployments that a plan replaces or deletes keep for their users: conversations, and what belongs to them.
 */

import { kindOfToken, parseUrn } from "../../provider/definition/type-token";
import { describeAtStake, type Stake } from "../conversations/at-stake";
import type { Change, Conversations } from "./change";
import type { Preview, Step } from "./preview/preview-json";
import { opOf } from "./preview/step";
import type { Review } from "./summary";

export type AskServer = (deploymentId: string) => Promise<Stake>;

const PROTECTED = /marked for protection|because it is protected/;
const URN = /urn:pulumi:[^"'\s]+/;

/**
 * Adds what is at stake to a review.
 * @param ask Asks the server of a deployment; undefined if no server is asked.
 * @param idOf Returns the ID of a protected deployment, of which a plan has no step.
 */
export async function withAtStake(
  review: Review,
  preview: Preview,
  ask: AskServer | undefined,
  idOf: (urn: string) => string | undefined = () => undefined,
): Promise<Review> {
  // What an update has deleted cannot be asked any more.
  const asked = preview.isApplied ? undefined : ask;
  const plan = { changes: review.changes, steps: preview.steps };
  const changes = await Promise.all(review.changes.map((change) => withStake(change, plan, asked)));
  const blocked = asked
    ? await Promise.all(protectedIn(preview).map((urn) => describeProtected(urn, asked, idOf)))
    : [];
  return { ...review, changes, diagnostics: [...review.diagnostics, ...blocked] };
}

interface Plan {
  changes: readonly Change[];
  steps: readonly Step[];
}

const LOST = "conversations-lost" as const;

async function withStake(change: Change, plan: Plan, ask: AskServer | undefined): Promise<Change> {
  const step = plan.steps.find(({ urn }) => urn === change.urn);
  const outcome = step && outcomeOf(step, change);
  if (!outcome) return withoutStake(change, plan);
  const stake = ask && (step.id === undefined ? { unknown: "the plan has no ID of it" } : await ask(step.id));
  const known = stake && "known" in stake ? { counts: stake.known } : (stake ?? {});
  const conversations: Conversations = { outcome, ...known };
  const isLost = outcome === "lost" && !isCertainlyEmpty(conversations);
  return { ...change, conversations, effects: [...change.effects, ...(isLost ? [LOST] : [])] };
}

/** Adds the loss of a thread alone, and of what is only possibly replaced. */
function withoutStake(change: Change, plan: Plan): Change {
  const { kind, effects, possible } = change;
  const mayBeLost = (kind === "Deployment" || kind === "Thread") && possible.includes("data-loss");
  return {
    ...change,
    effects: [...effects, ...(isLostThread(change, plan) ? [LOST] : [])],
    possible: [...possible, ...(mayBeLost ? [LOST] : [])],
  };
}

/** Whether a declared thread is lost that is neither lost with its deployment as a whole, nor kept with that. */
function isLostThread({ kind, effects, urn }: Change, { steps, changes }: Plan): boolean {
  const before = steps.find((step) => step.urn === urn)?.before;
  const deployment = steps.find(({ id }) => id !== undefined && id === before?.inputs.deploymentId);
  const change = changes.find((one) => one.urn === deployment?.urn);
  const outcome = deployment && change && outcomeOf(deployment, change);
  const isWithIt = outcome === "lost" || (outcome !== undefined && before?.deletedWith === deployment?.urn);
  return kind === "Thread" && effects.includes("data-loss") && !isWithIt;
}

const isCertainlyEmpty = ({ counts }: Conversations): boolean => counts?.threads === 0 && !counts.isPartial;

/** Returns undefined for a step that leaves its deployment on the server. */
function outcomeOf(step: Step, { effects, possible }: Change): Conversations["outcome"] | undefined {
  const op = opOf(step);
  const isRemoved = (op === "replace" || op === "delete") && step.before !== undefined && !step.before.isRetained;
  if (kindOfToken(step.type) !== "Deployment" || !isRemoved) return undefined;
  if ([...effects, ...possible].includes("data-loss")) return "lost";
  return op === "delete" ? "kept" : "moved";
}

const OUTCOMES = { lost: "would be lost", moved: "would be moved", kept: "would be kept in a backup" } as const;

/** `4,312 threads (7 wait for an answer, 3 busy), 12 assistants would be lost`; empty if no server was asked. */
export function describeConversations({ outcome, counts, unknown }: Conversations): string {
  if (unknown !== undefined) return `conversations unknown: ${unknown}`;
  if (!counts) return "";
  return `${describeAtStake(counts)} ${OUTCOMES[outcome]}${counts.isPartial ? ", as seen by this key" : ""}`;
}

/** Returns the deployments that the engine refuses to replace or delete. */
function protectedIn({ diagnostics }: Preview): string[] {
  const urns = diagnostics.flatMap(({ text, urn }) => (PROTECTED.test(text) ? [URN.exec(text)?.[0] ?? urn ?? ""] : []));
  return [...new Set(urns)].filter((urn) => kindOfToken(parseUrn(urn).type) === "Deployment");
}

export const hasProtected = (preview: Preview): boolean => protectedIn(preview).length > 0;

async function describeProtected(urn: string, ask: AskServer | undefined, idOf: (urn: string) => string | undefined) {
  const id = idOf(urn);
  const stake = id === undefined || !ask ? { unknown: "the state does not contain its ID" } : await ask(id);
  const known = "known" in stake ? { counts: stake.known } : stake;
  return `${parseUrn(urn).name}: without its protection, ${describeConversations({ outcome: "lost", ...known })}`;
}
