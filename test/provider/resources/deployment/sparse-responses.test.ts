/** Sparse and verbose responses of a server. */

import { deployment } from "../../../../provider/resources/deployment";
import { createDeployment } from "../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../support/deployments/inputs";
import { program } from "../../../support/functions";
import { type RemoteObject, startPlatform } from "../../../support/platform";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { expectClean, Stack, stateOf } from "../../../support/stack";

it.each([{}, undefined])("a change of a Deployment whose response is %j is completed by a read", async (body) => {
  const { platform, stack } = await createDeployment();
  await platform.emulator.faults.add({ method: "PATCH", status: body ? 200 : 204, act: true, ...(body && { body }) });
  expect(await stack.up(dockerDeployment(withImage("2.0.0")))).toBe("update");
  expect(stateOf(stack).failed).toBe(false);
});

describe("on a server that omits a field, a Deployment", () => {
  async function startWithout(
    ...fields: (keyof RemoteObject | "created_at" | "updated_at" | "is_managed_deep_agent")[]
  ) {
    const platform = await startPlatform();
    const sparse = await startRewritingProxy(platform, (remote) => {
      for (const field of fields) Reflect.deleteProperty(remote, field);
    });
    return { platform, stack: new Stack(sparse) };
  }
  const reference = (secretKey: string) => ({ secretReferences: { TOKEN: { secretName: "s", secretKey } } });

  it("has empty times as outputs, and is not a managed agent", async () => {
    const { stack } = await startWithout("created_at", "updated_at", "is_managed_deep_agent");
    await stack.up(dockerDeployment());
    expect(stateOf(stack).outputs).toMatchObject({ createdAt: "", updatedAt: "", isManagedDeepAgent: false });
  });

  it.each([
    ["secrets", { secrets: { A: "1" } }, { secrets: { A: "2" } }],
    ["secret_references", reference("k"), reference("other")],
  ] as const)("keeps its %s in a refresh, and an update sends them once", async (field, before, after) => {
    const { platform, stack } = await startWithout(field);
    await stack.up(dockerDeployment(before));
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).inputs).toMatchObject(before);
    await stack.up(dockerDeployment({ ...before, ...withImage("2") }));
    await stack.up(dockerDeployment({ ...after, ...withImage("2") }));
    const bodies = platform.emulator.requestLog
      .entries({ method: "PATCH" })
      .map(({ body }) => Object.keys(body as object));
    expect(bodies).toEqual([["source_revision_config"], [field]]);
    expect(await stack.up(dockerDeployment({ ...after, ...withImage("2") }))).toBe("same");
  });

  it("can have no secrets", async () => {
    const { stack } = await startWithout("secrets");
    await stack.up(dockerDeployment());
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).inputs.secrets).toBeUndefined();
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

  it("is listed by the functions, which return an empty name", async () => {
    const { proxy, id } = await startWithNameless();
    await new Stack(proxy).up(dockerDeployment());
    const call = program(proxy);
    const names = (await call("getDeployments")).map(({ name }: RemoteObject) => name);
    expect(names.sort()).toEqual(["", "agent"]);
    expect(await call("getDeployment", { id })).toMatchObject({ id, name: "" });
    expect(await call("getDeployment", { name: "agent" })).toMatchObject({ name: "agent" });
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
    const stack = new Stack(proxy);
    await stack.up(dockerDeployment());
    isHidden = true;
    expect(await stack.refresh()).toBe("same");
    expect(await stack.up(dockerDeployment(withImage("2")))).toBe("update");
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });
});
