/** When a resource counts as gone: not after a stray 404, for every type of resource and every operation. */
import { definitions } from "../../../../provider/definitions";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { startAssistants } from "../../../support/assistants";
import { cronsOf } from "../../../support/crons";
import { dockerDeployment, withImage } from "../../../support/deployments/inputs";
import { destination, destinationStack } from "../../../support/destinations";
import { failureOf } from "../../../support/errors";
import { startWorkspace } from "../../../support/exports";
import { type Platform, startPlatform } from "../../../support/platform";
import { isDynamicHost, Stack, stateOf } from "../../../support/stack";
import { startAgents } from "../../../support/threads";
import { callTracingApi, tracingSettings } from "../../../support/tracing";

interface Started {
  platform: Platform;
  stack: Stack;
  declared: PropertyMap;
  /** What the program changes, so that an update sends a request. */
  changed: PropertyMap;
  /** The path of the object. */
  path: (id: string) => string;
  /** Whether the object is active on the server. */
  isActive: (id: string) => Promise<boolean>;
}

const exportOf = async (kind: "BulkExport" | "ScheduledBulkExport"): Promise<Started> => {
  const platform = await startWorkspace();
  // Its runs never end, so that the export stays active.
  await platform.emulator.faults.add({ export_run: { stalls: true }, times: 100 });
  const declared = kind === "BulkExport" ? platform.oneTime() : platform.daily();
  return {
    platform,
    stack: platform.stack(kind),
    declared,
    changed: { ...declared, allowDuplicate: true },
    path: (id) => `/api/v1/bulk-exports/${id}`,
    isActive: async (id) =>
      /run|created|interval/i.test((await platform.callTracingApi("GET", `bulk-exports/${id}`)).body.status),
  };
};

/** Creates one resource of each type. */
const kinds: Record<string, () => Promise<Started>> = {
  Deployment: async () => {
    const platform = await startPlatform();
    return {
      ...{ platform, stack: new Stack(platform), declared: dockerDeployment() },
      changed: dockerDeployment(withImage("2.0.0")),
      path: (id) => `/v2/deployments/${id}`,
      isActive: async (id) => /READY|DEPLOY/.test((await platform.call("GET", `/v2/deployments/${id}`)).body.status),
    };
  },
  Thread: async () => {
    const platform = await startAgents();
    return {
      ...{ platform, stack: platform.stack(), declared: platform.threadInputs() },
      changed: platform.threadInputs({ metadata: { graph_id: "echo", team: "sales" } }),
      path: (id) => `${platform.basePath}/threads/${id}`,
      isActive: async (id) => (await platform.callAgentServer("GET", `/threads/${id}`)).status === 200,
    };
  },
  Cron: async () => {
    const platform = await startAgents();
    const crons = cronsOf(platform);
    return {
      ...{ platform, stack: crons.stack(), declared: crons.inputs() },
      changed: crons.inputs({ schedule: "0 4 * * *" }),
      path: (id) => `${platform.basePath}/runs/crons/${id}`,
      isActive: async (id) => (await platform.callAgentServer("GET", `/runs/crons/${id}`)).status === 200,
    };
  },
  Assistant: async () => {
    const platform = await startAssistants();
    return {
      ...{ platform, stack: platform.assistantStack(), declared: platform.assistantInputs() },
      changed: platform.assistantInputs({ context: { prefix: "# " } }),
      path: (id) => `${platform.basePath}/assistants/${id}`,
      isActive: async (id) => (await platform.callAgentServer("GET", `/assistants/${id}`)).status === 200,
    };
  },
  BulkExportDestination: async () => {
    const platform = await startPlatform();
    return {
      ...{ platform, stack: destinationStack(platform), declared: destination(platform) },
      changed: destination(platform, { credentials: { sessionToken: "t" } }),
      path: (id) => `/api/v1/bulk-exports/destinations/${id}`,
      isActive: async (id) => (await callTracingApi(platform, "GET", `bulk-exports/destinations/${id}`)).status === 200,
    };
  },
  BulkExport: () => exportOf("BulkExport"),
  ScheduledBulkExport: () => exportOf("ScheduledBulkExport"),
};

/** Imports the object with another resource; returns its ID. */
async function importObject({ stack, declared }: Started, id: string): Promise<string> {
  const other = stack.fork();
  if (isDynamicHost) await other.up(declared, other.host(), { __import: id });
  else await other.import("deploymentId" in declared ? `${declared.deploymentId}/${id}` : id);
  return stateOf(other).id;
}

/** The operations that read an object, and what they do with one that exists. */
const operations: Record<string, (started: Started, id: string) => Promise<void>> = {
  refresh: async ({ stack }) => expect(await stack.refresh()).toBe("same"),
  import: async (started, id) => expect(await importObject(started, id)).toBe(id),
  update: async ({ stack, changed }) => expect(await stack.up(changed)).toBe("update"),
  destroy: async ({ platform, stack, isActive }, id) => {
    await stack.destroy();
    await platform.emulator.faults.clear();
    expect(stack.messages.join()).not.toMatch(/warn/);
    expect(await isActive(id)).toBe(false);
  },
};

async function startCreated(start: () => Promise<Started>): Promise<Started & { id: string }> {
  const started = await start();
  await started.stack.up(started.declared);
  started.stack.messages = [];
  return { ...started, id: stateOf(started.stack).id };
}

const bodies: Record<string, object> = {
  "an HTML page": { body: "<html><body><h1>404 Not Found</h1>nginx</body></html>" },
  JSON: { body: { detail: "Not Found" } },
  "no body": {},
};

