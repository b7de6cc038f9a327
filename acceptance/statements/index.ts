/** All checks of facts. */
import { agentServer } from "./agent-server.ts";
import { assistants } from "./assistants.ts";
import { type Check, NotSeen, type Subject } from "./check.ts";
import { controlPlane } from "./control-plane.ts";
import { crons } from "./crons.ts";
import { existingThreads } from "./existing-threads.ts";
import { shared } from "./shared.ts";
import { today } from "./today.ts";
import { todaysRoutes } from "./today-routes.ts";
import { tracing } from "./tracing.ts";

export const checks: readonly Check[] = [
  ...shared,
  ...controlPlane,
  ...agentServer,
  ...existingThreads,
  ...assistants,
  ...crons,
  ...tracing,
  ...today,
  ...todaysRoutes,
];

export interface CheckResult {
  id: string;
  seen: "holds" | "differs" | "not seen";
  /** What the server did instead, or why it was not seen. */
  detail?: string;
}

/** Performs a check. An unexpected form of a response is what the server did instead. */
export async function perform({ id, check }: Check, subject: Subject): Promise<CheckResult> {
  try {
    const verdict = await check(subject);
    return verdict === true ? { id, seen: "holds" } : { id, seen: "differs", detail: verdict };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { id, seen: error instanceof NotSeen ? "not seen" : "differs", detail };
  }
}
