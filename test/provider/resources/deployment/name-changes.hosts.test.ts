/** A Deployment whose run was killed before its name changed. */
import { startDeployment } from "../../../support/deployments/create";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { interrupted } from "../../../support/deployments/interrupted";
import { Stack } from "../../../support/stack";

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
