/** `waitFor: "healthy"`: the wait, its error, and the rollback with `rollbackOnFailure`. */
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, repository, withImage } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { type Platform, type RemoteObject, startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { Stack, stateOf } from "../../../../support/stack";

const OK = "/agents/*/ok";
const unhealthy = { path: OK, status: 503, body: { detail: "model backend unavailable\nsecond line" }, times: 100_000 };
const careful = (change = {}) => dockerDeployment({ waitFor: "healthy", rollbackOnFailure: true, ...change });
const hideUrl = ({ source_config }: RemoteObject) => Reflect.deleteProperty(source_config, "custom_url");

/** A healthy deployment whose next revision will not be healthy; a rollback restores its health. */
async function healthyFirst(options: ConstructorParameters<typeof Stack>[1] = {}) {
  const { platform, stack } = await createDeployment(careful(), { stack: options });
  stack.messages = [];
  return { platform, stack, ...stateOf(stack) };
}

/** Makes the agent server return 503 until the previous image is redeployed. */
async function breakUntilRolledBack(platform: Platform): Promise<void> {
  const { id } = await platform.addFault(unhealthy);
  const { clock } = platform;
  const { sleep } = clock;
  clock.sleep = async (milliseconds) => {
    await sleep(milliseconds);
    if (!platform.requests({ method: "POST" }).some((request) => request.endsWith("/redeploy"))) return;
    clock.sleep = sleep;
    await platform.emulator.faults.clear(id);
  };
}

describe("Deployment: a revision that is live but never healthy", () => {
  it("is rolled back, the update fails, state holds what is live, and the next up tries it again", async () => {
    const { platform, stack, id } = await healthyFirst({ timeouts: { update: "15s" } });
    await breakUntilRolledBack(platform);
    const { message } = await failureOf(stack.up(careful(withImage("2"))));
    const { revisions, active_revision_id } = await platform.getDeployment(id);
    expect(revisions.map((one) => one.source_revision_config.image_uri)).toEqual(
      ["1.0.0", "2", "1.0.0"].map((tag) => `registry.example.com/agent:${tag}`),
    );
    expect(active_revision_id).toBe(revisions[0]?.id);
    expect(message).toContain(`Rolled back: the configuration of revision ${revisions[2]?.id} is live again`);
    expect(stack.messages).toContain("progress: not healthy: 503: model backend unavailable");
    expect(stack.messages.at(-1)).toMatch(/^progress: rolled back: .*was not healthy after 15 s\.$/);
    expect(stateOf(stack).outputs).toMatchObject({ ...withImage("1.0.0"), activeRevisionId: active_revision_id });
    stack.messages = [];
    await stack.diff(careful(withImage("2")));
    expect(stack.messages).toEqual([expect.stringMatching(/^info: new revision: .*imageUri/)]);
    await stack.up(careful(withImage("2")));
    expect((await platform.getDeployment(id)).revisions).toHaveLength(4);
  });

  it("shows no part of a secret in the response, which is truncated", async () => {
    const platform = await startPlatform();
    const secret = "s3cr3t-value-that-is-long";
    const stack = new Stack(platform, { timeouts: { create: "15s" } });
    const detail = `${"x".repeat(110)}${secret}`;
    await platform.addFault({ ...unhealthy, body: { detail } });
    const { message } = await failureOf(stack.up(careful({ secrets: { A: secret } })));
    expect(message).toMatch(/response {3}503: x{110}\[secr…/);
    const rows = stack.messages.filter((text) => text.includes("/ok: 503"));
    expect(rows.length).toBeGreaterThan(0);
    for (const text of [message, ...rows]) expect(text).not.toContain("s3cr");
  });

  // @covers 10A.health
  it("fails after its timeout with all that is known, and the next up awaits it again", async () => {
    const { platform, stack, id } = await healthyFirst({ timeouts: { update: "15s" } });
    await platform.addFault({ revision: { ends: "DEPLOYED", logs: ["loading the model"] } });
    await platform.addFault(unhealthy);
    const begin = platform.clock.now();
    const { message } = await failureOf(stack.up(dockerDeployment({ waitFor: "healthy", ...withImage("2") })));
    expect(platform.clock.now() - begin).toBeGreaterThanOrEqual(15_000);
    const { active_revision_id, source_config } = await platform.getDeployment(id);
    expect(message.split("\n")).toEqual([
      'Deployment "agent": the new revision is live, but the agent server was not healthy after 15 s.',
      `  deployment ${id}`,
      `  revision   ${active_revision_id}`,
      "  image      registry.example.com/agent:2",
      `  health     GET ${source_config.custom_url}/ok`,
      "  response   503: model backend unavailable",
      `  live       ${active_revision_id} (this revision)`,
      expect.stringMatching(/^The last .*deploy log:$/),
      ...message.split("\n").filter((line) => line.startsWith("  | ")),
      expect.stringMatching(/^Fix the cause and run `pulumi up` again\./),
    ]);
    expect(message).toContain("loading the model");
    expect(stack.messages).toContainEqual(
      expect.stringMatching(/^progress: DEPLOYED, \/ok: 503: model backend unavailable, \d+ s$/),
    );
    expect(stateOf(stack).outputs).toMatchObject({ ...withImage("2"), activeRevisionId: active_revision_id });
    const declared = dockerDeployment({ waitFor: "healthy", ...withImage("2") });
    stack.messages = [];
    await stack.diff(declared);
    expect(stack.messages).toEqual([
      "info: changes nothing on the server; waits again until the agent server is healthy",
    ]);
    await platform.emulator.faults.clear();
    expect(await stack.up(declared)).toBe("update");
    expect((await platform.getDeployment(id)).revisions).toHaveLength(2);
    expect(stateOf(stack).failed).toBe(false);
  });

  it("shows the remedy once when the rollback, which has the whole timeout again, is not healthy either", async () => {
    const { platform, stack, id } = await healthyFirst({ timeouts: { update: "15s" } });
    await platform.addFault(unhealthy);
    const begin = platform.clock.now();
    const { message } = await failureOf(stack.up(careful(withImage("2"))));
    expect(platform.clock.now() - begin).toBeGreaterThanOrEqual(30_000);
    const { active_revision_id } = await platform.getDeployment(id);
    expect(message.match(/`pulumi up`/g)).toHaveLength(1);
    expect(message).toMatch(/The rollback to revision .* failed too: .*not healthy after 15 s/);
    expect(message.match(/ {2}live .*/g)).toEqual([`  live       ${active_revision_id} (the rollback's revision)`]);
    expect(stack.messages).toContainEqual(expect.stringMatching(/^progress: rolling back: /));
    expect(stateOf(stack).outputs).toMatchObject({ activeRevisionId: active_revision_id });
  });
});

it("Deployment: the rollback of a rollout that timed out has its own timeout", async () => {
  const { platform, stack, id } = await healthyFirst({ timeouts: { update: "15s" } });
  await platform.addFault({ hold: { status: "DEPLOYING" } });
  const { sleep } = platform.clock;
  platform.clock.sleep = async (milliseconds) => {
    await sleep(milliseconds);
    if (platform.requests({ method: "POST" }).length > 0) await platform.emulator.faults.clear();
  };
  await expect(stack.up(careful(withImage("2")))).rejects.toThrow("Rolled back");
  expect((await platform.getDeployment(id)).source_revision_config.image_uri).toBe("registry.example.com/agent:1.0.0");
});

// @covers 10A.agent-url
it("Deployment: an agent server without a URL is not checked: a warning for its health, else an error", async () => {
  const stack = new Stack(await startRewritingProxy(await startPlatform(), hideUrl));
  await stack.up(dockerDeployment({ waitFor: "healthy" }));
  expect(stack.messages).toContainEqual(expect.stringMatching(/^warn: .*reports no URL.*not checked/));
  const verified = stack.up(dockerDeployment({ verify: [{ http: { path: "/info" } }] }));
  await expect(verified).rejects.toThrow(/reports no URL .* not verified\. Set sourceConfig\.customUrl, or run/);
});

// @covers 2A.SourceConfig.custom_url:agent
it("Deployment: a URL that the server assigns after the first revision is live is awaited", async () => {
  for (const declared of [careful(), { ...repository(), verify: [{ http: { path: "/ok" } }] }, repository()]) {
    let hidden = 3;
    const hideAtFirst = (remote: RemoteObject) => remote.active_revision_id && hidden-- > 0 && hideUrl(remote);
    const stack = new Stack(await startRewritingProxy(await startPlatform(), hideAtFirst));
    await stack.up(declared);
    expect(stateOf(stack).outputs).toMatchObject({ url: expect.stringContaining("/agents/") });
  }
});

describe("Deployment: the error of an agent that is not healthy", () => {
  async function failureWith(fault: object, declared: object = { ...repository(), waitFor: "healthy" }) {
    const faults = [{ path: OK, times: 100_000, ...fault }];
    const { stack } = await startDeployment({ faults, stack: { timeouts: { create: "15s" } } });
    return (await failureOf(stack.up({ ...declared }))).message;
  }

  it("shows the branch of a repository, and no image; neither of a template", async () => {
    const message = await failureWith({ status: 503 });
    expect(message).toContain("\n  ref        main\n");
    expect(message).not.toContain("  image");
    const template = { source: "internal_template", name: "agent", waitFor: "healthy" };
    expect(await failureWith({ status: 503 }, template)).not.toMatch(/ {2}(image|ref) /);
  });

  it("names a missing response", async () => {
    expect(await failureWith({ connection: "reset-before" })).toContain("\n  response   no response: ");
  });
});
