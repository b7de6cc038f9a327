/** The service: whether it answers, to this key, in this workspace; its clock; what it lacks; how full it is. */
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

/** Asks each server that has an address. */
export async function checkService(settings: Settings, { now }: Surroundings): Promise<Group[]> {
  // A person waits: what does not answer is told at once and not asked again.
  const clients = new Clients(settings, { ...realClock, now }, noRetry);
  const names = (Object.keys(SERVERS) as ServerName[]).filter((name) => settings[SERVERS[name][0]] !== undefined);
  return Promise.all(names.map((name) => checkServer(name, settings, clients, now)));
}

const TITLES = { controlPlane: "Control plane", tracing: "Tracing API" } as const satisfies Record<ServerName, string>;

async function checkServer(name: ServerName, settings: Settings, clients: Clients, now: () => number): Promise<Group> {
  const title = `${TITLES[name]} ${settings[SERVERS[name][0]]?.origin}`;
  const missing = settings.missing[name];
  if (missing.length > 0) {
    const says = `not asked, since settings are missing: ${missing.map((setting) => setting.name).join(", ")}`;
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

/** Of these routes the interface has the last alone; a plan without exports has all others. */
async function askTracing({ tenantId = "" }: Settings, { tracing }: Clients): Promise<Check> {
  const orElse = (ask: Promise<unknown>, other: () => Promise<unknown>) =>
    ask.catch((error: unknown) => {
      if (error instanceof HttpError && error.isUnsupportedRoute) return other();
      throw error;
    });
  const workspace = async () => {
    await tracing.getWorkspace(tenantId).catch((error: unknown) => {
      // That this workspace is not there is an answer too, and a check of its own says so.
      if (!(error instanceof HttpError && error.isNotFound) || isUnknownPath(error.detail)) throw error;
    });
  };
  return answering(() => orElse(tracing.anyProject(), () => orElse(tracing.listExports(), workspace)));
}

/** Seconds that nobody minds: a Date header has whole ones, and is under way for a while. */
const TOLERATED_S = 60;

/** @param url Where the server is: on this machine it may be an emulator. */
function clockSkew(milliseconds: number, url: URL | undefined): Check {
  const id = "clock";
  const seconds = Math.round(milliseconds / 1000);
  if (Math.abs(seconds) <= TOLERATED_S) return { id, status: "ok", says: "its clock agrees with this machine's" };
  const says = `its clock is ${spoken(Math.abs(seconds))} ${seconds > 0 ? "ahead of" : "behind"} this machine's`;
  const todo =
    "Set this machine's clock (NTP): what a preview says of past windows goes by it, and signatures may be refused.";
  const onPurpose = url && isLoopback(url) ? " (An emulator's clock may be moved on purpose: then all is well.)" : "";
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
    return { id, status: "ok", says: `workspace ${tenantId} is there, and open to the key` };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const skipped = { id, status: "skipped", says: "the service does not show workspaces" } as const;
    if (error.isUnsupportedRoute && (!error.isNotFound || isUnknownPath(error.detail))) return skipped;
    if (!error.isNotFound && !error.isUnauthorized)
      return { ...skipped, says: `the workspace could not be looked at: ${error.detail}` };
    const todo = "Set tenantId to the id of a workspace that the key may use; it stands in the service's settings.";
    return { id, status: "fix", says: `workspace ${tenantId}: ${error.detail}`, todo };
  }
}

/** Parts of a limit from which on it is worth a word. */
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
        "Cancel some before a new one is declared; waiting does not help.",
      ),
      limit(
        "creations",
        creations,
        MAX_CREATIONS_PER_HOUR,
        "exports created in the last hour",
        "More are waited for: an up with new exports may take up to an hour.",
      ),
    ];
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isUnauthorized)
      return [{ id, status: "note", says: `exports are refused: ${error.detail}`, todo: error.hint ?? "" }];
    return [
      {
        id,
        status: "skipped",
        says: `without the list of exports nobody can tell how full the limits are: ${error.detail}`,
      },
    ];
  }
}

function limit(id: string, used: number, most: number, what: string, todo: string): Check {
  const says = `${used} of ${most} ${what}`;
  return used < most * NEARLY ? { id, status: "ok", says } : { id, status: "note", says, todo };
}
