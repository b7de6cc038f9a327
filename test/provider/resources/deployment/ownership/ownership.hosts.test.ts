/** Ownership of deployments: those of interrupted runs are resumed, and those of others are not changed. */
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, LISTENER_ID, withImage, withResourceSpec } from "../../../../support/deployments/inputs";
import { interrupted, untouched, withoutState } from "../../../../support/deployments/interrupted";
import { failureOf } from "../../../../support/errors";
import { startPlatform } from "../../../../support/platform";
import { dynamicHostOnly, Stack, startStack, stateOf } from "../../../../support/stack";

describe("a Deployment whose run was killed during its wait", () => {
  it("is resumed within an hour, with one revision and a warning", async () => {
    const { platform, stack, id } = await interrupted();
    await platform.advance(3_000_000);
    expect(await stack.up(dockerDeployment())).toBe("create");
    expect(stateOf(stack).id).toBe(id);
    expect(stack.messages).toContainEqual(expect.stringMatching(new RegExp(`^warn: .*${id}.*interrupted`)));
    expect((await platform.getDeployment(id)).revisions.map(({ status }) => status)).toEqual(["DEPLOYED"]);
    expect(await stack.up(dockerDeployment())).toBe("same");
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });

  it("is recognized at any time while its first revision is not live", async () => {
    const platform = await startPlatform({}, { revision: { ends: "DEPLOY_FAILED" } });
    const killed = new Stack(platform);
    await expect(killed.up(dockerDeployment())).rejects.toThrow("failed with DEPLOY_FAILED after");
    await platform.advance(5 * 3_600_000);
    const stack = killed.fork();
    await stack.up(dockerDeployment());
    expect(stateOf(stack).id).toBe(stateOf(killed).id);
  });

  it("is not adopted when an immutable input has changed", async () => {
    const { platform, stack, id } = await interrupted();
    await expect(stack.up(dockerDeployment({ sourceConfig: { listenerId: LISTENER_ID } }))).rejects.toThrow(
      `import: "${id}"`,
    );
    await untouched(platform);
  });

  it("is not recognized without ownership markers, whatever its age", async () => {
    const { platform, stack, id } = await interrupted({ config: { ownerMarker: "false" } });
    expect((await platform.getDeployment(id)).secrets).toEqual([]);
    await platform.advance(60_000);
    await expect(stack.up(dockerDeployment())).rejects.toThrow("is taken by deployment");
    await untouched(platform);
  });
});

describe("the ownership marker of a Deployment", () => {
  it("contains the ownerId setting or else the organization, and is kept by every update", async () => {
    for (const [options, owner] of [
      [{ config: { ownerId: "platform-team" } }, "platform-team"],
      [{ organization: "acme" }, "acme"],
    ] as const) {
      const { platform, stack } = await createDeployment(dockerDeployment({ secrets: { A: "1" } }), { stack: options });
      await stack.up(dockerDeployment({ secrets: { A: "2" } }));
      const { secrets } = await platform.getDeployment(stateOf(stack).id);
      expect(secrets).toContainEqual({ name: "PULUMI_RESOURCE", value: `${owner}/${stack.urn}` });
    }
  });

  it("stays the same without a difference when an alias moves the resource", async () => {
    const { platform, stack } = await createDeployment(dockerDeployment({ secrets: { A: "1" } }));
    const moved = stack.fork({ name: "moved" });
    moved.state = stack.state;
    expect(await moved.up(dockerDeployment({ secrets: { A: "1" } }))).toBe("same");
    expect(await moved.up(dockerDeployment({ secrets: { A: "2" } }))).toBe("update");
    const { id } = stateOf(moved);
    expect((await platform.getDeployment(id)).secrets).toContainEqual({
      name: "PULUMI_RESOURCE",
      value: `acme/${stack.urn}`,
    });
    await moved.destroy();
    expect(await platform.deployments()).toEqual([]);
  });

  // @covers 10A.marker
  it("of someone else prevents the deletion in a destroy, with a warning", async () => {
    const { platform, stack, id } = await createDeployment();
    await platform.updateOutOfBand(id, {
      secrets: [{ name: "PULUMI_RESOURCE", value: "rivals/urn:pulumi:x::y::z::n" }],
    });
    await stack.destroy();
    expect(stack.messages.at(-1)).toMatch(/^warn: .*rivals.*not deleted/);
    await untouched(platform);
  });
});

dynamicHostOnly(describe)("an import of a Deployment", () => {
  it("that another stack manages warns with that stack and the command that ends its ownership", async () => {
    const platform = await startPlatform();
    const owner = await startStack(platform, dockerDeployment(), { stack: "prod", organization: "other" });
    const stack = new Stack(platform);
    expect(await stack.up(dockerDeployment(), stack.host(), { __import: stateOf(owner).id })).toBe("create");
    const [warning = ""] = stack.messages.filter((row) => row.startsWith("warn: import"));
    expect(warning).toContain(`is already managed by other/${owner.urn}`);
    expect(warning).toContain(`pulumi state delete '${owner.urn}' --stack other/shop/prod`);
  });

  const imported = (stack: Stack, id: string, change = {}) =>
    stack.up(dockerDeployment(change), stack.host(), { __import: id });

  it("adopts a deployment that matches the program without a change, and then manages it", async () => {
    const { platform, stack, id } = await withoutState();
    await imported(stack, id);
    expect(stack.messages.join()).not.toContain("is managed by");
    expect(stateOf(stack)).toMatchObject({ id, failed: false });
    expect(stateOf(stack).outputs).not.toHaveProperty("__import");
    await untouched(platform);
    expect(await stack.up(dockerDeployment())).toBe("same");
    expect(await stack.up(dockerDeployment(withImage("1.0.1")))).toBe("update");
  });

  it("adopts a deployment without a marker, which can be destroyed afterwards", async () => {
    const platform = await startPlatform();
    const { deployments = [] } = await platform.emulator.seed({
      deployments: [{ name: "agent", source_revision_config: { image_uri: "registry.example.com/agent:1.0.0" } }],
    });
    const stack = new Stack(platform);
    await imported(stack, String(deployments[0]));
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });

  it("lists the differences without secret values and changes nothing", async () => {
    const { platform, stack, id } = await withoutState();
    const spec = withResourceSpec({ memoryMb: 1024 });
    const error = await failureOf(
      imported(stack, id, { ...withImage("2.0.0"), ...spec, secrets: { A: "a-secret-value" } }),
    );
    expect(error.message).toContain(`Deployment ${id} differs from the program, so no changes were made:`);
    expect(error.message).toMatch(
      /sourceRevisionConfig\.imageUri: server has .*agent:1\.0\.0.*, program has .*agent:2\.0\.0/,
    );
    expect(error.message).toContain("sourceConfig.resourceSpec.memoryMb: server has nothing, program has 1024");
    expect(error.message).toContain("secrets.A");
    expect(error.message).not.toContain("a-secret-value");
    const marked = { __import: id, __secretInputs: ["sourceRevisionConfig.imageUri"] };
    await expect(stack.up(dockerDeployment(withImage("2.0.0")), stack.host(), marked)).rejects.toThrow(
      /:\n {2}sourceRevisionConfig\.imageUri\n/,
    );
    expect(stack.state).toBeUndefined();
    await untouched(platform);
  });
});
