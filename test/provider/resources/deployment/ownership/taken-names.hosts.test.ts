/** A create of a Deployment whose name is taken, or whose run was killed before its name changed. */
import { startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { interrupted, untouched, withoutState } from "../../../../support/deployments/interrupted";
import { failureOf } from "../../../../support/errors";
import { startPlatform } from "../../../../support/platform";
import { Stack, stateOf } from "../../../../support/stack";

describe("a create of a Deployment whose name is taken", () => {
  it("by this resource in an old run fails with the possible owners, also for times without a zone", async () => {
    const { platform, stack, id } = await withoutState();
    const zoneless = (value: unknown) => JSON.parse(JSON.stringify(value).replace(/(T[\d:.]+)Z"/g, '$1"'));
    for (const path of ["/v2/deployments", `/v2/deployments/${id}`]) {
      const { body } = await platform.call("GET", path);
      await platform.addFault({ method: "GET", path, status: 200, body: zoneless(body) });
    }
    const { message } = await failureOf(stack.up(dockerDeployment()));
    expect(message).toMatch(/another Pulumi backend|state was lost/);
    expect(message).toContain(`import: "${id}"`);
    await untouched(platform);
  });

  it("by this resource since this run began fails, because another backend manages it", async () => {
    const platform = await startPlatform();
    const [stack, other] = [new Stack(platform), new Stack(platform)];
    const host = stack.host();
    await stack.check(dockerDeployment(), host);
    await platform.advance(5000);
    const { id } = await other.stateAfter(dockerDeployment());
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
    await platform.addFault({ method: "GET", path: `/v2/deployments/${id}`, status: 200, body: futureBody });
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
    await expect(stack.fork({ name: "renamed" }).up(dockerDeployment())).rejects.toThrow("aliases");
    await untouched(platform);
  });

  it("by another stack fails with the owner and changes nothing", async () => {
    const { platform, id } = await interrupted({ organization: "rivals" });
    const error = await failureOf(new Stack(platform).up(dockerDeployment()));
    for (const text of ["rivals/urn:pulumi:dev", id]) expect(error.message).toContain(text);
    expect(error.message).toMatch(/No changes were made\. Choose another name\.$/);
    await untouched(platform);
  });

  it("by a deployment without a marker fails with the import option", async () => {
    const platform = await startPlatform();
    const { deployments } = await platform.emulator.seed({ deployments: [{ name: "agent" }] });
    const error = await failureOf(new Stack(platform).up(dockerDeployment()));
    expect(error.message).toContain(
      `the name "agent" is taken by deployment ${deployments?.[0]}, which is not managed by Pulumi`,
    );
    expect(error.message).toContain(`import: "${deployments?.[0]}"`);
    await untouched(platform);
  });

  it("by a deployment that is being deleted waits until the name is free", async () => {
    const { platform, stack, id } = await interrupted();
    await platform.call("DELETE", `/v2/deployments/${id}`);
    await stack.up(dockerDeployment());
    expect(stateOf(stack).id).not.toBe(id);
    expect(stack.messages.join("\n")).toContain("AWAITING_DELETE");
  });
});

describe("a Deployment whose run was killed before its name changed", () => {
  const warningsOf = (stack: Stack) =>
    stack.messages.filter((row) => row.includes("has the ownership marker of this resource"));

  it("is reported by the next create with how to delete or keep it, without further requests", async () => {
    const { platform, stack, id } = await interrupted();
    await platform.emulator.requestLog.clear();
    expect(await stack.up(dockerDeployment({ name: "renamed" }))).toBe("create");
    expect(warningsOf(stack)).toEqual([expect.stringContaining(`Deployment ${id} ("agent") has the ownership marker`)]);
    expect(warningsOf(stack)[0]).toContain(`DELETE ${platform.url}/v2/deployments/${id}`);
    expect(warningsOf(stack)[0]).toContain(`import: "${id}"`);
    const list = "GET /v2/deployments";
    expect(platform.requests().slice(0, 3)).toEqual([list, list, "POST /v2/deployments"]);
    expect((await platform.deployments()).map(({ name }) => name)).toEqual(["renamed", "agent"]);
  });

  it("is not reported when it is replaced in the same run, or others created it", async () => {
    const { platform, stack } = await startDeployment();
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