/** The plugin runs the same code, so through it one case of each is enough. */
const sampled = <T>(cases: T[]): T[] => (isDynamicHost ? cases : cases.slice(0, 1));

describe.each(Object.entries(kinds))("a %s", (kind, start) => {
  describe.each(Object.entries(operations))("in a(n) %s", (operation, perform) => {
    it.each(sampled(Object.entries(bodies)))("survives a single 404 with %s", async (_what, body) => {
      const started = await startCreated(start);
      const { platform, path, id } = started;
      await platform.emulator.faults.add({ method: "GET", path: path(id), status: 404, ...body });
      await perform(started, id);
    });

    it.each(sampled([0, 1]))("is not lost behind a replica that rejects every second read, after %i", async (first) => {
      const started = await startCreated(start);
      const { platform, stack, isActive, id } = started;
      for (let skip = first; skip < 30; skip++)
        await platform.emulator.faults.add({ method: "GET", status: 404, skip });
      // An error is acceptable where the server contradicts itself; what exists stays in state.
      await perform(started, id).catch(() => undefined);
      await platform.emulator.faults.clear();
      expect(await isActive(id)).toBe(stack.state !== undefined);
    });

    it("that its server no longer has is gone", async () => {
      const started = await startCreated(start);
      await started.platform.emulator.reset();
      if (operation === "refresh") expect(await started.stack.refresh()).toBe("gone");
      else if (operation === "destroy") await started.stack.destroy();
      else if (operation === "import")
        await expect(importObject(started, started.id)).rejects.toThrow(/not found|exists|was deleted/);
      else if (kind.endsWith("Export")) expect(await started.stack.up(started.changed)).toBe("update");
      else await expect(started.stack.up(started.changed)).rejects.toThrow(/no longer exists|was not found/);
      expect(started.stack.state !== undefined).toBe(operation === "update" || operation === "import");
    });
  });

  it("is destroyed although the first deletion and the read after it return a stray 404", async () => {
    const started = await startCreated(start);
    const { platform, path, id } = started;
    for (const method of ["DELETE", "PATCH", "GET"])
      await platform.emulator.faults.add({ method, path: path(id), status: 404 });
    await operations.destroy?.(started, id);
  });

  // @covers 10.absence
  it("that only its list still contains stays in state, with an explanation", async () => {
    const { platform, stack, path, id } = await startCreated(start);
    await platform.emulator.faults.add({ path: path(id), status: 404, times: 100 });
    if (kind === "BulkExportDestination") {
      // The list returns it, which is as good.
      expect(await stack.refresh()).toBe("same");
      return;
    }
    if (kind === "Assistant") {
      // Its graph may be missing.
      expect(await stack.refresh()).toBe("same");
      expect(stack.messages.join()).toContain("It still exists, and stays in state.");
      expect((await failureOf(stack.destroy())).message).toContain("although it still has the assistant");
      expect(stack.state).toBeDefined();
      return;
    }
    for (const command of [() => stack.refresh(), () => stack.destroy()]) {
      const { message } = await failureOf(command());
      expect(message).toMatch(/Could not determine whether .* still exists: .* still contains it\. State is unchanged/);
    }
    expect(stack.state).toBeDefined();
  });
});

describe("a schedule whose destination is replaced", () => {
  it("is canceled although the read before returns a stray 404", async () => {
    const ws = await startWorkspace();
    const stack = ws.stack("ScheduledBulkExport");
    await stack.up(ws.daily());
    const { id } = stateOf(stack);
    await ws.emulator.faults.add({ method: "GET", path: `/api/v1/bulk-exports/${id}`, status: 404 });
    const { id: bulkExportDestinationId } = await otherDestination(ws);
    expect(await stack.up(ws.daily({ bulkExportDestinationId }))).toBe("replace");
    const { body } = await ws.callTracingApi("GET", `bulk-exports/${id}`);
    expect(body.status.toUpperCase()).toBe("CANCELLED");
  });
});

async function otherDestination(platform: Platform): Promise<{ id: string }> {
  const stack = destinationStack(platform, { name: "other" });
  await stack.up(destination(platform, { displayName: "other" }));
  return stateOf(stack);
}

describe("resources of a workspace that was cleaned", () => {
  it("share the pause and the lists of a refresh", async () => {
    const platform = await startPlatform();
    const stack = new Stack(platform, { config: tracingSettings(platform) });
    const others = Array.from({ length: 20 }, (_, index) => stack.fork({ name: `agent-${index}` }));
    const host = stack.host();
    for (const [index, other] of others.entries()) await other.up(dockerDeployment({ name: `agent-${index}` }), host);
    await platform.emulator.reset();
    await platform.emulator.requestLog.clear();
    const before = platform.clock.monotonic();
    const fresh = stack.host();
    // The engine works on sixteen resources at a time.
    for (const batch of [others.slice(0, 16), others.slice(16)])
      await Promise.all(batch.map(async (other) => expect(await other.refresh(fresh)).toBe("gone")));
    // A repeated request may add a little.
    expect(platform.clock.monotonic() - before).toBeLessThan(4000);
    const lists = platform.requests().filter((request) => request === "GET /v2/deployments");
    expect(lists.length).toBeLessThanOrEqual(6);
  });
});

it("every type of resource is in the table", () => {
  expect(Object.keys(kinds).sort()).toEqual(definitions.map(({ kind }) => kind).sort());
});
