/** Settings -> clients. Loaded at the first request, since undici is not needed before. */
import { isAgentOk } from "./api/agent-server";
import { ControlPlane } from "./api/control-plane";
import { Directory } from "./api/directory";
import { Wire } from "./api/wire";
import type { Clock } from "./clock";
import { type Content, Door } from "./http/door";
import { oneAttempt } from "./http/retry";
import { type Settings, SettingsError } from "./settings";

export interface Clients {
  controlPlane: ControlPlane;
  directory: Directory;
  serverNow(): number;
  isAgentOk(url: string): Promise<boolean>;
  /** Puts content at a signed address. No key is sent. */
  upload(url: string, headers: Record<string, string>, content: Content): Promise<void>;
}

/** 200 MiB, the largest tarball, through a slow line. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000;

/** One set of clients, and so one budget, for each server and process, whatever the number of resource types. */
const connected = new Map<string, Clients>();

/** @throws SettingsError when a setting that every request needs is missing. */
export function connect(settings: Settings, clock: Clock): Clients {
  if (settings.missing || !settings.controlPlaneUrl || !settings.auth) {
    throw new SettingsError(settings.missing ?? "Settings are missing.");
  }
  const identity = JSON.stringify([
    settings.controlPlaneUrl.href,
    settings.auth,
    settings.tenantId ?? null,
    settings.vocabulary,
  ]);
  const known = connected.get(identity);
  if (known) return known;
  const shared = {
    clock,
    requestsPerSecond: settings.requestsPerSecond,
    maxConcurrentRequests: settings.maxConcurrentRequests,
    requestTimeoutMs: settings.requestTimeoutMs,
  };
  const tenant: Record<string, string> = settings.tenantId === undefined ? {} : { "X-Tenant-Id": settings.tenantId };
  const door = new Door({
    ...shared,
    baseUrl: settings.controlPlaneUrl,
    keySource: settings.keySource,
    headers: { ...authHeaders(settings.auth), ...tenant },
  });
  const controlPlane = new ControlPlane(door, new Wire(settings.vocabulary));
  // A mistyped address must not leak a key, so an agent server gets none; the wait itself looks again, so no retry.
  const agentDoor = (url: string) => new Door({ ...shared, baseUrl: new URL(url), headers: {}, retry: oneAttempt });
  const clients: Clients = {
    controlPlane,
    directory: new Directory(controlPlane, clock),
    serverNow: () => door.serverNow(),
    isAgentOk: async (url) => {
      const agent = agentDoor(url);
      return isAgentOk(agent).finally(() => agent.close());
    },
    upload: async (url, headers, content) => {
      const bucket = new Door({ ...shared, baseUrl: new URL(url), headers, requestTimeoutMs: UPLOAD_TIMEOUT_MS });
      await bucket.send({ method: "PUT", path: "", content }).finally(() => bucket.close());
    },
  };
  connected.set(identity, clients);
  return clients;
}

function authHeaders(auth: NonNullable<Settings["auth"]>): Record<string, string> {
  return "apiKey" in auth ? { "X-Api-Key": auth.apiKey } : { Authorization: `Bearer ${auth.bearerToken}` };
}
