/** The server that the suite runs against, with what the run knows of it. */
import { type Options, UsageError } from "../options.ts";
import type { Bucket } from "./bucket.ts";
import { Api, describe, ok } from "./http.ts";

/** What the suite uses of an emulator in its process. It is compiled code, whose types exist only after a build. */
export interface EmulatorHandle {
  urls: { controlPlane: string; bucket: string };
  bucket: { url: string; accessKeyId: string; secretAccessKey: string };
  faults: { add(fault: object): Promise<{ id: number }>; clear(id?: number): Promise<void> };
  loadRuns(target: { project: string }, runs: object[]): Promise<{ session_id: string }>;
  stop(): Promise<void>;
}

export interface Server {
  /** "emulator" if the suite has started it. */
  kind: "emulator" | "server";
  controlPlane?: Api | undefined;
  tracing?: Api | undefined;
  /** The API of an agent server at its URL. */
  agentServer: (url: string) => Api;
  bucket?: Bucket | undefined;
  /** The settings, as the provider reads them from the environment. */
  settings: Readonly<Record<string, string>>;
  /** Values that must not appear in a report. */
  secrets: readonly string[];
  emulator?: EmulatorHandle | undefined;
  /** Words of the platform for neutral ones of the API, such as `githost`. */
  vocabulary: Readonly<Record<string, string>>;
}

/** Reads the server of the environment; undefined if no variable names one. @throws UsageError if it is none. */
export async function serverOf(env: NodeJS.ProcessEnv, options: Options): Promise<Server | undefined> {
  const value = (name: string) => env[`AGENTGRAPH_${name}`] || undefined;
  const base = value("URL") && withoutSlash(value("URL") as string).replace(/(\/api)?(\/v[12])?$/, "");
  const tracing = value("TRACING_API_URL") ?? base?.replace(BELOW, "");
  if (!value("CONTROL_PLANE_URL") && !tracing && !options.agentUrl) return undefined;
  const settings = Object.entries(env).filter(([name, text]) => /^AGENTGRAPH_/.test(name) && text) as [
    string,
    string,
  ][];
  const key = value("API_KEY") ?? env[value("API_KEY_ENV") ?? ""];
  const agentHeaders: Record<string, string> = JSON.parse(value("AGENT_HEADERS") ?? "{}");
  const bearer = value("BEARER_TOKEN");
  const workspace = { ...(value("TENANT_ID") && { "x-tenant-id": value("TENANT_ID") as string }) };
  const keyHeader = { ...(key && { "x-api-key": key }) };
  const tokenHeader = { ...(bearer && { authorization: `Bearer ${bearer}` }) };
  // As docs/settings.md describes: with both, the tracing API receives the API key, all others the token.
  const control = { ...workspace, ...(bearer ? tokenHeader : keyHeader) };
  const controlPlane = value("CONTROL_PLANE_URL") ?? (base && (await controlPlaneAt(base, control)));
  const api = (url: string | undefined, headers: Record<string, string>) => url && new Api(withoutSlash(url), headers);
  return {
    kind: "server",
    controlPlane: api(controlPlane, control) || undefined,
    tracing: api(tracing, { ...workspace, ...(key ? keyHeader : tokenHeader) }) || undefined,
    agentServer: (url) => new Api(withoutSlash(url), { ...control, ...agentHeaders }),
    bucket: bucketOf(env, options),
    settings: Object.fromEntries(settings),
    secrets: [key, bearer, env.ACCEPTANCE_BUCKET_KEY_ID, env.ACCEPTANCE_BUCKET_SECRET, ...Object.values(agentHeaders)]
      .filter((secret) => secret !== undefined)
      .filter((secret) => secret.length > 3),
    vocabulary: JSON.parse(value("VOCABULARY") ?? "{}"),
  };
}

/** The prefix of the control plane on self-hosted installations. */
const BELOW = /\/api-host$/;

/** Returns where the control plane is: at the base URL, or below it. */
async function controlPlaneAt(base: string, headers: Record<string, string>): Promise<string> {
  const replies: string[] = [];
  for (const url of new Set([base, `${base.replace(BELOW, "")}/api-host`])) {
    const reply = await new Api(url, headers).get("/v2/deployments?limit=1");
    if (ok(reply) && Array.isArray(reply.body?.resources)) return url;
    replies.push(`${url}/v2/deployments returned ${describe(reply)}`);
  }
  throw new UsageError(
    `AGENTGRAPH_URL leads to no control plane: ${replies.join("; ")}. ` +
      "Set AGENTGRAPH_CONTROL_PLANE_URL and AGENTGRAPH_TRACING_API_URL in its place.",
  );
}

function bucketOf(env: NodeJS.ProcessEnv, options: Options): Bucket | undefined {
  if (!options.bucket) return undefined;
  const { ACCEPTANCE_BUCKET_KEY_ID: accessKeyId, ACCEPTANCE_BUCKET_SECRET: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError("--bucket requires the variables ACCEPTANCE_BUCKET_KEY_ID and ACCEPTANCE_BUCKET_SECRET.");
  const { bucket: name, bucketRegion: region, bucketEndpoint: endpoint } = options;
  return { name, region, endpoint, accessKeyId, secretAccessKey };
}

const withoutSlash = (url: string) => url.replace(/\/+$/, "");
