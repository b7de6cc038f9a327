/** Operations of each kind of resource, and the requests that each sends. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { startAssistants } from "../../../../support/agents/assistants";
import { cronsOf } from "../../../../support/agents/crons";
import { startAgents, superstep } from "../../../../support/agents/threads";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { type Change, destination, destinationStack, destinationsIn } from "../../../../support/exports/destinations";
import { startWorkspace } from "../../../../support/exports/exports";
import { type Platform, startPlatform } from "../../../../support/platform";
import { Stack, stateOf } from "../../../../support/stack";
import { ACTED_AFTER_TIMEOUT } from "./failure-modes";

export interface Prepared {
  platform: Platform;
  stack: Stack;
  /** Declared inputs; the operation is a destroy when absent. */
  desired: PropertyMap | undefined;
  /** Returns the IDs of what exists, without what others have. */
  ids(): Promise<string[]>;
  /** Expects the content that it leads to. @param isRepeated Whether the last request may have acted twice. */
  expectContent?(isRepeated: boolean): Promise<void>;
}

export interface Operation {
  /** The requests of a run without failures; all polls of a wait count as one. */
  requests: string[];
  /** Creates what exists before. The request log has nothing of it. */
  prepare(): Promise<Prepared>;
  /** Whether the server does not show that it acted, so that the next run repeats the request. */
  mayRepeat?(request: string, mode: string): boolean;
  /** The check that fails in its first run, which therefore fails. */
  failing?: string;
}

/** What exists before, and what the program declares: without the one it is a create, without the other a destroy. */
interface Inputs<T = PropertyMap> {
  before?: T;
  declared?: T;
}

interface Started<T> extends Omit<Prepared, "desired"> {
  inputs(change: T): PropertyMap;
  /** Runs after the create of what exists before. */
  settle?(): unknown;
}

function operation<T = PropertyMap>(
  requests: string[],
  { before, declared }: Inputs<T>,
  start: (desired: PropertyMap, exists: boolean) => Promise<Started<T>>,
): Operation {
  return {
    requests,
    async prepare() {
      const { inputs, settle, ...rest } = await start(declared as PropertyMap, before !== undefined);
      if (before) await rest.stack.up(inputs(before));
      if (before) await settle?.();
      await rest.platform.emulator.requestLog.clear();
      return { ...rest, desired: declared && inputs(declared) };
    },
  };
}

const DEPLOYMENTS = "/v2/deployments";
const ADDRESS = `GET ${DEPLOYMENTS}/{id}`;
const UPLOAD = ["POST /deployments/{id}/upload-url", "PUT /uploads/{id}"];
const ROLLOUT = [`GET ${DEPLOYMENTS}/{id}/revisions/{id}`, ADDRESS];
const [CREATE, CHANGE] = [`POST ${DEPLOYMENTS}`, `PATCH ${DEPLOYMENTS}/{id}`];
const UPLOADED = [...UPLOAD, CHANGE, ...ROLLOUT];
const FIND = `GET ${DEPLOYMENTS}`;
/** The polls of a deletion are the list and the deployment together, until neither shows it. */
const DELETED = [ADDRESS, `DELETE ${DEPLOYMENTS}/{id}`, FIND, ADDRESS, FIND, ADDRESS, FIND, ADDRESS];
const LOGS = `GET ${DEPLOYMENTS}/{id}/revisions/{id}/logs`;
const REDEPLOY = `POST ${DEPLOYMENTS}/{id}/revisions/{id}/redeploy`;

const deployment = (requests: string[], revisions: number, inputs: Inputs, failsCheck = false): Operation => ({
  ...(failsCheck && { failing: CHECK }),
  // A redeploy leaves a revision that equals the previous one, and a tarball is identified by its path.
  mayRepeat: (request, mode) =>
    request === REDEPLOY || (request === CHANGE && mode === ACTED_AFTER_TIMEOUT && requests.includes(UPLOAD[0] ?? "")),
  ...operation(requests, inputs, async () => {
    const platform = await startPlatform();
    const stack = new Stack(platform);
    const folder = createAgentFolder({ "agent.py": "graph = 1" });
    return {
      ...{ platform, stack },
      inputs: (change) => (change.source === "internal_source" ? { ...change, sourcePath: folder } : change),
      async settle() {
        writeFileSync(join(folder, "agent.py"), "graph = 2");
        if (failsCheck) await platform.emulator.faults.add({ path: "/agents/*/info", status: 500, times: 2 });
      },
      ids: async () => (await platform.deployments()).map(({ id }) => id),
      async expectContent(isRepeated) {
        const { id, outputs } = stateOf(stack);
        const remote = await platform.getDeployment(id);
        expect(remote.active_revision_id).toBe(remote.latest_revision_id);
        expect(outputs.activeRevisionId).toBe(remote.active_revision_id);
        if (inputs.declared?.verify) expect(outputs.verifiedRevisionId).toBe(remote.active_revision_id);
        // A lost request of a return leaves what failed live, and the next run only checks it.
        const fewest = failsCheck ? 2 : revisions;
        expect(remote.revisions.length).toBeGreaterThanOrEqual(fewest);
        expect(remote.revisions.length).toBeLessThanOrEqual(isRepeated ? revisions + 1 : revisions);
      },
    };
  }),
});

