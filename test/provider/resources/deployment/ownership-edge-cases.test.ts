/** Edge cases of ownership: a marker from an update, values that look masked, and responses that only look like a deletion. */

import { dockerDeployment, withImage } from "../../../support/deployments";
import { startPlatform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";

describe("a destroy deletes a Deployment", () => {
  it("that was imported without a marker and received one with its first secrets", async () => {
    const platform = await startPlatform();
    const { deployments = [] } = await platform.emulator.seed({
      deployments: [{ name: "agent", source_revision_config: { image_uri: "registry.example.com/agent:1.0.0" } }],
    });
    const stack = new Stack(platform);
    await stack.up(dockerDeployment(), stack.host(), { __import: String(deployments[0]) });
    await stack.up(dockerDeployment({ secrets: { A: "1" } }));
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });

  it("of a server that masks all secret values", async () => {
    const platform = await startPlatform();
    const stack = new Stack(platform);
    await stack.up(dockerDeployment());
    await platform.updateOutOfBand(stateOf(stack).id, { secrets: [{ name: "PULUMI_RESOURCE", value: "********" }] });
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });
});

describe("a server that returns 404 for everything, such as a starting ingress,", () => {
  it.each<Record<string, string>>([{}, { tenantId: "66666666-6666-4666-8666-666666666666" }])(
    "removes nothing from state, with %j",
    async (config) => {
      const platform = await startPlatform();
      const stack = new Stack(platform, { config });
      await stack.up(dockerDeployment());
      await platform.emulator.faults.add({ path: "/v2/**", status: 404, body: "default backend - 404", times: 100 });
      await expect(stack.refresh()).rejects.toThrow(": 404: ");
      await expect(stack.destroy()).rejects.toThrow(": 404: ");
      expect(stack.state).toBeDefined();
    },
  );
});

it("Deployment: what a resumed create could not send is sent by the next up", async () => {
  const platform = await startPlatform();
  const killed = new Stack(platform);
  platform.duringNextWait(() => Promise.reject(new Error("kill -9")));
  await expect(killed.up(dockerDeployment())).rejects.toThrow("kill -9");
  const stack = killed.fork();
  await platform.emulator.faults.add({ method: "PATCH", status: 403, body: { detail: "not now" } });
  await expect(stack.up(dockerDeployment(withImage("2.0.0")))).rejects.toThrow(": 403: ");
  expect(await stack.up(dockerDeployment(withImage("2.0.0")))).toBe("update");
  const { source_revision_config: runs } = await platform.getDeployment(stateOf(stack).id);
  expect(runs.image_uri).toBe("registry.example.com/agent:2.0.0");
  await stack.destroy();
  expect(await platform.deployments()).toEqual([]);
});

it("Deployment: a server that does not return its workspace is not a server mismatch", async () => {
  const platform = await startPlatform();
  const config = { tenantId: "66666666-6666-4666-8666-666666666666" };
  const stack = new Stack(platform, { config });
  await stack.up(dockerDeployment());
  const resource = stateOf(stack);
  await platform.emulator.faults.add({
    path: "/v2/deployments/*",
    status: 200,
    body: {
      id: resource.id,
      name: "agent",
      status: "READY",
      source_config: null,
      source_revision_config: null,
      secrets: null,
    },
  });
  expect(await stack.refresh()).toBe("same");
  expect(await stack.up(dockerDeployment())).toBe("same");
});

it("Deployment: a server that does not return immutable fields does not cause a replacement", async () => {
  const platform = await startPlatform();
  const declared = dockerDeployment({ sourceConfig: { listenerId: "22222222-2222-4222-8222-222222222222" } });
  const stack = new Stack(platform);
  await stack.up(declared);
  await platform.updateOutOfBand(stateOf(stack).id, { source_config: { listener_id: null } });
  await stack.refresh();
  expect(await stack.up(declared)).toBe("same");
});
