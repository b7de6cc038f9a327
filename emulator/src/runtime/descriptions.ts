/** What the admin API returns: its commands, programs and the page read it. */

/** The response of `GET /_emulator/clock`. */
export interface ClockReading {
  now: string;
  frozen: boolean;
  speed: number | "instant";
}

/** One entry of the request log. Requests to `/_emulator` are not logged. */
export interface RequestLogEntry {
  id: number;
  time: string;
  method: string;
  path: string;
  query: Record<string, string[]>;
  /** The status of the response; null if the connection was closed instead. */
  status: number | null;
  tenant_id: string | null;
  /** The request body with secret values redacted; null without a body. */
  body: unknown;
  /** Remarks such as ignored unknown fields. */
  notes: string[];
  /** The effect of an injected fault. */
  fault: string | null;
  /** What the route does, such as "Create a deployment"; null for an unknown path. */
  operation: string | null;
  /** The User-Agent header. */
  client: string | null;
  /** Real milliseconds from the first byte of the request to the response. */
  duration_ms: number;
  /** IDs in the path; after a POST or PATCH also those of the resource and its latest revision. */
  resources: string[];
}

/** The bodies of one logged request: JSON is parsed, and a missing body is null. */
export interface Bodies {
  request_body: unknown;
  response_body: unknown;
  /** Whether a body contains secret values, shown or redacted. */
  has_secrets: boolean;
}

/** One line of a deployment's logs. */
export interface DeploymentLogLine {
  id: number;
  time: string;
  revision_id: string;
  type: string;
  level: string;
  message: string;
}

/** `ending` is an agent that was replaced and finishes its open requests. */
export type AgentStatus = "starting" | "healthy" | "restarting" | "ending";

/** An agent as the admin API describes it. */
export interface AgentDescription {
  status: AgentStatus;
  command: string;
  port: number | null;
  pid: number | null;
  restarts: number;
  /** How it last ended by itself. */
  last_exit: string | null;
}
