import { ApiError } from "../errors";
import type { Settings } from "../options";

/** Bulk exports are for paid tiers (interface.md section 1 C); without one live services say "not enabled". */
export function requirePlan({ plan }: Pick<Settings, "plan">): void {
  if (plan === "developer") throw new ApiError(403, "Bulk exports are not enabled for the plan of this workspace");
}