const AGENT = "/agents/{id}";
const [THREAD, ASSISTANT, CRON] = ["threads", "assistants", "runs/crons"].map((path) => `${AGENT}/${path}/{id}`);
const [HEALTH, CHECK] = [`GET ${AGENT}/ok`, `GET ${AGENT}/info`];
const READY = [ADDRESS, HEALTH];
const search = (path: string) => `POST ${AGENT}/${path}/search`;
const [THREADS, ASSISTANTS, CRONS] = [search("threads"), search("assistants"), search("runs/crons")];

/** @param copies Whether the thread is a copy. */
const thread = (requests: string[], inputs: Inputs, copies = false) =>
  operation(requests, inputs, async (declared) => {
    const agents = await startAgents();
    const stack = agents.stack();
    const body = { metadata: { team: "the source's" } };
    const source = (await agents.callAgentServer("POST", "/threads", body)).body.thread_id;
    const toInputs = (change: PropertyMap) =>
      agents.threadInputs({ ...change, ...(copies && { copyFrom: source }) }) as { metadata: PropertyMap };
    return {
      ...{ platform: agents, stack, inputs: toInputs },
      ids: async () => (await agents.threads()).map(({ thread_id }) => thread_id).filter((id) => id !== source),
      expectContent: async () =>
        expect((await agents.getThread(stateOf(stack).id)).metadata).toMatchObject(toInputs(declared).metadata),
    };
  });

const assistant = (requests: string[], inputs: Inputs, version?: number) =>
  operation(requests, inputs, async (declared) => {
    const agents = await startAssistants();
    const defaults = await agents.defaults();
    return {
      ...{ platform: agents, stack: agents.assistantStack(), inputs: agents.assistantInputs },
      ids: async () => (await agents.assistants()).map(({ assistant_id }) => assistant_id),
      async expectContent() {
        const { context } = agents.assistantInputs(declared);
        expect(await agents.assistants()).toMatchObject([{ context, version }]);
        expect(await agents.defaults()).toEqual(defaults);
      },
    };
  });

const cron = (requests: string[], inputs: Inputs) =>
  operation(requests, inputs, async (declared) => {
    const agents = await startAgents();
    const crons = cronsOf(agents);
    return {
      ...{ platform: agents, stack: crons.stack(), inputs: crons.inputs },
      ids: async () => (await crons.list()).map(({ cron_id }) => cron_id),
      async expectContent() {
        const { schedule, timezone = null } = crons.inputs(declared);
        expect(await crons.list()).toMatchObject([{ schedule, timezone, enabled: true }]);
      },
    };
  });

const EXPORTS = "/api/v1/bulk-exports";
const DESTINATIONS = `${EXPORTS}/destinations`;
const [LIST, ADD, READ] = [`GET ${EXPORTS}`, `POST ${EXPORTS}`, `GET ${EXPORTS}/{id}`];
const [CANCEL, FOUND] = [`PATCH ${EXPORTS}/{id}`, `GET ${DESTINATIONS}`];

const exported = (kind: "BulkExport" | "ScheduledBulkExport", requests: string[], inputs: Inputs) =>
  operation(requests, inputs, async (declared, exists) => {
    const ws = await startWorkspace();
    // The existing export keeps running, however long a failure lasts.
    if (exists) await ws.emulator.faults.add({ export_run: { stalls: true }, times: 100 });
    const base = kind === "BulkExport" ? ws.oneTime() : ws.daily();
    const isSpawned = ({ source_bulk_export_id: source }: PropertyMap) => declared !== undefined && Boolean(source);
    return {
      ...{ platform: ws, stack: ws.stack(kind), inputs: (change) => ({ ...base, ...change }) },
      settle: () => ws.advance(5000),
      ids: async () =>
        (await ws.exports()).filter((one) => one.status !== "CANCELLED" && !isSpawned(one)).map(({ id }) => id),
    };
  });

const destinations = (requests: string[], inputs: Inputs<Change>) =>
  operation<Change>(requests, inputs, async () => {
    const platform = await startPlatform();
    return {
      ...{ platform, stack: destinationStack(platform), inputs: (change) => destination(platform, change) },
      ids: async () => (await destinationsIn(platform)).map(({ id }) => id),
    };
  });

const [first, second] = ["1", "2"].map((token) => dockerDeployment({ redeployTriggers: { token } }));
const checked = (tag: string) =>
  dockerDeployment({ ...withImage(tag), verify: [{ http: { path: "/info" }, attempts: 2 }] });
