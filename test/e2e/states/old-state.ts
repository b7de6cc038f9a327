/**
 * States of earlier versions: each is a folder in test/old-states with a program, its state and the objects of the
 * platform.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { Seed } from "../../../emulator/src";
import type { PropertyMap } from "../../../provider/schema/schema";
import { agentKinds } from "../../support/agents/kinds";
import { isOfServer } from "../../support/agents/kinds/kind";
import type { CliStack } from "../support/cli/cli-stack";
import type { RemoteDeployment, World } from "../support/world";
import { fileOf } from "./old-program";

/** Placeholders for the URLs of the platform and its bucket, which differ in each run. */
const URL_PLACEHOLDER = "{{url}}";
const BUCKET_PLACEHOLDER = "{{bucket}}";
/** Session token of every destination: the API returns no credentials, and the bucket accepts any token. */
const OLD_TOKEN = "a-token-of-old";
/** Fields of state that depend on the machine. */
const MACHINE_FIELDS = new Set(["sourcePosition", "stackTrace"]);

/** Objects that are seeded with their IDs, and objects that get new IDs, which then replace the old ones in state. */
interface Platform extends Seed {
  /** Create requests of threads, by deployment ID. */
  threads?: Record<string, ({ thread_id: string } & Record<string, unknown>)[]>;
  /** The same of crons, which get new IDs. */
  crons?: Record<string, ({ id: string } & Record<string, unknown>)[]>;
  projects?: { id: string; name: string }[];
  exports?: ({ id: string } & Record<string, unknown>)[];
}

/** Restores the platform and the stack as they were recorded. */
export async function restore(name: string, stack: CliStack, world: World): Promise<void> {
  const fromTemplate = (text: string) =>
    text.replaceAll(URL_PLACEHOLDER, world.url).replaceAll(BUCKET_PLACEHOLDER, world.emulator.bucket.url);
  const text = fromTemplate(await readFile(fileOf(name, "platform.json"), "utf8"));
  const platform = JSON.parse(text);
  const { deployments, destinations, projects = [], exports = [], threads = {}, crons = {} }: Platform = platform;
  await world.emulator.seed({ ...(deployments && { deployments }), ...(destinations && { destinations }) });
  const times = new Map<string, string>();
  for (const [id, bodies] of Object.entries(threads))
    for (const body of bodies) {
      const created = await world.call<ThreadResponse>("POST", `/agents/${id}/threads`, body);
      times.set(created.thread_id, new Date(created.created_at).toISOString());
    }
  for (const { names } of agentKinds)
    for (const [id, bodies] of Object.entries<object[]>(platform[names.path] ?? {}))
      for (const body of bodies) await world.call("POST", `/agents/${id}/${names.path}`, body);
  let state = fromTemplate(await readFile(fileOf(name, "state.json"), "utf8"));
  for (const { id, name } of projects) {
    const [project] = await world.call<{ id: string }[]>("GET", `/api/v1/sessions?name=${name}`);
    state = state.replaceAll(id, String(project?.id));
    for (const body of exports) if (body.session_id === id) body.session_id = project?.id;
  }
  for (const { id, ...body } of exports) {
    const created = await world.call<{ id: string }>("POST", "/api/v1/bulk-exports", body);
    state = state.replaceAll(id, created.id);
  }
  for (const [deploymentId, bodies] of Object.entries(crons))
    for (const { id, metadata, ...body } of bodies) {
      const crons = `/agents/${deploymentId}/runs/crons`;
      const { cron_id } = await world.call<CronResponse>("POST", crons, { ...body, metadata });
      // An ownership marker names the cron itself.
      const marked = JSON.parse(JSON.stringify(metadata).replaceAll(id, cron_id));
      await world.call("PATCH", `${crons}/${cron_id}`, { metadata: marked });
      state = state.replaceAll(id, cron_id);
    }
  await stack.writeState(JSON.parse(state, (_key, value) => withTime(value, times)));
}

/**
 * Returns a resource of a state with the time at which its thread was created, in the format of the state: at another
 * time, it would be a thread of someone else. @param times By thread ID.
 */
function withTime(resource: unknown, times: ReadonlyMap<string, string>): unknown {
  const { id = "", outputs } = (resource ?? {}) as { id?: string; outputs?: object };
  const createdAt = times.get(id);
  return createdAt && outputs ? { ...(resource as object), outputs: { ...outputs, createdAt } } : resource;
}

/** Records the stack and the platform for tests of later versions. */
export async function record(name: string, stack: CliStack, world: World, remote: RemoteDeployment[]): Promise<void> {
  const toTemplate = (text: string) =>
    `${text.replaceAll(world.url, URL_PLACEHOLDER).replaceAll(world.emulator.bucket.url, BUCKET_PLACEHOLDER)}\n`;
  await mkdir(fileOf(name, ""), { recursive: true });
  const state = JSON.stringify(await stack.state(), (key, value) => (MACHINE_FIELDS.has(key) ? undefined : value), 2);
  await writeFile(fileOf(name, "state.json"), toTemplate(state));
  const objects = { ...(await recordThreads(world, remote)), ...(await recordObjects(world, remote)) };
  const platform = { deployments: remote.map(toSeed), ...objects, ...(await recordExports(world)) };
  await writeFile(fileOf(name, "platform.json"), toTemplate(JSON.stringify(platform, null, 2)));
}

