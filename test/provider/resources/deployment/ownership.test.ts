/** Ownership of deployments: those of interrupted runs are resumed, and those of others are not changed. */

import { dockerDeployment, LISTENER_ID, withImage, withResourceSpec } from "../../../support/deployments";
import { failureOf } from "../../../support/errors";
import { type Platform, startPlatform } from "../../../support/platform";
import { dynamicHostOnly, Stack, type StackOptions, stateOf } from "../../../support/stack";

const killError = new Error("kill -9");

/** A run that was killed during its wait: the deployment exists, and no state contains it. */
async function interrupted(options: StackOptions = {}): Promise<{ platform: Platform; stack: Stack; id: string }> {
  const platform = await startPlatform();
  const killed = new Stack(platform, options);
  platform.duringNextWait(() => Promise.reject(killError));
  await expect(killed.up(dockerDeployment())).rejects.toThrow("kill -9");
  return { platform, stack: killed.fork(), id: stateOf(killed).id };
}

/** A deployment that has been live for hours and that no state contains. */
async function withoutState(options: StackOptions = {}): Promise<{ platform: Platform; stack: Stack; id: string }> {
  const platform = await startPlatform();
  const stack = new Stack(platform, options);
  await stack.up(dockerDeployment());
  await platform.advance(2 * 3_600_000);
  return { platform, stack: stack.fork(), id: stateOf(stack).id };
}

async function untouched(platform: Platform): Promise<void> {
  expect(await platform.deployments()).toHaveLength(1);
  expect(platform.requests({ method: "POST" }).length).toBeLessThanOrEqual(1);
  expect([...platform.requests({ method: "PATCH" }), ...platform.requests({ method: "DELETE" })]).toEqual([]);
}

describe("a Deployment whose run was killed during its wait", () => {
  it("is resumed with one revision and a warning", async () => {
    const { platform, stack, id } = await interrupted();
    expect(await stack.up(dockerDeployment())).toBe("create");
    expect(stateOf(stack).id).toBe(id);
    expect(stack.messages).toContainEqual(expect.stringMatching(new RegExp(`^warn: .*${id}.*interrupted`)));
    expect((await platform.getDeployment(id)).revisions.map(({ status }) => status)).toEqual(["DEPLOYED"]);
    expect(await stack.up(dockerDeployment())).toBe("same");
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });

  it("is updated to the current declaration", async () => {
    const { platform, stack, id } = await interrupted();
    await stack.up(dockerDeployment({ ...withImage("1.0.1"), secrets: { A: "1" } }));
    const remote = await platform.getDeployment(id);
    expect(remote.source_revision_config.image_uri).toBe("registry.example.com/agent:1.0.1");
    expect(remote.secrets).toContainEqual({ name: "A", value: "1" });
    expect(remote.active_revision_id).toBe(remote.latest_revision_id);
  });

  it("is recognized within an hour after its revision became live", async () => {
    const { platform, stack, id } = await interrupted();
    await platform.advance(3_000_000);
    await stack.up(dockerDeployment());
    expect(stateOf(stack).id).toBe(id);
  });

  it("is recognized at any time while its first revision is not live", async () => {
    const platform = await startPlatform();
    await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
    const killed = new Stack(platform);
    await expect(killed.up(dockerDeployment())).rejects.toThrow("failed with DEPLOY_FAILED after");
    await platform.advance(5 * 3_600_000);
    const stack = killed.fork();
    await stack.up(dockerDeployment());
    expect(stateOf(stack).id).toBe(stateOf(killed).id);
  });

  it("is not adopted when an immutable input has changed", async () => {
    const { platform, stack, id } = await interrupted();
    const error = await failureOf(stack.up(dockerDeployment({ sourceConfig: { listenerId: LISTENER_ID } })));
    expect(error.message).toContain(`import: "${id}"`);
    await untouched(platform);
  });

  it("is recognized by its age alone without ownership markers, and only in the same run", async () => {
    const { platform, stack, id } = await interrupted({ config: { ownerMarker: "false" } });
    expect((await platform.getDeployment(id)).secrets).toEqual([]);
    await platform.advance(60_000);
    await expect(stack.up(dockerDeployment())).rejects.toThrow("is taken by deployment");
    await untouched(platform);
  });
});

