/** Reads that know only an ID: `pulumi import`, the option `import` and `get` of the native provider. */
import { UNKNOWN_SECRET } from "../../../../provider/schema/mapping";
import { createThread } from "../../../support/agents/threads";
import { dockerDeployment, withResourceSpec } from "../../../support/deployments/inputs";
import { failureOf } from "../../../support/errors";
import { destination, destinationStack } from "../../../support/exports/destinations";
import { startWorkspace } from "../../../support/exports/exports";
import { startPlatform } from "../../../support/platform";
import { Stack, startStack } from "../../../support/stack";

const UNKNOWN_ID = "99999999-9999-4999-8999-999999999999";
const NOT_FOUND =
  `${UNKNOWN_ID} was not found. Check the ID, and that the settings point to the right server and workspace.\n` +
  "If the object was deleted and the program imports it, remove the import option to create a new one.";

const small = withResourceSpec({ cpu: 0.5, memoryMb: 512 });
const agent = dockerDeployment({ ...small, secrets: { MODEL_API_KEY: "the-value-of-the-key" } });

/** Returns the inputs that users see. */
const shown = (inputs: object) => Object.fromEntries(Object.entries(inputs).filter(([key]) => !key.startsWith("__")));

/** Another stack, with the native provider. */
const importing = (owner: Stack) => owner.fork({ stack: "other", host: "plugin" });

async function withDeployment() {
  const platform = await startPlatform();
  const owner = await startStack(platform, agent);
  return { platform, owner, id: owner.state?.id ?? "", other: importing(owner) };
}

describe("An imported deployment", () => {
  it("has the inputs that its program declares, and the next up changes nothing", async () => {
    const { id, other } = await withDeployment();
    const { inputs } = await other.import(id);
    expect(shown(inputs)).toEqual(agent);
    expect(await other.up(agent)).toBe("same");
  });

  it("keeps its secrets secret", async () => {
    const { id, other } = await withDeployment();
    const { props, inputs } = await other.host().read(id, { __urn: other.urn });
    const secret = { "4dabf18193072939515e22adb298388d": expect.any(String), value: "the-value-of-the-key" };
    expect(props?.secrets).toEqual({ MODEL_API_KEY: secret });
    expect(inputs?.secrets).toEqual({ MODEL_API_KEY: secret });
  });

  it("whose latest revision failed shows a warning, and the next up retries it once", async () => {
    const platform = await startPlatform();
    await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
    const owner = new Stack(platform);
    await failureOf(owner.up(agent));
    const other = importing(owner);
    const host = other.host();
    await other.import(owner.state?.id ?? "", host);
    expect(await other.up(agent, host)).toBe("update");
    expect(other.messages).toContainEqual(
      expect.stringMatching(
        /^warn: import: revision .* failed \(DEPLOY_FAILED\)\. The server reports no revision as active\./,
      ),
    );
    expect(await other.up(agent)).toBe("same");
  });

  it("must exist, and its ID must be valid", async () => {
    const { platform, other } = await withDeployment();
    const { message } = await failureOf(other.import(UNKNOWN_ID));
    expect(message).toBe(`Deployment "agent": ${NOT_FOUND}`);
    await platform.emulator.requestLog.clear();
    const invalid = await failureOf(other.import("../projects"));
    expect(invalid.message).toBe(
      'Deployment "agent": "../projects" is not a valid Deployment ID; copy it from the server.',
    );
    expect(platform.requests()).toEqual([]);
  });
});

describe("An imported thread", () => {
  it.each([
    ["the ID of its deployment", ({ deploymentId }: { deploymentId: string }) => deploymentId, "deploymentId"],
    ["the server's URL", ({ url, basePath }: { url: string; basePath: string }) => url + basePath, "deploymentUrl"],
  ])("is identified by %s and its own ID, and needs no declared threadId", async (_what, containerOf, input) => {
    const { agents, id } = await createThread();
    const other = agents.stack({ stack: "other", host: "plugin" });
    const container = containerOf(agents);
    const { inputs, ...state } = await other.import(`${container}/${id}`);
    expect(state.id).toBe(id);
    const declared = { [input]: container, metadata: { graph_id: "echo", team: "support" } };
    expect(shown(inputs)).toEqual({ ...declared, threadId: id });
    expect(await other.up(declared)).toBe("same");
    expect(await other.up({ ...declared, threadId: id.toUpperCase() })).toBe("same");
    await other.destroy();
    expect(await agents.threads()).toEqual([]);
  });

  it("needs its agent server, and must exist on it", async () => {
    const { agents, id } = await createThread();
    const alone = await failureOf(agents.stack().import(id));
    expect(alone.message).toBe(
      `Thread "session": an ID alone is not enough; expected "<deploymentId>/<ID>" or "<deploymentUrl>/<ID>", ` +
        `got "${id}".`,
    );
    const missing = await failureOf(agents.stack().import(`${agents.deploymentId}/${UNKNOWN_ID}`));
    expect(missing.message).toBe(`Thread "session": ${NOT_FOUND}`);
    const nowhere = await failureOf(agents.stack().import(`${UNKNOWN_ID}/${id}`));
    expect(nowhere.message).toBe(`Thread "session": ${NOT_FOUND.replace(UNKNOWN_ID, id)}`);
  });
});

it("An imported destination has placeholders for its credentials, which the next up replaces", async () => {
  const platform = await startPlatform();
  const owner = destinationStack(platform);
  const declared = destination(platform);
  await owner.up(declared);
  const other = importing(owner);
  const { inputs } = await other.import(owner.state?.id ?? "");
  const credentials = { accessKeyId: UNKNOWN_SECRET, secretAccessKey: UNKNOWN_SECRET };
  expect(shown(inputs)).toEqual({ ...declared, credentials });

  await other.up({ ...declared, credentials });
  expect(other.messages).toContainEqual(
    "warn: credentials.accessKeyId: is a placeholder, because the server does not return the value. Declare " +
      "the value, and `pulumi up` sends it.",
  );
  other.messages = [];
  expect(await other.up(declared)).toBe("update");
  expect(other.messages).toEqual(["info: in place: credentials"]);
  expect(await other.up(declared)).toBe("same");
});

describe("An imported export", () => {
  it("has the inputs that its program declares, and the next up changes nothing", async () => {
    const workspace = await startWorkspace();
    const declared = { BulkExport: workspace.oneTime(), ScheduledBulkExport: workspace.daily() };
    for (const kind of ["BulkExport", "ScheduledBulkExport"] as const) {
      const owner = workspace.stack(kind);
      await owner.up(declared[kind]);
      const other = workspace.stack(kind, { stack: "other", host: "plugin" });
      const { inputs } = await other.import(owner.state?.id ?? "");
      // The server may format timestamps in another way.
      const read = { startTime: expect.any(String), formatVersion: "v2_beta" };
      expect(shown(inputs)).toEqual({ ...declared[kind], ...read });
      expect(await other.up(declared[kind])).toBe("same");
    }
  });

  it("that a schedule created is imported with a warning", async () => {
    const workspace = await startWorkspace();
    await workspace.stack("ScheduledBulkExport").up(workspace.daily());
    await workspace.advance(3_600_000);
    const spawned = (await workspace.exports()).find((one) => one.source_bulk_export_id);
    const other = workspace.stack("BulkExport");
    const host = other.host();
    const { inputs } = await other.import(String(spawned?.id), host);
    await other.up(shown(inputs), host);
    expect(other.messages).toContainEqual(`warn: import: BulkExport ${spawned?.id}: a schedule created it.`);
  });
});
