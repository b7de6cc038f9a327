/** The life of a Deployment from its first `up` to its `destroy`, against the emulator. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createDeployment, startDeployment } from "../../../support/deployments/create";
import { dockerDeployment, LISTENER_ID, withImage, withResourceSpec } from "../../../support/deployments/inputs";
import { sampled, stateOf } from "../../../support/stack";

// @covers 1A:create, 1A.3, 2A.Deployment.id
it("Deployment: a create waits until it is live and stores the server's response in state", async () => {
  const { platform, stack } = await startDeployment();
  expect(await stack.up(dockerDeployment({ secrets: { KEY: "a value" } }))).toBe("create");
  const { id, outputs } = stateOf(stack);
  const remote = await platform.getDeployment(id);
  expect(remote).toMatchObject({ name: "agent", status: "READY", revisions: [{ status: "DEPLOYED" }] });
  expect(outputs).toMatchObject({
    ...dockerDeployment({ secrets: { KEY: "a value" } }),
    ...{ status: "READY", url: `${platform.url}/agents/${id}`, latestRevisionId: remote.latest_revision_id },
    ...{ activeRevisionId: remote.latest_revision_id, isManagedDeepAgent: false },
  });
  expect(outputs).not.toHaveProperty("imageVersion");
  expect(remote.secrets).toContainEqual({ name: "KEY", value: "a value" });
});

// @covers 2A.ResourceSpec:cpu
it("Deployment: an up without a change sends no request", async () => {
  const { platform, stack } = await createDeployment(
    dockerDeployment({ ...withResourceSpec({ cpu: 0.5 }), secrets: { A: "1", B: "2" } }),
  );
  expect(await stack.up(dockerDeployment({ ...withResourceSpec({ cpu: 0.52 }), secrets: { B: "2", A: "1" } }))).toBe(
    "same",
  );
  expect(platform.requests()).toEqual([]);
});

describe("a change of a Deployment", () => {
  const changes = {
    "of the image": [withImage("1.0.1"), { source_revision_config: { image_uri: "registry.example.com/agent:1.0.1" } }],
    "of a secret": [{ secrets: { A: "2" } }, { secrets: expect.arrayContaining([{ name: "A", value: "**********" }]) }],
    "of the resources": [
      withResourceSpec({ cpu: 1 }),
      { source_config: { resource_spec: expect.objectContaining({ cpu: 1 }) } },
    ],
  } as const;
  // @covers 2A.SourceRevisionConfig.image_uri:revision, 2A.Secret.value:revision, 2A.ResourceSpec:revision, 3.1
  it.each(Object.entries(changes))("%s creates one revision and sends nothing else", async (_, [change, body]) => {
    const { platform, stack } = await startDeployment();
    const before = dockerDeployment({ ...withResourceSpec({ cpu: 0.5 }), secrets: { A: "1" } });
    await stack.up(before);
    expect(await stack.up({ ...before, ...change })).toBe("update");
    const { id, outputs } = stateOf(stack);
    const remote = await platform.getDeployment(id);
    expect(remote.revisions).toHaveLength(2);
    expect(outputs.activeRevisionId).toBe(remote.revisions[0]?.id);
    expect(platform.emulator.requestLog.entries({ method: "PATCH" }).map((entry) => entry.body)).toEqual([body]);
    expect(await stack.up({ ...before, ...change })).toBe("same");
  });

  // @covers 3.1:null, 10A.image-version
  it("of fields outside of revisions creates none", async () => {
    const { platform, stack } = await startDeployment();
    const before = dockerDeployment({ sourceConfig: { customUrl: "https://one.example" } });
    await stack.up(before);
    const { id, outputs } = await stack.stateAfter(
      dockerDeployment({ sourceConfig: { customUrl: "https://two.example" } }),
    );
    expect((await platform.getDeployment(id)).revisions).toHaveLength(1);
    expect(outputs.url).toBe("https://two.example");
  });

  // @covers 2A.ResourceSpec:overwrite
  it("of resourceSpec keeps fields of others and removes fields that are no longer declared", async () => {
    const declared = withResourceSpec({ cpu: 1, memoryMb: 1024, maxScale: 3 });
    const { platform, stack, id } = await createDeployment(dockerDeployment(declared));
    const theirs = { cpu: 1, memory_mb: 1024, max_scale: 3, redis_cpu: 2 };
    await platform.updateOutOfBand(id, { source_config: { resource_spec: theirs } });
    await stack.up(dockerDeployment(withResourceSpec({ cpu: 2, memoryMb: 1024 })));
    const { resource_spec } = (await platform.getDeployment(id)).source_config;
    expect(resource_spec).toMatchObject({ cpu: 2, cpu_limit: 4, queue_cpu: 2, memory_mb: 1024, redis_cpu: 2 });
    expect(resource_spec.max_scale ?? undefined).not.toBe(3);
  });
});

const paths: Record<string, [before: PropertyMap, after: PropertyMap, keys: string[]]> = {
  name: [dockerDeployment(), dockerDeployment({ name: "other" }), ["name"]],
  listener: [dockerDeployment(), dockerDeployment({ sourceConfig: { listenerId: LISTENER_ID } }), ["sourceConfig"]],
  namespace: [
    dockerDeployment({ sourceConfig: { listenerId: LISTENER_ID, listenerConfig: { k8sNamespace: "default" } } }),
    dockerDeployment({ sourceConfig: { listenerId: LISTENER_ID, listenerConfig: { k8sNamespace: "agents" } } }),
    ["sourceConfig"],
  ],
};
// @covers 2A.Deployment.name:fixed, 2A.SourceConfig.listener_id:fixed, 2A.ListenerConfig.k8s_namespace:fixed
it.each(sampled(Object.entries(paths)))(
  "a replacement of a Deployment by another %s shows in the preview what is lost",
  async (_what, [before, after, keys]) => {
    const { platform, stack, id } = await createDeployment(before);
    expect(await stack.diff(after)).toMatchObject({ replaces: keys, deleteBeforeReplace: true });
    expect(stack.messages.at(-1)).toMatch(/^warn: REPLACED.*threads are lost/);
    expect(await stack.up(after)).toBe("replace");
    expect(stateOf(stack).id).not.toBe(id);
    expect(await platform.deployments()).toHaveLength(1);
  },
);

describe("out-of-band changes of a Deployment", () => {
  it("are detected by a refresh, and the next up reverts them", async () => {
    const { platform, stack } = await startDeployment();
    const declared = dockerDeployment({ ...withResourceSpec({ cpu: 1, minScale: 1 }), secrets: { A: "1", B: "2" } });
    const { id, outputs } = await stack.stateAfter(declared);
    const marker = { name: "PULUMI_RESOURCE", value: outputs.__owner };
    await platform.updateOutOfBand(id, {
      source_config: { resource_spec: { cpu: 3, min_scale: 1 } },
      source_revision_config: { image_uri: "registry.example.com/agent:hotfix" },
      secrets: [marker, { name: "B", value: "changed" }, { name: "C", value: "new" }],
    });
    expect(await stack.refresh()).toBe("changed");
    expect(stateOf(stack).inputs).toMatchObject({
      ...withImage("hotfix"),
      ...withResourceSpec({ cpu: 3, minScale: 1 }),
      secrets: { B: "changed", C: "new" },
    });
    expect(await stack.up(declared)).toBe("update");
    const after = await platform.getDeployment(id);
    expect(after.source_revision_config.image_uri).toBe("registry.example.com/agent:1.0.0");
    expect(after.source_config.resource_spec).toMatchObject({ cpu: 1, min_scale: 1 });
    expect(after.secrets).toEqual(
      expect.arrayContaining([{ name: "A", value: "1" }, { name: "B", value: "2" }, marker]),
    );
    expect(after.secrets).toHaveLength(3);
  });

  it("are named by an update that does not revert them, since a killed run may have left them", async () => {
    const { platform, stack } = await startDeployment();
    const sized = (memoryMb: number) => ({ sourceConfig: { resourceSpec: { cpu: 1, memoryMb } } });
    const { id, outputs } = await stack.stateAfter(dockerDeployment({ environment: { MODE: "good" }, ...sized(1024) }));
    const marker = { name: "PULUMI_RESOURCE", value: outputs.__owner };
    const left = [marker, { name: "MODE", value: "bad" }, { name: "NEW", value: "1" }];
    const source_config = { resource_spec: { cpu: 2, memory_mb: 1024 } };
    await platform.call("PATCH", `/v2/deployments/${id}`, { secrets: left, source_config });
    const wanted = dockerDeployment({ environment: { MODE: "good", NEW: "1" }, ...sized(2048), ...withImage("2.0.0") });
    expect(await stack.up(wanted)).toBe("update");
    const [warning] = stack.messages.filter((message) => message.includes("up --refresh"));
    // The spec is sent as a whole.
    expect(warning).toMatch(/^warn: .* there: environment\.MODE\. /);
    await stack.refresh();
    expect(await stack.up(wanted)).toBe("update");
    expect((await platform.getDeployment(id)).secrets).toContainEqual({ name: "MODE", value: "good" });
    expect(stack.messages.filter((message) => message.includes("up --refresh"))).toEqual([warning]);
  });

  // @covers 2A.Deployment.image_version
  it("of undeclared fields are not drift", async () => {
    const { platform, stack, id } = await createDeployment();
    await platform.updateOutOfBand(id, { source_config: { resource_spec: { cpu: 3 } }, image_version: "0.9" });
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).outputs).toMatchObject({ currentImageVersion: "0.9" });
  });

  // @covers 2A.Deployment.status, 3.Deployment status, 3.item 1, 9.item 4, 10.unknown-values
  it.each(["UNUSED", "UNKNOWN", "SOMETHING_NEW"])("to the status %s are shown and are not drift", async (status) => {
    const { platform, stack } = await createDeployment(dockerDeployment(), { server: { strict: false } });
    await platform.updateOutOfBand(stateOf(stack).id, { status });
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).outputs.status).toBe(status);
  });
});
