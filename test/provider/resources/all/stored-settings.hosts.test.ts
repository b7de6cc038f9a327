/** Errors of commands that do not run the program, for which the engine takes the settings from state. */

import { defaultTenantId } from "../../../../emulator/src";
import { createDeployment } from "../../../support/deployments/create";
import type { Platform } from "../../../support/platform";
import { Stack } from "../../../support/stack";

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
