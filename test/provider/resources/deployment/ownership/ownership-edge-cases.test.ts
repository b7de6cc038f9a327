/**
 * Edge cases of ownership: a marker from an update, values that look masked, and responses that only look like a
 * deletion.
 */
import type { EmulatorOptions } from "../../../../../emulator/src";
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { startPlatform } from "../../../../support/platform";
import { expectClean, Stack, stateOf } from "../../../../support/stack";

it.each<Record<string, string>>([{}, { tenantId: "66666666-6666-4666-8666-666666666666" }])(
  "a server that returns 404 for everything, such as a starting ingress, removes nothing, with %j",
  async (config) => {
    const { platform, stack } = await createDeployment(dockerDeployment(), { stack: { config } });
    await platform.addFault({ path: "/v2/**", status: 404, body: "default backend - 404", times: 100 });
    await expect(stack.refresh()).rejects.toThrow(": 404: ");
    await expect(stack.destroy()).rejects.toThrow(": 404: ");
    expect(stack.state).toBeDefined();
  },
);

/** Deletes the deployment after another resource of the same run has listed it, and creates it under another name. */
async function recreate(options: EmulatorOptions, fault?: object) {
  const { platform, stack } = await createDeployment(dockerDeployment(), { server: options });
  const { id, outputs } = stateOf(stack);
  const host = stack.host();
  await stack.fork({ name: "other" }).up(dockerDeployment({ name: "other" }), host);
  await host.delete(id, outputs);
  stack.state = undefined;
  stack.messages = [];
  if (fault) await platform.addFault({ method: "GET", path: `/v2/deployments/${id}`, ...fault });
  expect(await stack.up(dockerDeployment({ name: "renamed" }), host)).toBe("create");
  return stack.messages.filter((row) => row.startsWith("warn"));
}

it.each<[string, EmulatorOptions, object | undefined]>([
  ["that it has deleted", {}, undefined],
  ["that it has deleted, even if the server fails to confirm it", {}, { status: 500, times: 9 }],
  ["that the server cannot delete", { without: ["delete"] }, undefined],
])(
  "Deployment: a create under another name, in a run that listed all deployments, does not warn about the one %s",
  async (_what, options, fault) => {
    expect(await recreate(options, fault)).toEqual([]);
  },
);

it.each([
  ["that was deleted fails", "no longer exists", 5],
  ["that is being deleted fails, after one request", "is being deleted", 1],
])("Deployment: an update of a deployment %s and says that it %s", async (_what, state, requests) => {
  const { platform, stack, id } = await createDeployment();
  await platform.call("DELETE", `/v2/deployments/${id}`);
  if (state === "no longer exists") await platform.advance(3_600_000);
  await platform.emulator.requestLog.clear();
  await expect(stack.up(dockerDeployment(withImage("2")))).rejects.toThrow(
    `Deployment ${id} ${state} on the server, so it cannot be changed. Run \`pulumi up --refresh\` to ` +
      "create it again.",
  );
  expect(platform.requests()).toHaveLength(requests);
});

it("Deployment: a server that does not return its workspace is not a server mismatch", async () => {
  const platform = await startPlatform();
  const config = { tenantId: "66666666-6666-4666-8666-666666666666" };
  const stack = new Stack(platform, { config });
  const resource = await stack.stateAfter(dockerDeployment());
  const without = { source_config: null, source_revision_config: null, secrets: null };
  await platform.addFault({
    path: "/v2/deployments/*",
    status: 200,
    body: { ...without, id: resource.id, name: "agent", status: "READY" },
  });
  await expectClean(stack, dockerDeployment());
});
