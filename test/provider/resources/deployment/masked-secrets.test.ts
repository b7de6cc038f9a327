/** A server that masks the values of secrets, so that no ownership marker can be read. */
import { dockerDeployment, withImage } from "../../../support/deployments/inputs";
import { type Platform, type RemoteObject, startPlatform } from "../../../support/platform";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { expectClean, Stack, type StackOptions, stateOf } from "../../../support/stack";

const maskWith = (value: string | null) => (remote: RemoteObject) => {
  remote.secrets = remote.secrets.map(({ name }) => ({ name, value: value as string }));
};

async function startMasked(
  value: string | null = "********",
): Promise<{ platform: Platform; masked: Pick<Platform, "clock" | "url"> }> {
  const platform = await startPlatform();
  return { platform, masked: await startRewritingProxy(platform, maskWith(value)) };
}

const declared = (tag = "1") => dockerDeployment({ ...withImage(tag), secrets: { A: "1" } });

describe("Deployment: on a server that masks secrets,", () => {
  it.each([
    ["asterisks", "***"],
    ["bullets", "••••••••"],
    ["null", null],
  ])("of which it returns %s, neither a refresh nor an up finds a difference", async (_what, value) => {
    const { platform, masked } = await startMasked(value);
    const stack = new Stack(masked);
    await stack.up(declared());
    await expectClean(stack, declared());
    expect(stateOf(stack).outputs.secrets).toEqual({ A: "1" });
    await stack.up(declared("2"));
    await stack.up(dockerDeployment({ ...withImage("2"), secrets: { A: "2" } }));
    const bodies = platform.emulator.requestLog
      .entries({ method: "PATCH" })
      .map(({ body }) => Object.keys(body as object));
    expect(bodies).toEqual([["source_revision_config"], ["secrets"]]);
    expect((await platform.getDeployment(stateOf(stack).id)).secrets).toContainEqual({ name: "A", value: "2" });
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });

  it.each<[string, StackOptions, number]>([
    ["has a marker warns that another stack may manage it", {}, 1],
    ["has none does not warn", { config: { ownerMarker: "false" } }, 0],
  ])("an import of a deployment that %s", async (_what, options, count) => {
    const { platform, masked } = await startMasked();
    const other = new Stack(platform, { ...options, stack: "prod", organization: "rivals" });
    await other.up(declared());
    const stack = new Stack(masked);
    expect(await stack.up(declared(), stack.host(), { __import: stateOf(other).id })).toBe("create");
    const pattern = /^warn: import: Deployment .* has its secret PULUMI_RESOURCE, whose value the server does not show/;
    expect(stack.messages.filter((row) => pattern.test(row))).toHaveLength(count);
  });

  it("an update whose response was lost counts as applied only with a new revision", async () => {
    const { platform, masked } = await startMasked();
    const stack = new Stack(masked);
    await stack.up(declared());
    await platform.emulator.faults.add({ method: "PATCH", connection: "reset-after" });
    expect(await stack.up(declared("2"))).toBe("update");
    await platform.emulator.faults.add({ method: "PATCH", connection: "reset-before" });
    await expect(stack.up(declared("3"))).rejects.toThrow("no response");
    expect((await platform.getDeployment(stateOf(stack).id)).revisions).toHaveLength(2);
  });

  // @covers 10A.masked
  it("a refresh detects names of secrets that others removed or added, and nothing else", async () => {
    const { platform, masked } = await startMasked();
    const stack = new Stack(masked);
    await stack.up(dockerDeployment());
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
