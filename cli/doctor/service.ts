/** Checks the servers: connectivity, API key, workspace, clock, optional routes and limits. */
import { Clients } from "../../provider/api/clients";
import type { Sender } from "../../provider/api/connection";
import { realClock } from "../../provider/http/clock";
import { isUnknownPath } from "../../provider/http/error-detail";
import { HttpError } from "../../provider/http/errors";
import { isLoopback } from "../../provider/http/loopback";
import { noRetry } from "../../provider/http/retry";
import { MAX_CREATIONS_PER_HOUR, MAX_SCHEDULES, quotaUsage } from "../../provider/resources/exports/quota";
import { SERVERS, type ServerName } from "../../provider/settings/servers";
import { type Settings, SettingsError } from "../../provider/settings/settings";
import type { Check, Group } from "../shared/check";
import { checkConnectivity } from "../shared/connectivity";
import { checkRoutes } from "../shared/routes";
import type { CommandContext } from "../shared/subcommand";
import { checkVocabulary } from "../shared/text/vocabulary";

/** Checks each server whose URL is set. */
export async function checkServers(settings: Settings, { now }: CommandContext): Promise<Group[]> {
  // A user is waiting, so failed requests are not retried.
  const clients = new Clients(settings, { ...realClock, now }, noRetry);
  const names = (Object.keys(SERVERS) as ServerName[]).filter((name) => settings[SERVERS[name]] !== undefined);
  return Promise.all(names.map((name) => checkServer(name, settings, clients, now)));
}

const TITLES = { controlPlane: "Control plane", tracing: "Tracing API" } as const satisfies Record<ServerName, string>;

async function checkServer(name: ServerName, settings: Settings, clients: Clients, now: () => number): Promise<Group> {
  const title = `${TITLES[name]} ${settings[SERVERS[name]]?.origin}`;
  const missing = settings.missing[name];
  if (missing.length > 0) {
    const message = `not checked; missing settings: ${missing.map((setting) => setting.name).join(", ")}`;
    return { title, checks: [{ id: "connection", status: "skipped", message }] };
  }
  const unknown = name === "tracing" ? await findWorkspace(settings, clients) : [];
  if (unknown.length > 0) return { title, checks: unknown };
  const connectivity = await (name === "controlPlane" ? checkControlPlane(clients) : checkTracing(clients));
  if (connectivity.status === "fix") return { title, checks: [connectivity] };
  const skew = checkClock(clients.clockSkewMs(name), settings[SERVERS[name]]);
  const tracingChecks = name === "tracing" ? [checkWorkspace(settings, clients), checkLimits(clients, now)] : [];
  const http = clients.http(name);
  const routes =
    name === "controlPlane" ? checkWordsAndRoutes(http, settings) : checkRoutes(http, name, settings.vocabulary);
  const checks = await Promise.all([...tracingChecks, routes]);
  return { title, checks: [connectivity, skew, ...checks.flat()] };
}

/** Looks for routes under the words that the server uses: under others, it seems to lack them. */
async function checkWordsAndRoutes(http: Sender, { vocabulary }: Settings): Promise<Check[]> {
  const { spoken, checks } = await checkVocabulary(http, vocabulary);
  return [...checks, ...(await checkRoutes(http, "controlPlane", spoken))];
}

async function checkControlPlane(clients: Clients): Promise<Check> {
  const check = await checkConnectivity(() => clients.controlPlane.newestDeployment());
  const path = clients.pathOf("controlPlane");
  return path === undefined ? check : { ...check, message: `found below ${path}: ${check.message}` };
}

/** Finds the workspace of the API key. Returns a problem if there is none, or several; only exports need it. */
async function findWorkspace({ sources }: Settings, { workspaces }: Clients): Promise<Check[]> {
  try {
    await workspaces.require();
    return [];
  } catch (error) {
    // Other errors are those of the connection.
    if (!(error instanceof SettingsError)) return [];
    const status = sources.tracingApiUrl === sources.url ? "note" : "fix";
    return [{ id: "tenant", status, message: `exports need a workspace. ${error.message}` }];
  }
}

