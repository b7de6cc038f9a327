/** Checks the servers: connectivity, API key, workspace, clock, optional routes and limits. */
import { Clients } from "../../provider/api/clients";
import { realClock } from "../../provider/http/clock";
import { isUnknownPath } from "../../provider/http/error-detail";
import { HttpError } from "../../provider/http/errors";
import { isLoopback } from "../../provider/http/loopback";
import { noRetry } from "../../provider/http/retry";
import { MAX_CREATIONS_PER_HOUR, MAX_SCHEDULES, quotaUsage } from "../../provider/resources/shared/bulk-exports/quota";
import { SERVERS, type ServerName } from "../../provider/settings/servers";
import type { Settings } from "../../provider/settings/settings";
import type { Surroundings } from "../shared/subcommand";
import type { Check, Group } from "./check";
import { answering } from "./connectivity";
import { checkRoutes } from "./routes";

/** Checks each server whose URL is set. */
export async function checkService(settings: Settings, { now }: Surroundings): Promise<Group[]> {
  // A user is waiting, so failed requests are not retried.
  const clients = new Clients(settings, { ...realClock, now }, noRetry);
  const names = (Object.keys(SERVERS) as ServerName[]).filter((name) => settings[SERVERS[name][0]] !== undefined);
  return Promise.all(names.map((name) => checkServer(name, settings, clients, now)));
}

const TITLES = { controlPlane: "Control plane", tracing: "Tracing API" } as const satisfies Record<ServerName, string>;

async function checkServer(name: ServerName, settings: Settings, clients: Clients, now: () => number): Promise<Group> {
  const title = `${TITLES[name]} ${settings[SERVERS[name][0]]?.origin}`;
  const missing = settings.missing[name];
  if (missing.length > 0) {
    const says = `not checked; missing settings: ${missing.map((setting) => setting.name).join(", ")}`;
    return { title, checks: [{ id: "answers", status: "skipped", says }] };
  }
  const answer = await (name === "controlPlane" ? askControlPlane(clients) : askTracing(settings, clients));
  if (answer.status === "fix") return { title, checks: [answer] };
  const skew = clockSkew(clients.clockSkewMs(name), settings[SERVERS[name][0]]);
  const own = name === "tracing" ? [workspace(settings, clients), limits(clients, now)] : [];
  const checks = await Promise.all([...own, checkRoutes(clients.http(name), name, settings.vocabulary)]);
  return { title, checks: [answer, skew, ...checks.flat()] };
}

const askControlPlane = ({ controlPlane }: Clients): Promise<Check> => answering(() => controlPlane.newestDeployment());

/** Tries several routes: a server may lack some, and a plan without exports rejects others. */
async function askTracing({ tenantId = "" }: Settings, { tracing }: Clients): Promise<Check> {
  const orElse = (ask: Promise<unknown>, other: () => Promise<unknown>) =>
    ask.catch((error: unknown) => {
      if (error instanceof HttpError && error.isUnsupportedRoute) return other();
      throw error;
    });
  const workspace = async () => {
    await tracing.getWorkspace(tenantId).catch((error: unknown) => {
      // A missing workspace still proves connectivity; a separate check reports it.
      if (!(error instanceof HttpError && error.isNotFound) || isUnknownPath(error.detail)) throw error;
    });
  };
  return answering(() => orElse(tracing.firstProject(), () => orElse(tracing.listExports(), workspace)));
}

/** Ignored clock skew in seconds: a Date header has a resolution of one second, and the response takes time. */
const TOLERATED_S = 60;

/** @param url URL of the server: on this machine it may be an emulator. */
function clockSkew(milliseconds: number, url: URL | undefined): Check {
  const id = "clock";
  const seconds = Math.round(milliseconds / 1000);
  if (Math.abs(seconds) <= TOLERATED_S) return { id, status: "ok", says: "clock in sync with this machine" };
  const says = `clock is ${spoken(Math.abs(seconds))} ${seconds > 0 ? "ahead of" : "behind"} the clock of this machine`;
  const todo =
    "Synchronize the clock of this machine (NTP). Previews use it for export windows, and signed requests may be rejected.";
  const onPurpose = url && isLoopback(url) ? " Ignore this if you moved the clock of an emulator on purpose." : "";
  return { id, status: "note", says, todo: todo + onPurpose };
}

function spoken(seconds: number): string {
  const [days, hours, minutes] = [seconds / 86_400, seconds / 3600, seconds / 60].map(Math.round) as [
    number,
    number,
    number,
  ];
  const [count, unit] = days > 1 ? [days, "days"] : hours > 1 ? [hours, "hours"] : [minutes, "minutes"];
  return count === 1 ? "a minute" : `${count} ${unit}`;
}

async function workspace({ tenantId = "" }: Settings, { tracing }: Clients): Promise<Check> {
  const id = "tenant";
  try {
    await tracing.getWorkspace(tenantId);
    return { id, status: "ok", says: `workspace ${tenantId} exists and the API key can access it` };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const skipped = { id, status: "skipped", says: "the server does not list workspaces" } as const;
    if (error.isUnsupportedRoute && (!error.isNotFound || isUnknownPath(error.detail))) return skipped;
    if (!error.isNotFound && !error.isUnauthorized)
      return { ...skipped, says: `could not check the workspace: ${error.detail}` };
    const todo =
      "Set tenantId to the ID of a workspace that the API key can access. The ID is in the settings of the platform.";
    return { id, status: "fix", says: `workspace ${tenantId}: ${error.detail}`, todo };
  }
}

/** Share of a limit from which it is reported as a note. */
const NEARLY = 0.9;

async function limits(clients: Clients, now: () => number): Promise<Check[]> {
  const id = "limits";
  try {
    const { schedules, creations } = quotaUsage(
      await clients.tracing.listExports(),
      now() + clients.clockSkewMs("tracing"),
    );
    return [
      limit(
        "schedules",
        schedules,
        MAX_SCHEDULES,
        "active schedules",
        "Cancel some before you declare a new one; waiting does not help.",
      ),
      limit(
        "creations",
        creations,
        MAX_CREATIONS_PER_HOUR,
        "exports created in the last hour",
        "Further exports wait for the quota: an update with new exports may take up to an hour.",
      ),
    ];
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isUnauthorized)
      return [{ id, status: "note", says: `no access to exports: ${error.detail}`, todo: error.hint ?? "" }];
    return [
      {
        id,
        status: "skipped",
        says: `cannot check quota usage, because the server does not list exports: ${error.detail}`,
      },
    ];
  }
}

function limit(id: string, used: number, most: number, what: string, todo: string): Check {
  const says = `${used} of ${most} ${what}`;
  return used < most * NEARLY ? { id, status: "ok", says } : { id, status: "note", says, todo };
}
