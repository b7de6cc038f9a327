import { type Emulator, type EmulatorOptions, type JournalFilter, startEmulator } from "../../emulator/src/index";
import type { Clock } from "../../provider/http/clock";

/** An emulator of the service whose clock only moves when somebody sleeps on it: no test waits, and all agree on the time. */
export interface Platform {
  emulator: Emulator;
  url: string;
  clock: Clock;
  /** Requests that reached the service, as `GET /v2/deployments`. Ids and query are left out. */
  requests(filter?: JournalFilter): string[];
  /** Gives up the requests that are under way, as when their time is over. */
  abortRequests(): void;
  /** Lets time pass. */
  advance(milliseconds: number): Promise<void>;
  /** Does this while the provider next waits. What it throws ends the wait, as the death of the process would. */
  duringNextWait(action: () => Promise<unknown>): void;
  /** All deployments of the workspace, newest first. */
  deployments(): Promise<RemoteObject[]>;
  /** One deployment with all its revisions, newest first. */
  getDeployment(id: string): Promise<RemoteObject>;
  /** A change made outside of Pulumi, past all rules. */
  updateOutOfBand(id: string, updateOutOfBand: object): Promise<void>;
  /** A call of the service or of `/_emulator` past the provider, as somebody else would make it. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
}

interface ApiResponse {
  status: number;
  body: RemoteObject;
}

/** What tests look for in answers of any kind. */
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

const running: Emulator[] = [];
afterEach(async () => {
  for (const emulator of running.splice(0)) await emulator.stop();
});

export async function startPlatform(options: EmulatorOptions = {}): Promise<Platform> {
  const emulator = await startEmulator({ strict: !options.interfaceOnly, ...options });
  running.push(emulator);
  await emulator.clock.freeze();
  const url = emulator.urls.controlPlane;
  const pendingActions: (() => Promise<unknown>)[] = [];
  const inFlight: AbortController[] = [];
  const call: Platform["call"] = async (method, path, body, headers = { "x-api-key": "somebody-else" }) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers: { ...headers, ...type }, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  return {
    emulator,
    url,
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
      emulator.journal
        .entries(filter)
        .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{id}")}`),
    abortRequests: () => {
      for (const controller of inFlight.splice(0))
        controller.abort(new DOMException("its time is over", "TimeoutError"));
    },
    advance: (milliseconds) => emulator.clock.advance(milliseconds),
    duringNextWait: (action) => void pendingActions.push(action),
    deployments: async () => (await call("GET", "/v2/deployments?limit=100")).body.resources,
    getDeployment: async (id) => (await call("GET", `/_emulator/deployments/${id}`)).body,
    updateOutOfBand: async (id, change) => {
      expect(await call("PATCH", `/_emulator/deployments/${id}`, change)).toMatchObject({ status: 200 });
    },
    call,
  };
}
