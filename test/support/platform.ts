import type { Emulator, EmulatorOptions, Fault, RequestLogFilter } from "../../emulator/src/index";
import { useEmulator } from "../../emulator/test/support/reuse";
import type { Clock } from "../../provider/http/clock";
import { type Accepted, findUnrecorded, readAccepted } from "./agent-servers/accepted-requests";
import { isPublishedServer, publishedAgents, untilRunsEnd } from "./agent-servers/agents";
import { UNRECORDED } from "./agent-servers/unrecorded-requests";

/** An emulator whose clock advances only when the provider sleeps, so that tests do not wait. */
export interface Platform {
  emulator: Emulator;
  url: string;
  clock: Clock;
  /** Adds a fault to the emulator. */
  addFault: Emulator["faults"]["add"];
  /** Returns the requests that reached the server, such as `GET /v2/deployments/{id}`, without the query. */
  requests(filter?: RequestLogFilter): string[];
  /** Returns a function that aborts the requests that are in flight now, as a timeout does, and no later ones. */
  requestsInFlight(): () => void;
  /** Advances the clock. */
  advance(milliseconds: number): Promise<void>;
  /** Runs an action during the provider's next wait. An error ends the wait, as the end of the process would. */
  duringNextWait(action: () => Promise<unknown>): void;
  /** Lists the deployments of the workspace, newest first. */
  deployments(): Promise<RemoteObject[]>;
  /** Returns a deployment with its revisions, newest first. */
  getDeployment(id: string): Promise<RemoteObject>;
  /** Updates a deployment out of band, without validation. */
  updateOutOfBand(id: string, updateOutOfBand: object): Promise<void>;
  /** Sends a request to the API or to `/_emulator` as another client. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
}

interface ApiResponse {
  status: number;
  body: RemoteObject;
}

/** Fields of responses that tests read. */
export interface RemoteObject {
  id: string;
  name: string;
  status: string;
  source_config: Record<string, unknown> & { resource_spec: Record<string, unknown> };
  source_revision_config: Record<string, unknown>;
  secrets: { name: string; value: string }[];
  secret_references: unknown;
  latest_revision_id: string;
  active_revision_id: string;
  resources: RemoteObject[];
  revisions: RemoteObject[];
}

let accepted: Accepted | undefined;
const unrecorded = new Set<string>();
// What the provider sends to an agent server in any test is what a published one accepts.
afterEach(() => {
  const found = [...unrecorded];
  unrecorded.clear();
  // Record them with `npm run record`, or give a reason in unrecorded-requests.ts.
  expect({ thatNoPublishedServerHasAccepted: found }).toEqual({ thatNoPublishedServerHasAccepted: [] });
});

function checkRequests({ requestLog }: Emulator) {
  const entries = requestLog.entries({ path: "/agents/**" });
  const requests = entries.flatMap(({ method, path, query, body, client }) => {
    if (!client?.startsWith("pulumi-agentgraph/")) return [];
    const parameters = Object.entries(query).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
    const relativePath = path.replace(/^\/agents\/[^/]+/, "");
    return [{ method, path: [relativePath, parameters.join("&")].join("?"), ...(body !== null && { body }) }];
  });
  // Most tests send none, and the recordings take a while to read.
  if (requests.length === 0) return;
  accepted ??= readAccepted();
  for (const name of findUnrecorded(requests, accepted)) if (!(name in UNRECORDED)) unrecorded.add(name);
}

export async function startPlatform(options: EmulatorOptions = {}, ...faults: Fault[]): Promise<Platform> {
  const settings = { strict: !options.interfaceOnly, ...options, ...publishedAgents() };
  const emulator = await useEmulator(settings, false, isPublishedServer ? undefined : checkRequests);
  await emulator.clock.freeze();
  for (const fault of faults) await emulator.faults.add(fault);
  const url = emulator.urls.controlPlane;
  const pendingActions: (() => Promise<unknown>)[] = [];
  const inFlight: AbortController[] = [];
  const call: Platform["call"] = async (method, path, body, headers = { "x-api-key": "somebody-else" }) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers: { ...headers, ...type }, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, body: parse(text) as RemoteObject };
  };
  return {
    ...{ emulator, url, addFault: (fault) => emulator.faults.add(fault) },
    clock: {
      now: () => Date.parse(emulator.clock.read().now),
      monotonic: () => Date.parse(emulator.clock.read().now),
      sleep: async (milliseconds) => {
        await pendingActions.shift()?.();
        await emulator.clock.advance(Math.ceil(milliseconds));
      },
      deadline: (milliseconds) => {
        const controller = new AbortController();
        inFlight.push(controller);
        return AbortSignal.any([controller.signal, AbortSignal.timeout(milliseconds)]);
      },
    },
    requests: (filter) =>
      emulator.requestLog
        .entries(filter)
        .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{id}")}`),
    requestsInFlight: () => {
      const controllers = inFlight.splice(0);
      return () => {
        for (const controller of controllers) controller.abort(new DOMException("its time is over", "TimeoutError"));
      };
    },
    async advance(milliseconds) {
      await emulator.clock.advance(milliseconds);
      if (milliseconds > 0) await untilRunsEnd();
    },
    duringNextWait: (action) => void pendingActions.push(action),
    deployments: async () => (await call("GET", "/v2/deployments?limit=100")).body.resources,
    getDeployment: async (id) => (await call("GET", `/_emulator/deployments/${id}`)).body,
    updateOutOfBand: async (id, change) => {
      expect(await call("PATCH", `/_emulator/deployments/${id}`, change)).toMatchObject({ status: 200 });
    },
    call,
  };
}

/** Agent servers return some errors as text. */
function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
