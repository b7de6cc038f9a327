/** Servers that omit fields of a deployment, or mask the values of its secrets and with them the ownership marker. */
import { deployment } from "../../../../../provider/resources/deployment";
import { isMasked } from "../../../../../provider/resources/deployment/mapping/marker";
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { type Platform, type RemoteObject, startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { expectClean, Stack, type StackOptions, startStack, stateOf } from "../../../../support/stack";

it.each([{}, undefined])("a change of a Deployment whose response is %j is completed by a read", async (body) => {
  const { platform, stack } = await createDeployment();
  await platform.addFault({ method: "PATCH", status: body ? 200 : 204, act: true, ...(body && { body }) });
  expect(await stack.up(dockerDeployment(withImage("2.0.0")))).toBe("update");
  expect(stateOf(stack).failed).toBe(false);
});

const sentFields = ({ emulator }: Platform) =>
  emulator.requestLog.entries({ method: "PATCH" }).map(({ body }) => Object.keys(body as object));

describe("on a server that omits a field, a Deployment", () => {
  async function startWith(changes: object) {
    const platform = await startPlatform();
    const sparse = await startRewritingProxy(platform, (remote) => void Object.assign(remote, changes));
    return { platform, stack: new Stack(sparse) };
  }
  const reference = (secretKey: string) => ({ secretReferences: { TOKEN: { secretName: "s", secretKey } } });

  it("has empty times as outputs, and is not a managed agent", async () => {
    const absent = undefined;
    const { stack } = await startWith({ created_at: absent, updated_at: absent, is_managed_deep_agent: absent });
    await stack.up(dockerDeployment());
    expect(stateOf(stack).outputs).toMatchObject({ createdAt: "", updatedAt: "", isManagedDeepAgent: false });
  });

  it.each([
    ["secrets", undefined, { secrets: { A: "1" } }, { secrets: { A: "2" } }],
    ["secrets", [], { secrets: { A: "1" }, environment: { B: "1" } }, { secrets: { A: "2" }, environment: { B: "1" } }],
    ["secret_references", undefined, reference("k"), reference("other")],
  ] as const)("keeps its %s (%j) in a refresh, and an update sends them once", async (field, shown, before, after) => {
    const { platform, stack } = await startWith({ [field]: shown });
    await stack.up(dockerDeployment(before));
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).inputs).toMatchObject(before);
    await stack.up(dockerDeployment({ ...before, ...withImage("2") }));
    await stack.up(dockerDeployment({ ...after, ...withImage("2") }));
    expect(sentFields(platform)).toEqual([["source_revision_config"], [field]]);
    expect(await stack.up(dockerDeployment({ ...after, ...withImage("2") }))).toBe("same");
  });

  it("warns at its import that an update may remove secrets that it does not declare", async () => {
    const { platform, stack } = await startWith({ secrets: undefined });
    const other = await startStack(platform, dockerDeployment({ secrets: { A: "1" } }), {
      config: { ownerMarker: "false" },
    });
    expect(await stack.up(dockerDeployment(), stack.host(), { __import: stateOf(other).id })).toBe("create");
    expect(stack.messages).toContainEqual(
      "warn: import: The server does not return which secrets a deployment has, and a change of one replaces all of " +
        "them. Before you declare or change any, declare all that it has.",
    );
  });
});

it("an update of a Deployment does not send the version of the base image that the server has already", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment({ imageVersion: "1" }));
  await platform.updateOutOfBand(stateOf(stack).id, { image_version: "2" });
  expect(await stack.up(dockerDeployment({ imageVersion: "2" }))).toBe("update");
  expect(platform.requests({ method: "PATCH", path: "/v2/**" })).toEqual([]);
});

describe("a workspace with deployments without a name, such as those of agents,", () => {
  async function startWithNameless(status: string | null = "READY") {
    const platform = await startPlatform();
    const { deployments = [] } = await platform.emulator.seed({ deployments: [{ name: "agent-of-agents" }] });
    const id = String(deployments[0]);
    const proxy = await startRewritingProxy(platform, (remote) => {
      if (remote.id === id) Object.assign(remote, { name: null, status });
    });
    return { platform, proxy, id };
  }

  it("can have a Deployment created, refreshed and destroyed", async () => {
    const { platform, proxy, id } = await startWithNameless(null);
    const stack = new Stack(proxy);
    expect(await stack.up(dockerDeployment())).toBe("create");
    await expectClean(stack, dockerDeployment());
    await stack.destroy();
    expect((await platform.deployments()).map((remote) => remote.id)).toEqual([id]);
  });

  it("has one that cannot be imported, because its name cannot be declared", async () => {
    const { proxy, id } = await startWithNameless();
    const stack = new Stack(proxy);
    await expect(stack.up(dockerDeployment(), stack.host(), { __import: id })).rejects.toThrow(
      `import: Deployment ${id} has no name, and the server does not show the agent that it runs. No changes ` +
        "were made.",
    );
    expect(deployment.adopt.skip?.({ id, name: "" }, { includeEnded: true, includeOwned: true })).toContain("no name");
    expect(deployment.adopt.title({ id, name: "" }, new Map())).toBe(id);
  });

  it("keeps a managed one whose name the server no longer returns", async () => {
    const platform = await startPlatform();
    let isHidden = false;
    const proxy = await startRewritingProxy(platform, (remote) => {
      if (isHidden) remote.name = null as never;
    });
    const stack = await startStack(proxy, dockerDeployment());
    isHidden = true;
    expect([await stack.refresh(), await stack.up(dockerDeployment(withImage("2")))]).toEqual(["same", "update"]);
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });
});