/** Tries several routes: a server may lack some, and a plan without exports rejects others. */
async function checkTracing({ tracing, tenantId = "" }: Clients): Promise<Check> {
  const orElse = (ask: Promise<unknown>, other: () => Promise<unknown>) =>
    ask.catch((error: unknown) => {
      if (error instanceof HttpError && error.isUnsupportedRoute) return other();
      throw error;
    });
  const checkWorkspace = async () => {
    await tracing.getWorkspace(tenantId).catch((error: unknown) => {
      // A missing workspace still proves connectivity; a separate check reports it.
      if (!(error instanceof HttpError && error.isNotFound) || isUnknownPath(error.detail)) throw error;
    });
  };
  return checkConnectivity(() => orElse(tracing.firstProject(), () => orElse(tracing.listExports(), checkWorkspace)));
}

/** Ignored clock skew in seconds: a Date header has a resolution of one second, and the response takes time. */
const MAX_SKEW_S = 60;

/** @param url URL of the server: on this machine it may be an emulator. */
function checkClock(milliseconds: number, url: URL | undefined): Check {
  const id = "clock";
  const seconds = Math.round(milliseconds / 1000);
  if (Math.abs(seconds) <= MAX_SKEW_S) return { id, status: "ok", message: "clock in sync with this machine" };
  const message =
    `clock is ${formatDuration(Math.abs(seconds))} ${seconds > 0 ? "ahead of" : "behind"} the clock of this ` +
    "machine";
  const remedy =
    "Synchronize the clock of this machine (NTP). Previews use it for export windows, and signed requests may " +
    "be rejected.";
  const onPurpose = url && isLoopback(url) ? " Ignore this if you moved the clock of an emulator on purpose." : "";
  return { id, status: "note", message, remedy: remedy + onPurpose };
}

function formatDuration(seconds: number): string {
  const [days, hours, minutes] = [seconds / 86_400, seconds / 3600, seconds / 60].map(Math.round) as [
    number,
    number,
    number,
  ];
  const [count, unit] = days > 1 ? [days, "days"] : hours > 1 ? [hours, "hours"] : [minutes, "minutes"];
  return count === 1 ? "a minute" : `${count} ${unit}`;
}

async function checkWorkspace(settings: Settings, { tracing, tenantId = "" }: Clients): Promise<Check> {
  const id = "tenant";
  try {
    await tracing.getWorkspace(tenantId);
    const found = settings.tenantId === undefined ? ", the only one of the API key," : "";
    return { id, status: "ok", message: `workspace ${tenantId}${found} exists and the API key can access it` };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const skipped = { id, status: "skipped", message: "the server does not list workspaces" } as const;
    if (error.isUnsupportedRoute && (!error.isNotFound || isUnknownPath(error.detail))) return skipped;
    if (!error.isNotFound && !error.isUnauthorized)
      return { ...skipped, message: `could not check the workspace: ${error.quote}` };
    const remedy =
      "Set tenantId to the ID of a workspace that the API key can access. The ID is in the settings of the platform.";
    return { id, status: "fix", message: `workspace ${tenantId}: ${error.quote}`, remedy };
  }
}

/** Share of a limit from which it is reported as a note. */
const NOTE_THRESHOLD = 0.9;

async function checkLimits(clients: Clients, now: () => number): Promise<Check[]> {
  const id = "limits";
  try {
    const { schedules, creations } = quotaUsage(
      await clients.tracing.listExports(),
      now() + clients.clockSkewMs("tracing"),
    );
    return [
      checkLimit(schedules, {
        id: "schedules",
        max: MAX_SCHEDULES,
        what: "active schedules",
        remedy: "Cancel some before you declare a new one; waiting does not help.",
      }),
      checkLimit(creations, {
        id: "creations",
        max: MAX_CREATIONS_PER_HOUR,
        what: "exports created in the last hour",
        remedy: "Further exports wait for the quota: an update with new exports may take up to an hour.",
      }),
    ];
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isUnauthorized)
      return [{ id, status: "note", message: `no access to exports: ${error.quote}`, remedy: error.advice ?? "" }];
    return [
      {
        id,
        status: "skipped",
        message: `cannot check quota usage, because the server does not list exports: ${error.quote}`,
      },
    ];
  }
}

interface Limit {
  id: string;
  max: number;
  what: string;
  remedy: string;
}

function checkLimit(used: number, { id, max, what, remedy }: Limit): Check {
  const message = `${used} of ${max} ${what}`;
  return used < max * NOTE_THRESHOLD ? { id, status: "ok", message } : { id, status: "note", message, remedy };
}
