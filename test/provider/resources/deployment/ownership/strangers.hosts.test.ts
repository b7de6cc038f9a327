/** A stranger's deployment on every path that changes or deletes one: the rows of docs/internal/ownership.md. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { dockerDeployment, LISTENER_ID, withImage } from "../../../../support/deployments/inputs";
import { type Platform, startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { Stack, type StackOptions, startStack, stateOf } from "../../../../support/stack";

const declared = (change: PropertyMap = {}) => dockerDeployment({ secrets: { A: "1" }, ...change });

/** How a server or a setting hides the ownership marker. */
const HIDDEN: [string, (platform: Platform) => Promise<Pick<Platform, "clock" | "url">>, StackOptions][] = [
  [
    "masks secrets",
    (platform) =>
      startRewritingProxy(platform, (remote) => {
        remote.secrets = remote.secrets.map(({ name }) => ({ name, value: "****" }));
      }),
    {},
  ],
  ["stores no marker, as ownerMarker says", async (platform) => platform, { config: { ownerMarker: "false" } }],
  [
    "hides secrets until the first revision",
    (platform) =>
      startRewritingProxy(platform, (remote) => {
        remote.secrets = [];
        remote.latest_revision_id = null as never;
      }),
    {},
  ],
];

/** Asserts that the only deployment is as another stack has created it. */
async function expectUntouched(platform: Platform, other: Stack): Promise<void> {
  const remote = await platform.getDeployment(stateOf(other).id);
  expect([remote.status, remote.source_revision_config.image_uri]).toEqual(["READY", "registry.example.com/agent:9"]);
  expect(remote.revisions).toHaveLength(1);
  expect([...platform.requests({ method: "PATCH" }), ...platform.requests({ method: "DELETE" })]).toEqual([]);
}

describe.each(HIDDEN)("on a server that %s, a stranger's Deployment", (_what, through, options) => {
  /** A run that has begun, and a stack of others that creates the deployment when asked to. */
  async function begin() {
    const platform = await startPlatform();
    const stack = new Stack(await through(platform), { ...options, timeouts: { create: "5m" } });
    const other = new Stack(platform, { ...options, stack: "prod", organization: "rivals" });
    const host = stack.host();
    await stack.check(declared(), host);
    await platform.advance(5000);
    return { platform, stack, host, other };
  }

  it("with the declared name is not resumed, although it was created since this run began", async () => {
    const { platform, stack, host, other } = await begin();
    await other.up(declared(withImage("9")));
    await expect(stack.up(declared(), host)).rejects.toThrow(
      /the name "agent" is taken by deployment .* No changes were made\.\nTo adopt it, .*import/s,
    );
    expect(stack.state).toBeUndefined();
    await expectUntouched(platform, other);
  });

  it("with another image is not taken as the result of a create whose response was lost", async () => {
    const { platform, stack, host, other } = await begin();
    await platform.addFault({ method: "POST", path: "/v2/deployments", status: 504 });
    await platform.addFault({ path: "/v2/deployments", method: "GET", status: 503, skip: 1 });
    platform.duringNextWait(() => other.up(declared(withImage("9"))));
    await expect(stack.up(declared(), host)).rejects.toThrow(
      /: 504: .*differs in sourceRevisionConfig\.imageUri, so it was not taken/s,
    );
    expect(stack.state).toBeUndefined();
    await expectUntouched(platform, other);
  });

  it("that existed before is not believed in the response to a create", async () => {
    const { platform, stack, host, other } = await begin();
    await other.up(declared({ ...withImage("9"), name: "theirs" }));
    await platform.advance(120_000);
    const { body } = await platform.call("GET", `/v2/deployments/${stateOf(other).id}`);
    await platform.addFault({ method: "POST", path: "/v2/deployments", status: 201, body });
    await expect(stack.up(declared(), host)).rejects.toThrow("so it was not taken");
    expect(stack.state).toBeUndefined();
    await expectUntouched(platform, other);
  });

  it("is distinguished from what this run created by its age, with a warning, when a response was lost", async () => {
    const { platform, stack, host } = await begin();
    await platform.addFault({ method: "POST", path: "/v2/deployments", connection: "reset-after" });
    // The server that hides revisions shows no rollout, either.
    await stack.up(declared({ waitFor: "none" }), host).catch(() => undefined);
    expect((await platform.deployments()).map(({ id }) => id)).toEqual([stateOf(stack).id]);
    expect(stack.messages).toContainEqual(expect.stringMatching(/^warn: The response to the create was lost\..*taken/));
  });
});