type Mask = string | ((value: string) => string);

const maskWith = (mask: Mask) => (remote: RemoteObject) => {
  remote.secrets = remote.secrets.map(({ name, value }) => ({
    name,
    value: typeof mask === "function" ? mask(value) : mask,
  }));
};

async function startMasked(
  mask: Mask = "********",
): Promise<{ platform: Platform; masked: Pick<Platform, "clock" | "url"> }> {
  const platform = await startPlatform();
  return { platform, masked: await startRewritingProxy(platform, maskWith(mask)) };
}

const declared = (tag = "1") => dockerDeployment({ ...withImage(tag), secrets: { A: "1" } });

describe("Deployment: on a server that masks secrets,", () => {
  it.each(["***", "••••••••", null, "", "<redacted>", "ac...nt"])("%j in place of each value is a mask", (value) => {
    expect(isMasked({ secrets: ["PULUMI_RESOURCE", "A"].map((name) => ({ name, value: value as string })) })).toBe(
      true,
    );
  });

  it.each<[string, Mask]>([
    ["asterisks", "***"],
    ["the ends", (value) => `${value.slice(0, 2)}...${value.slice(-2)}`],
  ])("of which it returns %s, neither a refresh nor an up finds a difference", async (_what, mask) => {
    const { platform, masked } = await startMasked(mask);
    const stack = await startStack(masked, declared());
    await expectClean(stack, declared());
    expect(stateOf(stack).outputs.secrets).toEqual({ A: "1" });
    await stack.up(declared("2"));
    await stack.up(dockerDeployment({ ...withImage("2"), secrets: { A: "2" } }));
    expect(sentFields(platform)).toEqual([["source_revision_config"], ["secrets"]]);
    expect((await platform.getDeployment(stateOf(stack).id)).secrets).toContainEqual({ name: "A", value: "2" });
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });

  it.each<[string, StackOptions, number]>([
    ["has a marker warns that another stack may manage it", {}, 1],
    ["has none does not warn", { config: { ownerMarker: "false" } }, 0],
  ])("an import of a deployment that %s", async (_what, options, count) => {
    const { platform, masked } = await startMasked();
    const other = await startStack(platform, declared(), { ...options, stack: "prod", organization: "rivals" });
    const stack = new Stack(masked);
    expect(await stack.up(declared(), stack.host(), { __import: stateOf(other).id })).toBe("create");
    const pattern = /^warn: import: Deployment .* has its secret PULUMI_RESOURCE, whose value the server does not show/;
    expect(stack.messages.filter((row) => pattern.test(row))).toHaveLength(count);
  });

  it("an update whose response was lost counts as applied only with a new revision of it", async () => {
    const { platform, masked } = await startMasked();
    const stack = await startStack(masked, declared());
    await platform.addFault({ method: "PATCH", connection: "reset-after" });
    expect(await stack.up(declared("2"))).toBe("update");
    await platform.addFault({ method: "PATCH", connection: "reset-before" });
    await expect(stack.up(declared("3"))).rejects.toThrow("no response");
    const { id } = stateOf(stack);
    expect((await platform.getDeployment(id)).revisions).toHaveLength(2);
    await platform.addFault({ method: "PATCH", status: 429 });
    platform.duringNextWait(async () => {
      await platform.call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "others:1" } });
      await platform.addFault({ method: "PATCH", connection: "reset-before" });
    });
    await expect(stack.up(declared("3"))).rejects.toThrow("no response");
  });

  it("a change of one names those of others that it removes, whose values the server does not show", async () => {
    const { platform, masked } = await startMasked();
    const { id, stack } = await startStack(masked, declared()).then((one) => ({ stack: one, ...stateOf(one) }));
    const { secrets } = await platform.getDeployment(id);
    await platform.updateOutOfBand(id, { secrets: [...secrets, { name: "B", value: "2" }] });
    await stack.up(dockerDeployment({ ...withImage("1"), secrets: { A: "2" } }));
    expect(stack.messages.join()).toContain(
      "warn: this update removes the environment variables B, which others added",
    );
  });

  // @covers 10A.masked
  it("a refresh detects names of secrets that others removed or added, and nothing else", async () => {
    const { platform, masked } = await startMasked();
    const stack = await startStack(masked, dockerDeployment());
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).inputs).not.toHaveProperty("secrets");
    const { id } = stateOf(stack);
    const { secrets } = await platform.getDeployment(id);
    await platform.updateOutOfBand(id, { secrets: [...secrets, { name: "B", value: "2" }] });
    expect(await stack.refresh()).toBe("changed");
    expect(stateOf(stack).inputs).toMatchObject({ secrets: { B: "" } });
    await stack.up(declared());
    expect(await stack.refresh()).toBe("same");
    await platform.updateOutOfBand(id, { secrets });
    expect(await stack.refresh()).toBe("changed");
    expect(stateOf(stack).inputs).toMatchObject({ secrets: {} });
  });
});
