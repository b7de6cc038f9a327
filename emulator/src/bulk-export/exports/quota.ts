import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { durations, limits } from "../../runtime/limits";
import { nowMicros } from "../timestamps";
import { countExports, creationsSince } from "./records";

/** Returns whether quotas apply; self-hosted installations have none (API `8.Self-hosted`). */
export function hasQuotas({ settings }: Pick<Context, "settings">): boolean {
  return settings.edition !== "self-hosted";
}

/** Enforces the quotas of exports (API `7.429`). @throws ApiError 429 */
export function assertWithinQuota(context: Context, tenantId: string, isSchedule: boolean): void {
  if (!hasQuotas(context)) return;
  const { activeSchedules, creationsPerHour } = limits.exports;
  if (isSchedule && countExports(context.store, tenantId, "INTERVAL_SCHEDULED") >= activeSchedules) {
    const advice = "cancel one before another is created";
    throw new ApiError(429, `This workspace already has ${activeSchedules} active scheduled bulk exports: ${advice}`);
  }
  if (msUntilCreationAllowed(context, tenantId) === 0) return;
  const limit = `the limit of ${creationsPerHour} bulk export creations in a rolling 60 minutes`;
  throw new ApiError(429, `This workspace has reached ${limit}: try again once earlier ones are older`);
}

/** Returns the milliseconds until one more export may be created; 0 if it may be now. Scheduled exports count, too. */
export function msUntilCreationAllowed(context: Context, tenantId: string): number {
  if (!hasQuotas(context)) return 0;
  const now = nowMicros(context.clock);
  const windowMicros = durations.export.creationWindow * 1000;
  const times = creationsSince(context.store, tenantId, now - windowMicros);
  const blocking = times[times.length - limits.exports.creationsPerHour];
  return blocking === undefined ? 0 : Math.ceil((blocking + windowMicros - now) / 1000);
}
