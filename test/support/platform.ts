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
  timeOut(): void;
  /** Lets time pass. */
  pass(milliseconds: number): Promise<void>;
  /** Does this while the provider next waits. What it throws ends the wait, as the death of the process would. */
  meanwhile(act: () => Promise<unknown>): void;
  /** All deployments of the workspace, newest first. */
  deployments(): Promise<Remote[]>;
  /** One deployment with all its revisions, newest first. */
  look(id: string): Promise<Remote>;
  /** A change made outside of Pulumi, past all rules. */
  change(id: string, change: object): Promise<void>;
  /** A call of the service or of `/_emulator` past the provider, as somebody else would make it. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

interface Reply {
  status: number;
  body: Remote;
}

/** What tests look for in answers of any kind. */
export interface Remote {
  id: string;
  name: string;
  status: string;
  source_config: Record<string, unknown> & { resource_spec: Record<string, unknown> };
  source_revision_config: Record<string, unknown>;
  secrets: { name: string; value: string }[];
  secret_references: unknown;
  latest_revision_id: string;
  active_revision_id: string;
  resources: Remote[];
  revisions: Remote[];
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
  const acts: (() => Promise<unknown>)[] = [];
  const underWay: AbortController[] = [];
  const call: Platform["call"] = async (method, path, body, headers = { "x-api-key": "somebody-else" }) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers: { ...headers, ...type }, body: JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  return {
    emulator,
    url,
    clock: {
      now: () => Date.parse(emulator.clock.read().now),
      monotonic: () => Date.parse(emulator.clock.read().now),
      sleep: async (milliseconds) => {
        await acts.shift()?.();
        await emulator.clock.advance(Math.ceil(milliseconds));
      },
      deadline: (milliseconds) => {
        const given = new AbortController();
        underWay.push(given);
        return AbortSignal.any([given.signal, AbortSignal.timeout(milliseconds)]);
      },
    },
    requests: (filter) =>
      emulator.journal
        .entries(filter)
        .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{id}")}`),
    timeOut: () => {
      for (const given of underWay.splice(0)) given.abort(new DOMException("its time is over", "TimeoutError"));
    },
    pass: (milliseconds) => emulator.clock.advance(milliseconds),
    meanwhile: (act) => void acts.push(act),
    deployments: async () => (await call("GET", "/v2/deployments?limit=100")).body.resources,
    look: async (id) => (await call("GET", `/_emulator/deployments/${id}`)).body,
    change: async (id, change) => {
      expect(await call("PATCH", `/_emulator/deployments/${id}`, change)).toMatchObject({ status: 200 });
    },
    call,
  };
}
