/** When a resource counts as gone: not after a stray 404, for every type of resource and every operation. */
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { destination, destinationStack } from "../../../../support/exports/destinations";
import { createExport } from "../../../../support/exports/exports";
import { tracingSettings } from "../../../../support/exports/tracing";
import { type Platform, startPlatform } from "../../../../support/platform";
import { isDynamicHost, Stack, sampled, stateOf } from "../../../../support/stack";
import { createSample, isActive, type Sample, sampleKinds } from "../kinds";

/** Imports the object with another resource; returns its ID. */
async function importObject({ stack, declared }: Sample, id: string): Promise<string> {
  const other = stack.fork();
  if (isDynamicHost) await other.up(declared, other.host(), { __import: id });
  else await other.import("deploymentId" in declared ? `${declared.deploymentId}/${id}` : id);
  return stateOf(other).id;
}

/** The operations that read an object, and what they do with one that exists. */
const operations: Record<string, (sample: Sample, id: string) => Promise<void>> = {
  refresh: async ({ stack }) => expect(await stack.refresh()).toBe("same"),
  import: async (sample, id) => expect(await importObject(sample, id)).toBe(id),
  update: async ({ stack, changed }) => expect(await stack.up(changed)).toBe("update"),
  destroy: async (sample, id) => {
    await sample.stack.destroy();
    await sample.platform.emulator.faults.clear();
    expect(sample.stack.messages.join()).not.toMatch(/warn/);
    expect(await isActive(sample, id)).toBe(false);
  },
};

const bodies: Record<string, object> = {
  "an HTML page": { body: "<html><body><h1>404 Not Found</h1>nginx</body></html>" },
  JSON: { body: { detail: "Not Found" } },
  "no body": {},
};

describe.each(Object.entries(sampleKinds))("a %s", (kind, sampleKind) => {
  describe.each(Object.entries(operations))("in a(n) %s", (operation, perform) => {
    // The client takes them apart, whatever the operation.
    const tried = Object.entries(bodies).slice(0, operation === "refresh" && isDynamicHost ? 3 : 1);
    it.each(tried)("survives a single 404 with %s", async (_what, body) => {
      const sample = await createSample(sampleKind);
      const { platform, path, id } = sample;
      await platform.addFault({ method: "GET", path: path(id), status: 404, ...body });
      await perform(sample, id);
    });

    it.each(sampled([0, 1]))("is not lost behind a replica that rejects every second read, after %i", async (first) => {
      const sample = await createSample(sampleKind);
      const { platform, stack, id } = sample;
      for (let skip = first; skip < 30; skip++) await platform.addFault({ method: "GET", status: 404, skip });
      // An error is acceptable where the server contradicts itself; what exists stays in state.
      await perform(sample, id).catch(() => undefined);
      await platform.emulator.faults.clear();
      expect(await isActive(sample, id)).toBe(stack.state !== undefined);
    });

    it("that its server no longer has is gone", async () => {
      const sample = await createSample(sampleKind);
      await sample.platform.emulator.reset();
      if (operation === "refresh") expect(await sample.stack.refresh()).toBe("gone");
      else if (operation === "destroy") await sample.stack.destroy();
      else if (operation === "import")
        await expect(importObject(sample, sample.id)).rejects.toThrow(/not found|exists|was deleted/);
      else if (kind.endsWith("Export")) expect(await sample.stack.up(sample.changed)).toBe("update");
      else await expect(sample.stack.up(sample.changed)).rejects.toThrow(/no longer exists.*pulumi up --refresh/s);
      expect(sample.stack.state !== undefined).toBe(operation === "update" || operation === "import");
      expect(sample.stack.messages.join()).not.toContain("warn");
    });
  });

  it("is destroyed although the first deletion and the read after it return a stray 404", async () => {
    const sample = await createSample(sampleKind);
    const { platform, path, id } = sample;
    for (const method of ["DELETE", "PATCH", "GET"]) await platform.addFault({ method, path: path(id), status: 404 });
    await operations.destroy?.(sample, id);
  });

  // @covers 10.absence
  it("that only its list still contains stays in state, with an explanation", async () => {
    const { platform, stack, path, id } = await createSample(sampleKind);
    await platform.addFault({ path: path(id), status: 404, times: 100 });
    if (kind === "BulkExportDestination") {
      // The list returns it, which is as good.
      expect(await stack.refresh()).toBe("same");
      return;
    }
    if (kind === "Assistant") {
      // Its graph may be missing.
      expect(await stack.refresh()).toBe("same");
      expect(stack.messages.join()).toContain("It still exists, and stays in state.");
      await expect(stack.destroy()).rejects.toThrow("although it still has the assistant");
      expect(stack.state).toBeDefined();
      return;
    }
    for (const command of [() => stack.refresh(), () => stack.destroy()]) {
      await expect(command()).rejects.toThrow(
        /Could not determine whether .* still exists: .* still contains it\. State is unchanged/,
      );
    }
    expect(stack.state).toBeDefined();
  });
});

it("a schedule whose destination is replaced is canceled although the read before returns a stray 404", async () => {
  const { ws, stack, id } = await createExport("ScheduledBulkExport");
  await ws.addFault({ method: "GET", path: `/api/v1/bulk-exports/${id}`, status: 404 });
  const { id: bulkExportDestinationId } = await otherDestination(ws);
  expect(await stack.up(ws.daily({ bulkExportDestinationId }))).toBe("replace");
  expect((await ws.callTracingApi("GET", `bulk-exports/${id}`)).body.status.toUpperCase()).toBe("CANCELLED");
});

async function otherDestination(platform: Platform): Promise<{ id: string }> {
  const stack = destinationStack(platform, { name: "other" });
  await stack.up(destination(platform, { displayName: "other" }));
  return stateOf(stack);
}

it("resources of a workspace that was cleaned share the pause and the lists of a refresh", async () => {
  const platform = await startPlatform();
  const stack = new Stack(platform, { config: tracingSettings(platform) });
  const others = Array.from({ length: 20 }, (_, index) => stack.fork({ name: `agent-${index}` }));
  const host = stack.host();
  for (const [index, other] of others.entries()) await other.up(dockerDeployment({ name: `agent-${index}` }), host);
  await platform.emulator.reset();
  await platform.emulator.requestLog.clear();
  const before = platform.clock.monotonic();
  const fresh = stack.host();
  // Only the first one waits. Which of the others share a list depends on when the server responds.
  for (const batch of [others.slice(0, 1), others.slice(1)])
    await Promise.all(batch.map(async (other) => expect(await other.refresh(fresh)).toBe("gone")));
  // A repeated request may add a little.
  expect(platform.clock.monotonic() - before).toBeLessThan(4000);
  const lists = platform.requests().filter((request) => request === "GET /v2/deployments");
  expect(lists.length).toBeLessThanOrEqual(6);
});
