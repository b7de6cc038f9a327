import { ApiError } from "../runtime/errors";
import type { Settings } from "../runtime/options";

/** Rejects a workspace whose plan lacks a feature; real servers return "not enabled" (interface-notes.md section 2). */
function requirePlan({ plan }: Pick<Settings, "plan">, featureName: string): void {
  if (plan === "developer") throw new ApiError(403, `${featureName} are not enabled for the plan of this workspace`);
}

/** Bulk exports require a paid plan (interface.md section 1 C). */
export const assertExportsInPlan = (settings: Pick<Settings, "plan">) => requirePlan(settings, "Bulk exports");

/** Some plans do not include listeners (interface-notes.md section 2, row GET /v2/listeners). */
export const assertListenersInPlan = (settings: Pick<Settings, "plan">) => requirePlan(settings, "Listeners");
