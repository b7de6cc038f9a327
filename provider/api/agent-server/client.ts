/** The API of an agent server (API `4B`). */
import type { HttpClient, HttpRequest, HttpResponse } from "../../http/client";
import type { Clock } from "../../http/clock";
import { type HttpError, inPlaceOf, recover } from "../../http/errors";
import type { JsonClient } from "../json-client";
import { LearnedProfile } from "../profile/learned-profile";
import { AssistantClient } from "./assistants";
import { CronClient } from "./crons";
import { RunClient } from "./runs";
import { ThreadClient } from "./thread-client";
import { ThreadStates } from "./thread-states";

/** `unreachable`: neither /ok nor the thread routes exist at this URL, or not yet. */
export type Readiness = Awaited<ReturnType<typeof checkHealth>> | "unreachable";

export interface AgentServerOptions {
  /** The base URL, including the path that all routes share. */
  url: string;
  json: JsonClient;
  clock: Clock;
  checkHealth: () => ReturnType<typeof checkHealth>;
}

export class AgentServerClient {
  readonly url: string;
  readonly threads: ThreadClient;
  readonly states: ThreadStates;
  readonly assistants: AssistantClient;
  readonly crons: CronClient;
  readonly runs: RunClient;
  readonly profile: LearnedProfile;
  private readonly clients = new Map<unknown, object>();
  private readinessPromise: Promise<Readiness> | undefined;

  /** Returns the client of a kind of objects. One is shared by all who read, so that they share requests. */
  readonly open = <C extends object>(Client: new (json: JsonClient, clock: Clock) => C): C => {
    const client = this.clients.get(Client) ?? new Client(this.options.json, this.options.clock);
    this.clients.set(Client, client);
    return client as C;
  };

  constructor(private readonly options: AgentServerOptions) {
    const { url, json, clock } = options;
    this.url = url;
    this.profile = new LearnedProfile(clock);
    this.threads = new ThreadClient(json, clock, this);
    this.states = new ThreadStates(json);
    this.assistants = this.open(AssistantClient);
    this.crons = new CronClient(json, clock, this.profile);
    this.runs = this.open(RunClient);
  }

  /** The server's current time, from its own Date header where it sent one. Milliseconds. */
  now(): number {
    return this.options.json.serverNow();
  }

  /**
   * Returns whether the server is ready, which is requested once. Where /ok is not found, a search shows
   * whether the server lacks it, or an ingress has no route. @throws HttpError when the server is not healthy.
   */
  checkReadiness(): Promise<Readiness> {
    if (this.readinessPromise) return this.readinessPromise;
    const probe = this.probeReadiness();
    const forget = () => {
      this.readinessPromise = undefined;
    };
    probe.then((readiness) => readiness === "unreachable" && forget(), forget);
    this.readinessPromise = probe;
    return probe;
  }

  /** Sends any request once, and returns its response, whatever it is. @throws HttpError without a response. */
  readonly probe = (request: HttpRequest): Promise<HttpResponse> =>
    this.options.json.send({ ...request, isProbe: true });

  private async probeReadiness(): Promise<Readiness> {
    const readiness = await this.options.checkHealth();
    if (readiness === "healthy") return readiness;
    const search = this.threads.searchPage({ limit: 1 }).then(() => readiness);
    const settle = ({ isUnsupportedRoute }: HttpError) => (isUnsupportedRoute ? "unreachable" : readiness);
    return search.catch(recover(({ isRetryable }) => !isRetryable, settle));
  }
}

/** Requests /ok, which the interface does not have. @throws HttpError when the server is not healthy. */
export async function checkHealth(http: HttpClient): Promise<"healthy" | "unsupported"> {
  const response = http.send({ method: "GET", path: "/ok" }).then(() => "healthy" as const);
  const ignoreMissing = inPlaceOf(({ isUnsupportedRoute }) => isUnsupportedRoute, "unsupported" as const);
  return response.catch(inPlaceOf(({ isUnauthorized }) => isUnauthorized, "healthy" as const)).catch(ignoreMissing);
}