describe("a stranger's Deployment with a marker", () => {
  async function deployed() {
    const platform = await startPlatform();
    const other = await startStack(platform, declared({ ...withImage("9"), name: "theirs" }), {
      stack: "prod",
      organization: "rivals",
    });
    const { body } = await platform.call("GET", `/v2/deployments/${stateOf(other).id}`);
    return { platform, other, theirs: body, stack: new Stack(platform) };
  }

  it("is not believed in the response to a create, even if it is as young and has the name", async () => {
    const { platform, other, theirs, stack } = await deployed();
    const body = { ...theirs, name: "agent", id: "77777777-7777-4777-8777-777777777777" };
    await platform.addFault({ method: "POST", path: "/v2/deployments", status: 201, body });
    await expect(stack.up(declared())).rejects.toThrow(
      /The response to the create named deployment .* managed by rivals\/.*not taken/,
    );
    expect(stack.state).toBeUndefined();
    await expectUntouched(platform, other);
  });

  it("is neither updated, redeployed nor deleted where a GET or a PATCH of ours returns it", async () => {
    const { platform, other, theirs, stack } = await deployed();
    const { id } = await stack.stateAfter(declared());
    const fault = { path: `/v2/deployments/${id}`, status: 200, body: theirs };
    await platform.emulator.requestLog.clear();
    await platform.addFault({ ...fault, method: "GET", times: 100 });
    const up = () => stack.up(declared({ redeployTriggers: { a: "1" } }));
    for (const act of [up, () => stack.refresh(), () => stack.destroy()])
      await expect(act()).rejects.toThrow(`it is about another deployment, ${theirs.id}`);
    expect(stateOf(stack).id).toBe(id);
    await expectUntouched(platform, other);
    await platform.emulator.faults.clear();
    await platform.addFault({ ...fault, method: "PATCH", act: true });
    expect(await stack.up(declared(withImage("2")))).toBe("update");
    expect(stateOf(stack)).toMatchObject({ id, outputs: withImage("2") });
  });

  it("is not taken for ours where a redeploy of ours returns it", async () => {
    const { platform, theirs, stack } = await deployed();
    const { id } = await stack.stateAfter(declared());
    await platform.addFault({ method: "POST", path: "/v2/**/redeploy", status: 200, body: theirs, act: true });
    expect(await stack.up(declared({ redeployTriggers: { a: "1" } }))).toBe("update");
    const { latest_revision_id: latest } = await platform.getDeployment(id);
    const outputs = { name: "agent", latestRevisionId: latest, activeRevisionId: latest };
    expect(stateOf(stack)).toMatchObject({ id, outputs });
  });

  it("that has replaced ours is not updated, and a destroy keeps it", async () => {
    const { platform, stack } = await deployed();
    const { id } = await stack.stateAfter(declared());
    await platform.updateOutOfBand(id, {
      secrets: [{ name: "PULUMI_RESOURCE", value: "rivals/urn:pulumi:x::y::z::n" }],
    });
    await platform.emulator.requestLog.clear();
    const changes = [withImage("2"), { redeployTriggers: { a: "1" } }, { sourceConfig: { installCommand: "npm ci" } }];
    for (const change of changes)
      await expect(stack.up(declared(change))).rejects.toThrow(
        `Deployment ${id} is now managed by rivals/urn:pulumi:x::y::z::n. No changes were made.`,
      );
    await expect(stack.up(declared({ sourceConfig: { listenerId: LISTENER_ID } }))).rejects.toThrow(
      "is managed by rivals",
    );
    expect([...platform.requests({ method: "PATCH" }), ...platform.requests({ method: "DELETE" })]).toEqual([]);
  });
});
