/** Waits for rollouts that the engine did not start. */
import { setTimeout as pause } from "node:timers/promises";
import { Interrupted, type Run, StoryFailure } from "../story.ts";

/** Whether two IDs are equal: a UUID has no case. */
export const isSame = (one: unknown, other: unknown) => String(one).toLowerCase() === String(other).toLowerCase();

/**
 * Returns the revision that a change made, which may exist up to a minute later (API `10A.revision`); undefined for
 * none.
 */
export async function revisionAfter({ server, stop }: Run, id: string, before: string): Promise<string | undefined> {
  const end = Date.now() + 60_000;
  while (!stop.aborted) {
    const { latest_revision_id: latest } = (await server.controlPlane?.get(`/v2/deployments/${id}`))?.body ?? {};
    if (latest && !isSame(latest, before)) return String(latest);
    if (Date.now() > end) return undefined;
    await pause(server.kind === "emulator" ? 50 : 5000);
  }
  throw new Interrupted();
}

/** Waits until a newer revision than `before` is live. */
export async function waitForRevision({ server, options, stop }: Run, id: string, before: string): Promise<void> {
  const end = Date.now() + options.timeoutMinutes * 60_000;
  while (Date.now() < end) {
    if (stop.aborted) throw new Interrupted();
    const { body } = (await server.controlPlane?.get(`/v2/deployments/${id}`)) ?? {};
    const { active_revision_id: active, latest_revision_id: latest } = body ?? {};
    if (active && isSame(active, latest) && !isSame(active, before)) return;
    await pause(server.kind === "emulator" ? 50 : 5000);
  }
  throw new StoryFailure(`No newer revision of deployment ${id} was live within ${options.timeoutMinutes} minutes.`);
}
