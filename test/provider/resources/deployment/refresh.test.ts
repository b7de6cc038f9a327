/** A refresh of a Deployment, also after a run that was killed. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createDeployment, revisionsOf, startDeployment } from "../../../support/deployments/create";
import { dockerDeployment, repository, withImage, withResourceSpec } from "../../../support/deployments/inputs";
import { kill } from "../../../support/deployments/interrupted";
import { type Platform, type RemoteObject, startPlatform } from "../../../support/platform";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { expectClean, Stack, startStack, stateOf } from "../../../support/stack";

const specOf = (remote: RemoteObject) => remote.source_config.resource_spec;

describe("Deployment: a refresh", () => {
  const declared = dockerDeployment(withResourceSpec({ cpu: 1, cpuLimit: 2, memoryMb: 1024, labels: { team: "a" } }));
  const changed = async (platform: Platform, id: string, resource_spec: unknown) => {
    const { source_config } = await platform.getDeployment(id);
    await platform.updateOutOfBand(id, { source_config: { ...source_config, resource_spec } });
  };

  it.each<[string, unknown]>([
    ["all of it", {}],
    ["all of it, so that the server returns null", null],
    ["one field", { cpu: 1, memory_mb: 1024 }],
  ])("detects that someone removed from the resourceSpec %s, and the next up sends it", async (_what, remaining) => {
    const { platform, stack, id } = await createDeployment(declared);
    await changed(platform, id, remaining);
    expect(await stack.refresh()).toBe("changed");
    await stack.up(declared);
    expect(specOf(await platform.getDeployment(id))).toMatchObject({ cpu: 1, memory_mb: 1024, labels: { team: "a" } });
    expect(await stack.refresh()).toBe("same");
  });

  it("detects what a killed update removed, even after an update of other fields", async () => {
    const { platform, stack } = await createDeployment(declared);
    const before = stateOf(stack);
    const smaller = dockerDeployment(withResourceSpec({ cpu: 1, cpuLimit: 2, labels: { team: "a" } }));
    await kill(platform, () => stack.up(smaller));
    stack.state = before;
    const again = { ...declared, ...withImage("2") };
    await stack.up(again);
    expect(await stack.refresh()).toBe("changed");
    await stack.up(again);
    expect(specOf(await platform.getDeployment(before.id)).memory_mb).toBe(1024);
    expect(await stack.refresh()).toBe("same");
  });

  // @covers 10A.derived
  it("ignores omitted fields that the server derives", async () => {
    const platform = await startPlatform();
    const terse = await startRewritingProxy(platform, (one) => {
      delete specOf(one).cpu_limit;
    });
    const stack = await startStack(terse, declared);
    expect(await stack.refresh()).toBe("same");
  });

  it.each<[string, (one: RemoteObject) => void]>([
    ["labels", (one) => void delete specOf(one).labels],
    ["resourceSpec", (one) => void Object.assign(one.source_config, { resource_spec: {} })],
  ])("never shows drift on a server that never returns %s", async (_what, hide) => {
    const platform = await startPlatform();
    const silent = await startRewritingProxy(platform, hide);
    const stack = await startStack(silent, declared);
    await expectClean(stack, declared);
  });

  it("shows drift once for a state of an earlier version on a server that does not return a field", async () => {
    const platform = await startPlatform();
    const silent = await startRewritingProxy(platform, (one) => void delete specOf(one).labels);
    const stack = await startStack(silent, declared);
    delete stateOf(stack).outputs.__notReturned;
    expect([await stack.refresh(), await stack.up(declared)]).toEqual(["changed", "update"]);
    expect(await stack.refresh()).toBe("same");
  });

  // @covers 10A.not-returned
  it("detects a removed field once the server has returned it again", async () => {
    const platform = await startPlatform();
    let isSilent = true;
    const service = await startRewritingProxy(platform, (one) => {
      if (isSilent) delete specOf(one).labels;
    });
    const stack = await startStack(service, declared);
    isSilent = false;
    expect(await stack.refresh()).toBe("same");
    await changed(platform, stateOf(stack).id, { cpu: 1, memory_mb: 1024 });
    expect(await stack.refresh()).toBe("changed");
  });
});

describe("Deployment: a refresh after an up that was killed", () => {
  /** A deployment whose update to the second image was killed during the rollout, with the state from before. */
  async function updateKilled(
    fault: object | undefined,
    declared = dockerDeployment(withImage("2")),
    before: PropertyMap = dockerDeployment(),
  ) {
    const { platform, stack } = await createDeployment(before);
    const remote = stateOf(stack);
    if (fault) await platform.addFault({ revision: fault as { ends: string } });
    await kill(platform, () => stack.up(declared));
    stack.state = remote;
    stack.messages = [];
    return { platform, stack, declared, id: remote.id };
  }

  it("reports a failed revision, and the next up retries it once, as the preview shows", async () => {
    const { platform, stack, declared } = await updateKilled({ ends: "DEPLOY_FAILED" });
    await platform.advance(60_000);
    await stack.refresh();
    expect(stack.messages).toContainEqual(
      expect.stringMatching(
        new RegExp(
          String.raw`^warn: revision .* failed \(DEPLOY_FAILED\)\. The server reports [0-9a-f-]{36} as active\. ` +
            ".*retries the failed one once",
        ),
      ),
    );
    stack.messages = [];
    await stack.diff(declared);
    expect(stack.messages).toEqual([expect.stringMatching(/^info: possibly new revision; retries the last one/)]);
    expect(await stack.up(declared)).toBe("update");
    expect(await revisionsOf(platform, stack)).toEqual(["DEPLOYED", "DEPLOY_FAILED", "DEPLOYED"]);
    await expectClean(stack, declared);
  });

  it("detects an unfinished rollout, and the next up waits for it without a new revision", async () => {
    const { platform, stack, declared } = await updateKilled(undefined);
    await stack.refresh();
    expect(await stack.up(declared)).toBe("update");
    const { activeRevisionId, latestRevisionId } = stateOf(stack).outputs;
    expect(activeRevisionId).toBe(latestRevisionId);
    expect(await revisionsOf(platform, stack)).toEqual(["DEPLOYED", "DEPLOYED"]);
  });

  it("ignores revisions of pushes", async () => {
    const { platform, stack } = await startDeployment();
    const declared = repository({ buildOnPush: true });
    await stack.up(declared);
    await platform.addFault({ revision: { ends: "BUILD_FAILED" } });
    await platform.emulator.push({ repo_url: "https://git.example/team/agent", ref: "main" });
    await platform.advance(60_000);
    await stack.refresh();
    expect(await stack.up(declared)).toBe("same");
  });

  it("ignores rollouts that no up waits for", async () => {
    const declared = dockerDeployment({ ...withImage("2"), waitFor: "none" });
    const { platform, stack } = await createDeployment(dockerDeployment({ waitFor: "none" }));
    await platform.advance(60_000);
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await stack.up(declared);
    await platform.advance(60_000);
    await stack.refresh();
    expect(await stack.up(declared)).toBe("same");
  });
});

