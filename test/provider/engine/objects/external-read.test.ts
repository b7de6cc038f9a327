/** `get`: a program reads what it does not manage. The engine never changes or deletes it, and neither do we. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { startAgents } from "../../../support/agents/threads";
import { dockerDeployment, withResourceSpec } from "../../../support/deployments/inputs";
import { failureOf } from "../../../support/errors";
import { destination, destinationStack } from "../../../support/exports/destinations";
import { startWorkspace } from "../../../support/exports/exports";
import { type Platform, startPlatform } from "../../../support/platform";
import { startStack, stateOf } from "../../../support/stack";

const UNKNOWN_ID = "99999999-9999-4999-8999-999999999999";
const writes = (platform: Platform) => platform.requests().filter((request) => !request.startsWith("GET"));
/** What users see of a state. */
const withoutInternal = (outputs: PropertyMap) =>
  Object.fromEntries(Object.entries(outputs).filter(([key]) => !key.startsWith("__")));

const small = withResourceSpec({ cpu: 0.5, memoryMb: 512 });
const agent = dockerDeployment({ ...small, secrets: { MODEL_API_KEY: "the-value-of-the-key" } });

async function withDeployment() {
  const platform = await startPlatform();
  const owner = await startStack(platform, agent);
  const id = owner.state?.id ?? "";
  await platform.emulator.requestLog.clear();
  return { platform, id, reader: owner.fork({ stack: "reader", name: "shared" }) };
}

describe("Deployment.get", () => {
  it("returns every remote input and output, without nulls, with one request", async () => {
    const { platform, id, reader } = await withDeployment();
    const { outputs } = await reader.get(id);
    expect(platform.requests()).toEqual(["GET /v2/deployments/{id}"]);
    expect(withoutInternal(outputs)).toEqual({
      ...agent,
      sourceConfig: {
        customUrl: `${platform.url}/agents/${id}`,
        resourceSpec: expect.objectContaining({ cpu: 0.5, memoryMb: 512, memoryLimitMb: 1024 }),
      },
      url: `${platform.url}/agents/${id}`,
      tenantId: "11111111-1111-4111-8111-111111111111",
      status: "READY",
      ...{ latestRevisionId: expect.any(String), activeRevisionId: expect.any(String) },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String), isManagedDeepAgent: false },
    });
  });

  it("fails with the resource and the ID when the ID does not exist", async () => {
    const { reader } = await withDeployment();
    const { message } = await failureOf(reader.get(UNKNOWN_ID));
    expect(message).toBe(
      `Deployment "shared" (get): ${UNKNOWN_ID} was not found. Check the ID, and that the settings point to ` +
        "the right server and workspace.",
    );
  });

  it("is refreshed like any resource, and leaves state when it no longer exists", async () => {
    const { platform, id, reader } = await withDeployment();
    await reader.get(id);
    await platform.updateOutOfBand(id, { source_revision_config: { image_uri: "registry.example.com/agent:2" } });
    await reader.refresh();
    expect(reader.state?.outputs).toMatchObject({
      sourceRevisionConfig: { imageUri: "registry.example.com/agent:2" },
      __external: true,
    });
    await platform.call("DELETE", `/_emulator/deployments/${id}`);
    expect(await reader.refresh()).toBe("gone");
  });

  it("is never deleted, even if the engine requests it", async () => {
    const { platform, id, reader } = await withDeployment();
    await reader.get(id);
    await reader.destroy();
    expect(writes(platform)).toEqual([]);
    expect(await platform.getDeployment(id)).toMatchObject({ status: "READY" });
  });
});

it("Thread.get returns all metadata except the ownership marker, the TTL and the server", async () => {
  const agents = await startAgents();
  const { deploymentId } = agents;
  const owner = agents.stack();
  await owner.up(agents.threadInputs({ ttl: { ttl: 90 } }));
  const id = owner.state?.id ?? "";
  await agents.callAgentServer("PATCH", `/threads/${id}`, { metadata: { added: { byOthers: null } } });
  const { outputs } = await agents.stack({ stack: "reader" }).get(id, { deploymentId });
  expect(withoutInternal(outputs)).toEqual({
    ...{ deploymentId, threadId: id, url: agents.url + agents.basePath, status: "idle" },
    metadata: { graph_id: "echo", team: "support", added: { byOthers: null } },
    ttl: expect.objectContaining({ strategy: "delete", ttl: 90 }),
    ...{ tenantId: expect.any(String), createdAt: expect.any(String), updatedAt: expect.any(String) },
  });
});

describe("get of bulk exports", () => {
  it("returns the location of a destination, and no credentials", async () => {
    const platform = await startPlatform();
    const owner = destinationStack(platform);
    const declared = destination(platform);
    await owner.up(declared);
    const reader = destinationStack(platform, { stack: "reader" });
    const { outputs } = await reader.get(owner.state?.id ?? "");
    const { credentials: _, ...stored } = declared;
    expect(withoutInternal(outputs)).toMatchObject(stored);
    expect(outputs).not.toHaveProperty("credentials");
    expect(outputs).toMatchObject({ credentialsKeys: ["access_key_id", "secret_access_key"] });
    expect(reader.messages).toEqual([]);
  });

  it("does not confuse schedules with one-time exports", async () => {
    const ws = await startWorkspace();
    const [created, daily] = [ws.stack("BulkExport"), ws.stack("ScheduledBulkExport")];
    await created.up(ws.oneTime());
    await daily.up(ws.daily());
    const [exportId, scheduleId] = [stateOf(created).id, stateOf(daily).id];
    const reader = (kind: "BulkExport" | "ScheduledBulkExport") => ws.stack(kind, { stack: "reader" });
    expect(await reader("ScheduledBulkExport").get(scheduleId)).toMatchObject({ outputs: { intervalHours: 24 } });
    expect((await failureOf(reader("BulkExport").get(scheduleId))).message).toBe(
      `BulkExport "traces": get: ${scheduleId} is a schedule; use ScheduledBulkExport.get instead.`,
    );
    expect((await failureOf(reader("ScheduledBulkExport").get(exportId))).message).toBe(
      `ScheduledBulkExport "traces": get: ${exportId} is a one-time export; use BulkExport.get instead.`,
    );
  });

  it("fails on a server that cannot return destinations", async () => {
    const platform = await startPlatform({ interfaceOnly: true });
    const { message } = await failureOf(destinationStack(platform).get(UNKNOWN_ID));
    expect(message).toMatch(/^BulkExportDestination "traces": get: this server cannot show destination 9{8}/);
    expect(message).toContain(" and has no list of destinations.");
  });
});
