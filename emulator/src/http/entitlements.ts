import { ApiError } from "../runtime/errors";
import type { Settings } from "../runtime/options";

/** Rejects a workspace whose plan lacks a feature; real servers return "not enabled" (API `7.403`). */
function requirePlan({ plan }: Pick<Settings, "plan">, featureName: string): void {
  if (plan === "developer") throw new ApiError(403, `${featureName} are not enabled for the plan of this workspace`);
}

/** Bulk exports require a paid plan (API `1C:plan`). */
export const assertExportsInPlan = (settings: Pick<Settings, "plan">) => requirePlan(settings, "Bulk exports");

/** Some plans do not include listeners (API `4A.GET /v2/listeners`). */
export const assertListenersInPlan = (settings: Pick<Settings, "plan">) => requirePlan(settings, "Listeners");