/** Returns the destinations, exports and exported projects of the default workspace. */
async function recordExports(world: World): Promise<Partial<Platform>> {
  const destinations = await world.call<DestinationResponse[]>("GET", "/api/v1/bulk-exports/destinations");
  if (destinations.length === 0) return {};
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = world.emulator.bucket;
  const credentials = { access_key_id, secret_access_key, session_token: OLD_TOKEN };
  const exports = (await world.call<Record<string, unknown>[]>("GET", "/api/v1/bulk-exports")).reverse();
  const projects = await world.call<{ id: string; name: string }[]>("GET", "/api/v1/sessions?limit=100");
  return {
    destinations: destinations.map(({ id, display_name, config }) => ({ id, display_name, config, credentials })),
    projects: projects.map(({ id, name }) => ({ id, name })),
    exports: exports.map((one) => ({
      id: String(one.id),
      ...Object.fromEntries(CREATE_FIELDS.flatMap((key) => (one[key] === null ? [] : [[key, one[key]]]))),
    })),
  };
}

type DestinationResponse = NonNullable<Required<Seed["destinations"]>>[number];

/** Fields of a request that creates an export. */
const CREATE_FIELDS = [
  ...["bulk_export_destination_id", "session_id", "all_experiments", "start_time", "end_time", "interval_hours"],
  ...["filter", "export_fields", "format", "format_version", "compression"],
];

/** Returns the threads of each deployment, oldest first, with a superstep for each state of their history. */
async function recordThreads(world: World, deployments: RemoteDeployment[]): Promise<Partial<Platform>> {
  const threads: NonNullable<Platform["threads"]> = {};
  for (const { id } of deployments) {
    const threadsPath = `/agents/${id}/threads`;
    const found = await world.call<ThreadResponse[]>("POST", `${threadsPath}/search`, { limit: 1000 });
    const created = [];
    for (const { thread_id, metadata, ttl } of found.reverse()) {
      const historyPath = `${threadsPath}/${thread_id}/history`;
      const history = await world.call<StateResponse[]>("POST", historyPath, { limit: 1000 });
      const supersteps = history
        .reverse()
        .map(({ metadata: { writes } }) => ({
          updates: Object.entries(writes).map(([as_node, values]) => ({ as_node, values })),
        }));
      const kept = ttl && { ttl: { strategy: ttl.strategy, ttl: ttl.ttl } };
      const begun = supersteps.length > 0 && { supersteps };
      created.push({ thread_id, metadata, ...kept, ...begun });
    }
    if (created.length > 0) threads[id] = created;
  }
  return Object.keys(threads).length > 0 ? { threads } : {};
}

/** Returns the objects and crons of each deployment as create requests, oldest first, without those of the server. */
async function recordObjects(world: World, deployments: RemoteDeployment[]): Promise<Partial<Platform>> {
  const recorded: Record<string, Record<string, object[]>> = {};
  for (const { id } of deployments) {
    const search = async (path: string) =>
      (await world.call<PropertyMap[]>("POST", `/agents/${id}/${path}/search`, { limit: 1000 })).reverse();
    const add = (path: string, bodies: object[]) => {
      if (bodies.length > 0) recorded[path] = { ...recorded[path], [id]: bodies };
    };
    for (const { names } of agentKinds) {
      const own = (await search(names.path)).filter(({ metadata }) => !isOfServer(metadata as PropertyMap));
      const toBody = ({ version, created_at, updated_at, ...body }: PropertyMap) => ({
        ...withoutNulls(body),
        // The server has copied it from there.
        ...(body.context !== undefined && { context: {} }),
      });
      add(names.path, own.map(toBody));
    }
    const toCron = ({ cron_id, payload }: CronResponse) => ({
      id: cron_id,
      ...withoutNulls(payload),
      config: { ...payload.config, configurable: {} },
    });
    add("crons", ((await search("runs/crons")) as unknown as CronResponse[]).map(toCron));
  }
  return recorded;
}

const withoutNulls = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

interface CronResponse {
  cron_id: string;
  payload: { config?: object };
}

interface ThreadResponse {
  thread_id: string;
  created_at: string;
  metadata: object;
  ttl?: { strategy: string; ttl: number };
}

interface StateResponse {
  metadata: { writes: object };
}

/** Returns a deployment as seed data, with its live revision. */
function toSeed({ latest_revision_id, active_revision_id, revisions, updated_at, ...rest }: RemoteDeployment): object {
  const live = active_revision_id === null ? {} : { revision_id: active_revision_id };
  return { ...rest, ...live, source_config: { ...rest.source_config, custom_url: null } };
}