const docker = dockerDeployment();
const changed = dockerDeployment({ ...withImage("2"), secrets: { A: "1" } });
const CHECKED = { before: checked("1"), declared: checked("2") };
const VERIFIED = [ADDRESS, CHANGE, ...ROLLOUT, HEALTH, CHECK, ADDRESS];
const RETURNED = [ADDRESS, CHANGE, ...ROLLOUT, HEALTH, CHECK, LOGS, ADDRESS, HEALTH, REDEPLOY, ...ROLLOUT, HEALTH];
const folder = internalSource();
const sales = { metadata: { team: "sales" } };
const steps = { supersteps: [superstep({ messages: [{ role: "user", content: "Hello" }] })] };
const later = { schedule: "30 4 * * *", timezone: "Europe/Berlin" };
const prefixed = { context: { prefix: "# " } };
const filtered = { filter: "eq(is_root, true)" };
const COPY = [THREADS, `POST ${THREAD}/copy`, `PATCH ${THREAD}`, THREADS, THREADS];
const SCHEMAS = `GET ${ASSISTANT}/schemas`;
const NEW_ASSISTANT = [`POST ${AGENT}/assistants`, SCHEMAS, ASSISTANTS];
const OTHER_ASSISTANT = [ADDRESS, `GET ${ASSISTANT}`, `PATCH ${ASSISTANT}`, SCHEMAS];
/** The marker of a cron contains its ID, which the server assigns. */
const NEW_CRON = [CRONS, `POST ${AGENT}/runs/crons`, `PATCH ${CRON}`, CRONS];
const RESTART = [`${FOUND}/{id}`, "GET /api/v1/sessions/{id}", LIST, READ, CANCEL, LIST, ADD, LIST];

export const operations: Record<string, Operation> = {
  "a create of a Deployment": deployment([FIND, CREATE, ...ROLLOUT], 1, { declared: docker }),
  "a change of a Deployment": deployment([ADDRESS, CHANGE, ...ROLLOUT], 2, { before: docker, declared: changed }),
  "a change of a Deployment with a check": deployment(VERIFIED, 2, CHECKED),
  "a change of a Deployment that fails its check": deployment(RETURNED, 4, CHECKED, true),
  "a redeploy of a Deployment": deployment([ADDRESS, REDEPLOY, ...ROLLOUT], 2, { before: first, declared: second }),
  "a destroy of a Deployment": deployment(DELETED, 0, { before: docker }),
  "a create of a Deployment from a folder": deployment([FIND, CREATE, ...UPLOADED], 1, { declared: folder }),
  "a change of a Deployment from a folder": deployment([ADDRESS, ...UPLOADED], 2, { before: folder, declared: folder }),
  "a create of a Thread": thread([...READY, `GET ${THREAD}`, `POST ${AGENT}/threads`, THREADS], { declared: steps }),
  "a copy of a Thread": thread([...READY, ...COPY], { declared: {} }, true),
  "a change of a Thread": thread([ADDRESS, `GET ${THREAD}`, `PATCH ${THREAD}`], { before: sales, declared: {} }),
  "a destroy of a Thread": thread([ADDRESS, `GET ${THREAD}`, CRONS, `DELETE ${THREAD}`], { before: {} }),
  "a create of an Assistant": assistant([...READY, `GET ${ASSISTANT}`, ...NEW_ASSISTANT], { declared: {} }, 1),
  "a change of an Assistant": assistant(OTHER_ASSISTANT, { before: sales, declared: prefixed }, 2),
  "a destroy of an Assistant": assistant([ADDRESS, `GET ${ASSISTANT}`, CHECK, CRONS, `DELETE ${ASSISTANT}`], {
    before: {},
  }),
  "a create of a Cron": cron([...READY, ...NEW_CRON], { declared: {} }),
  "a change of a Cron": cron([ADDRESS, `GET ${CRON}`, `PATCH ${CRON}`], { before: sales, declared: later }),
  "a destroy of a Cron": cron([ADDRESS, `GET ${CRON}`, `DELETE ${CRON}`, CRONS], { before: {} }),
  "a create of a BulkExport that waits": exported("BulkExport", [LIST, ADD, LIST, READ, `${READ}/runs`], {
    declared: { waitFor: "completed" },
  }),
  "a replacement of a BulkExport": exported("BulkExport", RESTART, { before: {}, declared: filtered }),
  "a create of a ScheduledBulkExport": exported("ScheduledBulkExport", [LIST, ADD, LIST], { declared: {} }),
  "a destroy of a ScheduledBulkExport": exported("ScheduledBulkExport", [READ, CANCEL, LIST, CANCEL, CANCEL], {
    before: { cancelSpawned: true },
  }),
  "a create of a BulkExportDestination": destinations([FOUND, `POST ${DESTINATIONS}`, FOUND], { declared: {} }),
  "a change of a BulkExportDestination": destinations([`PATCH ${DESTINATIONS}/{id}`], {
    ...{ before: { credentials: { sessionToken: "old" } }, declared: {} },
  }),
  "a destroy of a BulkExportDestination": destinations([`DELETE ${DESTINATIONS}/{id}`], { before: {} }),
};