it("Deployment: a refresh keeps the reason for the next up to retry what its own update left unfinished", async () => {
  const { platform, stack } = await createDeployment(repository({ buildOnPush: true }));
  await platform.addFault({ revision: { ends: "BUILD_FAILED" } });
  const declared = { ...repository({ buildOnPush: true }), secrets: { A: "1" } };
  await expect(stack.up(declared)).rejects.toThrow("BUILD_FAILED");
  await stack.refresh();
  // A refresh clears the failure that the engine has stored.
  stack.state = { ...stateOf(stack), failed: false };
  expect(await stack.up(declared)).toBe("update");
  const { latest_revision_id: latest, active_revision_id: active } = await platform.getDeployment(stateOf(stack).id);
  expect(active).toBe(latest);
});

it("Deployment: the failed push of an undeclared image is that of someone else, and not retried", async () => {
  const { platform, stack } = await startDeployment();
  const pushed = { source: "internal_docker", name: "agent" };
  const { id } = await stack.stateAfter(pushed);
  await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
  await platform.call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "r.example/a:1" } });
  await platform.advance(60_000);
  await stack.refresh();
  expect(await stack.up(pushed)).toBe("same");
  expect((await platform.getDeployment(id)).revisions).toHaveLength(1);
});

// @covers 2A.SourceConfig.deployment_type:free
it.each([
  ["dev", "dev_free"],
  ["dev_zero", "dev_free_zero"],
])("Deployment: the size class %s that the server turns into %s makes no difference", async (declared, assigned) => {
  const platform = await startPlatform();
  const proxy = await startRewritingProxy(platform, (remote) => {
    if (remote.source_config.deployment_type === declared) remote.source_config.deployment_type = assigned;
  });
  const stack = new Stack(proxy);
  const inputs = repository({ deploymentType: declared });
  await kill(platform, () => stack.up(inputs));
  const resumed = stack.fork();
  expect(await resumed.up(inputs)).toBe("create");
  expect(stateOf(resumed).id).toBe(stateOf(stack).id);
  await expectClean(resumed, inputs);
  const imported = stack.fork({ name: "imported", stack: "prod" });
  await imported.up(inputs, imported.host(), { __import: stateOf(stack).id });
  expect(await imported.up(inputs)).toBe("same");
});
