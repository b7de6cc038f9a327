import type { Emulator, EmulatorOptions, RequestLogEntry } from "../../src/index";
import { useEmulator } from "./reuse";

/** A complete response. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  body: Body;
}

/** The fields of responses that tests read. */
export interface Body {
  id: string;
  name: string;
  status: string;
  tenant_id: string;
  created_at: string;
  latest_revision_id: string;
  active_revision_id: string | null;
  source_config: Record<string, unknown>;
  source_revision_config: Record<string, unknown>;
  secrets: { name: string; value: string }[];
  secret_references: unknown;
  resources: Body[];
  offset: number;
  detail: { type: string; loc: (string | number)[]; msg: string; input: unknown; ctx?: object }[];
  logs: { id: string; timestamp: string; level: string; message: string }[];
  next_offset: string | null;
  entries: RequestLogEntry[];
  count: number;
  faults: object[];
  upload_url: string;
  object_path: string;
  upload_headers?: Record<string, string>;
}

export interface Client {
  emulator: Emulator;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  get(path: string): Promise<ApiResponse>;
  post(path: string, body?: unknown): Promise<ApiResponse>;
  patch(path: string, body: unknown): Promise<ApiResponse>;
  remove(path: string): Promise<ApiResponse>;
  /** Sends a request to `/_emulator`. */
  admin(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  advance(ms: number): Promise<void>;
}

/**
 * Starts an emulator with a frozen clock for one test. Only a new one numbers its requests from 1 and reads variables.
 */
export async function start(options: EmulatorOptions = {}, isNew = false): Promise<Client> {
  const emulator = await useEmulator(options, isNew);
  if (options.speed === undefined) await emulator.clock.freeze();
  return clientOf(emulator);
}

function clientOf(emulator: Emulator): Client {
  const { controlPlane, admin } = emulator.urls;
  const send: Client["send"] = (method, path, body, headers = { "x-api-key": "a-key" }) =>
    request(controlPlane, method, path, body, headers);
  return {
    emulator,
    send,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    patch: (path, body) => send("PATCH", path, body),
    remove: (path) => send("DELETE", path),
    admin: (method, path, body) => request(admin, method, path, body, {}),
    advance: (ms) => emulator.clock.advance(ms),
  };
}

/** Sends a request over real HTTP; a string body is sent unchanged. */
export async function request(
  origin: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<ApiResponse> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(origin + path, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: text }),
  });
  const content = await response.text();
  const json = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(content) : content };
}

/** Returns a valid body of POST /v2/deployments. */
export function docker(name: string, change: object = {}): Record<string, unknown> {
  return {
    name,
    source: "external_docker",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: "registry.example/agent:1" },
    secrets: [],
    ...change,
  };
}

export function githost(name: string, config: object = {}, revisionConfig: object = {}): Record<string, unknown> {
  return {
    name,
    source: "githost",
    source_config: { repo_url: "https://git.example/team/agent", ...config },
    source_revision_config: { repo_ref: "main", agentgraph_config_path: "agentgraph.json", ...revisionConfig },
    secrets: [],
  };
}

/** Creates a deployment and returns it, after some time; fails the test if the server rejects it. */
export async function createDeployment(client: Client, body: object, advanceMs = 0): Promise<Body> {
  const response = await client.post("/v2/deployments", body);
  expect(response).toMatchObject({ status: 201 });
  if (advanceMs > 0) await client.advance(advanceMs);
  return response.body;
}

/** Long enough for any rollout to finish, and short enough for one deletion in between. */
export const rolloutMs = 10_000;

export async function statusOf(client: Client, deploymentId: string, revisionId: string): Promise<string> {
  return (await client.get(`/v2/deployments/${deploymentId}/revisions/${revisionId}`)).body.status;
}

/** Returns the statuses of all revisions, oldest first. */
export async function statuses(client: Client, deploymentId: string): Promise<string[]> {
  const { body } = await client.get(`/v2/deployments/${deploymentId}/revisions?limit=100`);
  return body.resources.map((revision) => revision.status).reverse();
}

/** Starts an emulator with a deployment, by default of an image, and lets time pass. */
export async function startDeployment(
  options: EmulatorOptions = {},
  body: object = docker("agent"),
  advanceMs = 0,
): Promise<Body & { client: Client }> {
  const client = await start(options);
  return { client, ...(await createDeployment(client, body, advanceMs)) };
}
