/** Settings that the engine takes from state, settings of another server, and options of the provider alone. */
import { defaultTenantId } from "../../../../emulator/src";
import { createDeployment } from "../../../support/deployments/create";
import { failureOf } from "../../../support/errors";
import type { Platform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";
import { createSample, sampleKinds } from "./kinds";

const AGENT = {
  name: "stored",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
};
const REMARK =
  "Without --run-program, this command uses the settings that the last `pulumi up` stored in the state. If " +
  "you have changed them since then, run `pulumi up`, or add --run-program.";
const OLD = { apiKey: "old-key" };

const messageOf = (command: Promise<unknown>): Promise<string> =>
  command.then(
    () => "it succeeded",
    (error: Error) => error.message,
  );

/** Deploys an agent with a key, which expires afterwards. */
async function deployed(): Promise<{ platform: Platform; stack: Stack }> {
  const { platform, stack } = await createDeployment(AGENT, {
    server: { strict: true },
    stack: { name: "stored", config: OLD },
  });
  const workspaces = [defaultTenantId];
  await platform.emulator.seed({
    keys: [
      { key: "old-key", workspaces, expires_at: "2020-01-01T00:00:00Z" },
      { key: "new-key", workspaces },
    ],
  });
  return { platform, stack };
}

test("A refresh and a destroy with an expired key from state say where it is from, and what to do", async () => {
  const { stack } = await deployed();
  for (const command of [stack.refresh(), stack.destroy()]) {
    const message = await messageOf(command);
    expect(message).toMatch(/401: The API key has expired\n/);
    expect(message.endsWith(`\n${REMARK}`)).toBe(true);
  }
  await stack.up(AGENT, stack.host({ apiKey: "new-key" }));
  expect(await stack.refresh(stack.host({ apiKey: "new-key" }))).toBe("same");
});

test("While the program runs, an error says nothing of settings in state", async () => {
  const { platform, stack } = await deployed();
  const host = stack.host();
  await new Stack(platform, { name: "another" }).check({ ...AGENT, name: "another" }, host);
  const message = await messageOf(stack.destroy(host));
  expect(message).toContain("401: The API key has expired");
  expect(message).not.toContain("--run-program");
});

test("An object that the program reads is read with current settings", async () => {
  const { platform, stack } = await deployed();
  const message = await messageOf(new Stack(platform, { config: OLD }).get(stack.state?.id ?? ""));
  expect(message).toContain("401: The API key has expired");
  expect(message).not.toContain("--run-program");
});

test.each([
  ["another workspace", { tenantId: "99999999-9999-4999-8999-999999999999" }, "but tenantId is 99999999"],
  ["another server", { controlPlaneUrl: "https://elsewhere.example.com" }, "but controlPlaneUrl is https://elsewhere"],
  ["an invalid value", { requestTimeout: "soon" }, "Invalid settings:"],
  ["an address without a server", { controlPlaneUrl: "http://127.0.0.1:1", allowServerChange: "true" }, "ECONNREFUSED"],
])("A refresh with %s from state says so", async (_what, settings, text) => {
  const { stack } = await deployed();
  const config = { apiKey: "new-key", tenantId: defaultTenantId, ...settings };
  // The workspace is recorded with the object.
  await stack.up(AGENT, stack.host({ apiKey: "new-key", tenantId: defaultTenantId }));
  const message = await messageOf(stack.refresh(stack.host(config)));
  expect(message).toContain(text);
  expect(message.endsWith(`\n${REMARK}`)).toBe(true);
});

test("A key from an environment variable is never from state", async () => {
  const { stack } = await deployed();
  process.env.ROTATED_KEY = "old-key";
  const message = await messageOf(stack.refresh(stack.host({ apiKey: "", apiKeyEnv: "ROTATED_KEY" })));
  expect(message).toMatch(/API key +from the environment variable ROTATED_KEY/);
  expect(message).not.toContain("--run-program");
});

const OTHER = "99999999-9999-4999-8999-999999999999";
const elsewhere = { controlPlaneUrl: "https://another.example", tracingApiUrl: "https://another.example" };

describe.each(Object.entries(sampleKinds))("a %s", (kind, sampleKind) => {
  it.each([
    ["the address of another server", elsewhere, "https://another.example"],
    ["another workspace", { tenantId: OTHER }, OTHER],
  ])("of state is neither compared, read nor changed with %s in the settings", async (_what, settings, named) => {
    const { platform, stack, changed } = await createSample(sampleKind);
    const { id, outputs } = stateOf(stack);
    const inputs = await stack.check(changed);
    await platform.emulator.requestLog.clear();
    for (const act of [
      () => stack.diff(changed, stack.host(settings)),
      () => stack.host(settings).update(id, outputs, inputs),
      () => stack.refresh(stack.host(settings)),
      () => stack.destroy(stack.host(settings)),
    ]) {
      const { message } = await failureOf(act());
      for (const text of [named, named === OTHER ? outputs.tenantId : platform.url]) expect(message).toContain(text);
      expect(message).toContain("allowServerChange");
    }
    expect(stateOf(stack)).toMatchObject({ id, outputs });
    expect(platform.requests()).toEqual([]);
  });

  it("whose options of the provider change keeps its outputs", async () => {
    const [option, value] = OPTIONS[kind] ?? ["sensitive", true];
    const { platform, stack, declared } = await createSample(sampleKind);
    const { outputs } = stateOf(stack);
    await platform.emulator.requestLog.clear();
    expect(await stack.up({ ...declared, [option]: value })).toBe("update");
    expect(stack.messages).toContain(`info: changes nothing on the server: ${option}`);
    expect(stateOf(stack).outputs).toEqual({ ...outputs, [option]: value });
    // A deployment is read, because the next wait depends on its revision.
    expect(platform.requests().filter((request) => kind !== "Deployment" || !request.startsWith("GET"))).toEqual([]);
  });
});

const OPTIONS: Record<string, [option: string, value: unknown]> = {
  Deployment: ["waitFor", "none"],
  BulkExport: ["allowDuplicate", true],
  ScheduledBulkExport: ["forget", true],
  BulkExportDestination: ["allowDuplicate", true],
};
