/** A Deployment that is bound to an agent of the platform in place of a name, as published clients report it. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { startPlatform } from "../../../../support/platform";
import { expectClean, isDynamicHost, Stack, stateOf } from "../../../../support/stack";

const today = { platform: "today" } as const;
const config = { platform: "langsmith" };
const withWireImage = { image_uri: "registry.example.com/agent:1.0.0" };

describe("a Deployment of an agent of the platform", () => {
  const binding = { agentId: "checkout", environment: "production" };
  const inputs = (change: PropertyMap = {}) => ({ ...dockerDeployment(), name: undefined, agent: binding, ...change });
  const start = async () => {
    const platform = await startPlatform(today);
    return { platform, stack: new Stack(platform, { config }) };
  };

  // @covers 2A.Deployment.agent, 2A.Deployment.agent:project, 4A.GET /v2/deployments.agent_id
  it("is created without a name, stays as it is, and has the tracing project of the agent", async () => {
    const { platform, stack } = await start();
    const { id, outputs } = await stack.stateAfter(inputs());
    const [create] = platform.emulator.requestLog.entries({ method: "POST", path: "/v2/deployments" });
    expect(create?.body).toMatchObject({ agent: { agent_id: "checkout", environment: "production" } });
    expect(create?.body).not.toHaveProperty("name");
    expect(outputs).toMatchObject({ name: "checkout-production", tracingProjectId: expect.any(String) });
    await expectClean(stack, inputs());
    const staging = inputs({ agent: { ...binding, environment: "staging" } });
    expect((await stack.diff(staging)).replaces).toContain("agent");
    const other = new Stack(platform, { config, name: "other" });
    await expect(other.up(inputs())).rejects.toThrow(
      `the name "checkout-production" is taken by deployment ${id} (an agent has one deployment in each environment)`,
    );
  });

  it("is found by its agent after the response to its create was lost", async () => {
    const { platform, stack } = await start();
    await platform.addFault({ method: "POST", connection: "reset-after" });
    await stack.up(inputs());
    expect(await platform.deployments()).toHaveLength(1);
    await expectClean(stack, inputs());
  });

  it("is not the deployment of another agent, which the response to its create may be about", async () => {
    const { platform, stack } = await start();
    const agent = { agent_id: "billing", environment: "production" };
    const created_at = new Date(platform.clock.now()).toISOString();
    const body = { id: "99999999-9999-4999-8999-999999999999", name: null, agent, status: "READY", created_at };
    await platform.addFault({ method: "POST", path: "/v2/deployments", status: 201, body });
    await expect(stack.up(inputs())).rejects.toThrow("which this request did not create, so it was not taken");
  });

  it("is resumed by its ownership marker where state lacks it", async () => {
    const { platform, stack } = await start();
    await stack.up(inputs());
    const later = stack.fork();
    await later.up(inputs());
    expect(stateOf(later).id).toBe(stateOf(stack).id);
    expect(await platform.deployments()).toHaveLength(1);
  });

  it("keeps its environment while it is being deleted, which a create reports at once", async () => {
    const { stack } = await start();
    await stack.up(inputs());
    await stack.destroy();
    expect(stack.messages.at(-1)).toContain('it keeps the database and the name "checkout-production"');
    await expect(stack.up(inputs())).rejects.toThrow(/which is being deleted, keeps the name "checkout-production"/);
  });

  it("is imported", async () => {
    const { platform, stack } = await start();
    const body = { agent: { agent_id: "checkout", environment: "production" }, source: "external_docker" };
    const configs = { source_config: { resource_spec: {} }, source_revision_config: withWireImage, secrets: [] };
    const { id } = (await platform.call("POST", "/v2/deployments", { ...body, ...configs })).body as { id: string };
    if (isDynamicHost) await stack.up(inputs(), stack.host(), { __import: id });
    else await stack.import(id);
    expect(stateOf(stack).id).toBe(id);
    expect(stateOf(stack).outputs).toMatchObject({ agent: binding, name: "checkout-production" });
  });

  it("has no other name", async () => {
    const { stack } = await start();
    await expect(stack.up(inputs({ name: "shop" }))).rejects.toThrow("name cannot be combined with agent");
  });

  it("needs a platform with agents, as the error says", async () => {
    const platform = await startPlatform();
    await expect(new Stack(platform).up(inputs())).rejects.toThrow("declare name in place of agent");
  });
});