describe("a create of a Deployment whose name is taken", () => {
  it("by this resource in an old run fails with the possible owners and the import option", async () => {
    const { platform, stack, id } = await withoutState();
    const error = await failureOf(stack.up(dockerDeployment()));
    expect(error.message).toMatch(/another backend|state was lost/);
    expect(error.message).toContain(`import: "${id}"`);
    await untouched(platform);
  });

  it("by this resource in an old run fails as well when the server returns times without a zone", async () => {
    const { platform, stack, id } = await withoutState();
    const zoneless = (value: unknown) => JSON.parse(JSON.stringify(value).replace(/(T[\d:.]+)Z"/g, '$1"'));
    for (const path of ["/v2/deployments", `/v2/deployments/${id}`]) {
      const { body } = await platform.call("GET", path);
      await platform.emulator.faults.add({ method: "GET", path, status: 200, body: zoneless(body) });
    }
    expect((await failureOf(stack.up(dockerDeployment()))).message).toContain("another Pulumi backend");
    await untouched(platform);
  });

  it("by this resource since this run began fails, because another backend manages it", async () => {
    const platform = await startPlatform();
    const [stack, other] = [new Stack(platform), new Stack(platform)];
    const host = stack.host();
    await stack.check(dockerDeployment(), host);
    await platform.advance(5000);
    await other.up(dockerDeployment());
    const { id } = stateOf(other);
    const { message } = await failureOf(stack.up(dockerDeployment(withImage("2")), host));
    expect(message).toMatch(/another run of this stack created after this run began/);
    expect(message).toContain(id);
    expect(stack.state).toBeUndefined();
    await untouched(platform);
  });

  it("by this resource resumes it when the server's times are in the future", async () => {
    const { platform, stack, id } = await interrupted();
    const { body } = await platform.call("GET", `/v2/deployments/${id}`);
    const futureBody = { ...body, created_at: new Date(platform.clock.now() + 3_600_000).toISOString() };
    await platform.emulator.faults.add({ method: "GET", path: `/v2/deployments/${id}`, status: 200, body: futureBody });
    await stack.up(dockerDeployment());
    expect(stateOf(stack).id).toBe(id);
  });

  it("by this resource fails immediately when resumeWithin is 0s", async () => {
    const platform = await startPlatform();
    const options = { config: { resumeWithin: "0s" } };
    await new Stack(platform, options).up(dockerDeployment());
    await expect(new Stack(platform, options).up(dockerDeployment())).rejects.toThrow("is taken by deployment");
    await untouched(platform);
  });

  it("by this stack under another logical name suggests an alias", async () => {
    const { platform, stack } = await interrupted();
    const error = await failureOf(stack.fork({ name: "renamed" }).up(dockerDeployment()));
    expect(error.message).toContain("aliases");
    await untouched(platform);
  });

  it.each([
    ["another organization", { organization: "rivals" }, "rivals/urn:pulumi:dev"],
    ["another stack", { stack: "prod" }, "urn:pulumi:prod"],
  ])("by %s fails with the owner and changes nothing", async (_who, options, expected) => {
    const { platform, id } = await interrupted(options);
    const error = await failureOf(new Stack(platform).up(dockerDeployment()));
    expect(error.message).toContain(expected);
    expect(error.message).toContain(id);
    expect(error.message).toMatch(/No changes were made\. Choose another name\.$/);
    await untouched(platform);
  });

  it("by a deployment without a marker fails with the import option", async () => {
    const platform = await startPlatform();
    const { deployments } = await platform.emulator.seed({ deployments: [{ name: "agent" }] });
    const error = await failureOf(new Stack(platform).up(dockerDeployment()));
    expect(error.message).toContain(`import: "${deployments?.[0]}"`);
    await untouched(platform);
  });

  it("only as a part of another name succeeds", async () => {
    const platform = await startPlatform();
    await platform.emulator.seed({ deployments: [{ name: "agent-2" }, { name: "my-agent" }] });
    expect(await new Stack(platform).up(dockerDeployment())).toBe("create");
  });

  it("by a deployment that is being deleted waits until the name is free", async () => {
    const { platform, stack, id } = await interrupted();
    await platform.call("DELETE", `/v2/deployments/${id}`);
    await stack.up(dockerDeployment());
    expect(stateOf(stack).id).not.toBe(id);
    expect(stack.messages.join("\n")).toContain("AWAITING_DELETE");
  });
});

describe("the ownership marker of a Deployment", () => {
  it("contains the ownerId setting or else the organization, and is kept by every update", async () => {
    for (const [options, owner] of [
      [{ config: { ownerId: "platform-team" } }, "platform-team"],
      [{ organization: "acme" }, "acme"],
    ] as const) {
      const platform = await startPlatform();
      const stack = new Stack(platform, options);
      await stack.up(dockerDeployment({ secrets: { A: "1" } }));
      await stack.up(dockerDeployment({ secrets: { A: "2" } }));
      const { secrets } = await platform.getDeployment(stateOf(stack).id);
      expect(secrets).toContainEqual({ name: "PULUMI_RESOURCE", value: `${owner}/${stack.urn}` });
    }
  });

  it("stays the same without a difference when an alias moves the resource", async () => {
    const platform = await startPlatform();
    const stack = new Stack(platform);
    await stack.up(dockerDeployment({ secrets: { A: "1" } }));
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

  it("of someone else prevents the deletion in a destroy, with a warning", async () => {
    const platform = await startPlatform();
    const stack = new Stack(platform);
    await stack.up(dockerDeployment());
    const { id } = stateOf(stack);
    await platform.updateOutOfBand(id, {
      secrets: [{ name: "PULUMI_RESOURCE", value: "rivals/urn:pulumi:x::y::z::n" }],
    });
    await stack.destroy();
    expect(stack.messages.at(-1)).toMatch(/^warn: .*rivals.*not deleted/);
    await untouched(platform);
  });

  it("cannot be declared as a secret", async () => {
    const stack = new Stack(await startPlatform());
    const error = await failureOf(stack.up(dockerDeployment({ secrets: { PULUMI_RESOURCE: "mine" } })));
    expect(error.message).toContain("ownership marker");
    expect(error.message).not.toContain("mine");
  });
});

it("Deployment: a delete of what this run created is rejected", async () => {
  const platform = await startPlatform();
  const stack = new Stack(platform);
  const host = stack.host();
  await stack.up(dockerDeployment(), host);
  const error = await failureOf(stack.destroy(host));
  expect(error.message).toContain("created earlier in this run");
  await untouched(platform);
});

describe("a Deployment whose run was killed before its name changed", () => {
  const warningsOf = (stack: Stack) =>
    stack.messages.filter((row) => row.includes("has the ownership marker of this resource"));

  it("is reported by the next create with how to delete or keep it, without further requests", async () => {
    const { platform, stack, id } = await interrupted();
    await platform.emulator.journal.clear();
    expect(await stack.up(dockerDeployment({ name: "renamed" }))).toBe("create");
    expect(warningsOf(stack)).toEqual([expect.stringContaining(`Deployment ${id} ("agent") has the ownership marker`)]);
    expect(warningsOf(stack)[0]).toContain(`DELETE ${platform.url}/v2/deployments/${id}`);
    expect(warningsOf(stack)[0]).toContain(`import: "${id}"`);
    const list = "GET /v2/deployments";
    expect(platform.requests().slice(0, 3)).toEqual([list, list, "POST /v2/deployments"]);
    expect((await platform.deployments()).map(({ name }) => name)).toEqual(["renamed", "agent"]);
  });

  it("is not reported when it is replaced in the same run, or others created it", async () => {
    const platform = await startPlatform();
    const stack = new Stack(platform);
    await new Stack(platform, { name: "other" }).up(dockerDeployment({ name: "other" }));
    await stack.up(dockerDeployment());
    const host = stack.host();
    await stack.refresh(host);
    expect(await stack.up(dockerDeployment({ name: "renamed" }), host)).toBe("replace");
    expect(warningsOf(stack)).toEqual([]);
  });

  it("is not reported without ownership markers", async () => {
    const { stack } = await interrupted({ config: { ownerMarker: "false" } });
    await stack.up(dockerDeployment({ name: "renamed" }));
    expect(warningsOf(stack)).toEqual([]);
  });
});

dynamicHostOnly(describe)("an import of a Deployment", () => {
  it("that another stack manages warns with that stack and the command that ends its ownership", async () => {
    const platform = await startPlatform();
    const owner = new Stack(platform, { stack: "prod", organization: "other" });
    await owner.up(dockerDeployment());
    const stack = new Stack(platform);
    expect(await stack.up(dockerDeployment(), stack.host(), { __import: stateOf(owner).id })).toBe("create");
    const [warning = ""] = stack.messages.filter((row) => row.startsWith("warn: import"));
    expect(warning).toContain(`is already managed by other/${owner.urn}`);
    expect(warning).toContain(`pulumi state delete '${owner.urn}' --stack other/shop/prod`);
  });

  it("that this resource created does not warn", async () => {
    const { platform, stack, id } = await withoutState();
    await stack.up(dockerDeployment(), stack.host(), { __import: id });
    expect(stack.messages.join()).not.toContain("is managed by");
    expect(await platform.deployments()).toHaveLength(1);
  });

  const imported = (stack: Stack, id: string, change = {}) =>
    stack.up(dockerDeployment(change), stack.host(), { __import: id });

  it("whose latest revision failed shows a warning, and the next up retries it once", async () => {
    const platform = await startPlatform();
    await platform.emulator.faults.add({ revision: { ends: "BUILD_FAILED" } });
    const [owner, stack] = [new Stack(platform), new Stack(platform)];
    await failureOf(owner.up(dockerDeployment()));
    const { id } = stateOf(owner);
    await imported(stack, id);
    expect(stack.messages).toContainEqual(
      expect.stringMatching(
        /^warn: import: revision .* failed \(BUILD_FAILED\), so none is live\. The next `pulumi up` retries it once\./,
      ),
    );
    expect(await stack.up(dockerDeployment())).toBe("update");
    const { latest_revision_id: latest, active_revision_id: active } = await platform.getDeployment(id);
    expect(active).toBe(latest);
    expect(await stack.up(dockerDeployment())).toBe("same");
  });

  it("adopts a deployment that matches the program without a change, and then manages it", async () => {
    const { platform, stack, id } = await withoutState();
    await imported(stack, id);
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
    const error = await failureOf(imported(stack, id, { ...withImage("2.0.0"), secrets: { A: "a-secret-value" } }));
    expect(error.message).toMatch(
      /sourceRevisionConfig\.imageUri: server has .*agent:1\.0\.0.*, program has .*agent:2\.0\.0/,
    );
    expect(error.message).toContain("secrets.A");
    expect(error.message).not.toContain("a-secret-value");
    expect(stack.state).toBeUndefined();
    await untouched(platform);
  });

  it("shows both values of a label whose key contains dots", async () => {
    const label = (value: string) =>
      dockerDeployment(withResourceSpec({ labels: { "app.kubernetes.io/name": value } }));
    const platform = await startPlatform();
    const first = new Stack(platform);
    await first.up(label("old"));
    const error = await failureOf(imported(new Stack(platform), stateOf(first).id, label("new")));
    expect(error.message).toMatch(/labels\.app\.kubernetes\.io\/name: server has "old", program has "new"/);
  });

  it("of an unknown ID fails", async () => {
    const stack = new Stack(await startPlatform());
    const error = await failureOf(imported(stack, "55555555-5555-4555-8555-555555555555"));
    expect(error.message).toMatch(/no Deployment with ID 55555555/);
  });
});
