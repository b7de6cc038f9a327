/** The wait for a revision of a deployment: its end, its error, and how the next `up` continues. */
import { createDeployment, revisionsOf } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { type Platform, startPlatform } from "../../../../support/platform";
import { Stack, stateOf } from "../../../../support/stack";

type RevisionFault = { ends?: string; statuses?: string[]; logs?: string[] };

/** Returns a stack whose next revision rolls out in a given way. */
async function stackWhere(
  revision: RevisionFault | undefined,
  timeouts = {},
): Promise<{ platform: Platform; stack: Stack }> {
  const platform = await startPlatform();
  if (revision) await platform.addFault({ revision });
  return { platform, stack: new Stack(platform, { timeouts }) };
}

describe.each(["CREATE_FAILED", "DEPLOY_FAILED"])("a first revision that ends in %s", (ends) => {
  it("fails the create with all details, keeps the deployment, and is retried once by the next up", async () => {
    const { platform, stack } = await stackWhere({ ends, logs: ["pull access denied"] });
    const error = await failureOf(stack.up(dockerDeployment({ secrets: { KEY: "a-secret-value" } })));
    const { id, outputs, failed } = stateOf(stack);
    expect(failed).toBe(true);
    expect((await platform.deployments()).map((remote) => remote.id)).toEqual([id]);
    expect(outputs).toMatchObject({ __provider: expect.any(String), __owner: expect.any(String), name: "agent" });
    for (const words of ["agent", id, String(outputs.latestRevisionId), ends, "1.0.0", "pull access denied"]) {
      expect(error.message).toContain(words);
    }
    expect(error.message).not.toContain("a-secret-value");
    expect(error).toMatchObject({ reasons: [error.message] });
    expect(await stack.up(dockerDeployment({ secrets: { KEY: "a-secret-value" } }))).toBe("update");
    expect(stateOf(stack)).toMatchObject({ id, failed: false });
    expect(await revisionsOf(platform, stack)).toEqual(["DEPLOYED", ends]);
    expect(await stack.up(dockerDeployment({ secrets: { KEY: "a-secret-value" } }))).toBe("same");
  });

  it("is followed by exactly one revision with a fixed image", async () => {
    const { platform, stack } = await stackWhere({ ends });
    await expect(stack.up(dockerDeployment())).rejects.toThrow("revision rollout failed with");
    await stack.up(dockerDeployment(withImage("1.0.1")));
    expect(await revisionsOf(platform, stack)).toEqual(["DEPLOYED", ends]);
    expect(platform.requests({ method: "PATCH" })).toHaveLength(1);
  });
});

describe("a wait for a rollout that times out", () => {
  // @covers 10A.duration
  it("fails with the last status, and the next up keeps waiting without a new revision", async () => {
    const { platform, stack } = await stackWhere(undefined, { create: "1s" });
    const error = await failureOf(stack.up(dockerDeployment()));
    expect(error.message).toMatch(/QUEUED|DEPLOYING/);
    expect(error.message).toContain("customTimeouts");
    expect(stateOf(stack).failed).toBe(true);
    expect(await stack.up(dockerDeployment())).toBe("update");
    expect(await revisionsOf(platform, stack)).toEqual(["DEPLOYED"]);
    expect(platform.requests({ method: "PATCH" })).toEqual([]);
  });

  it("takes exactly as long as the resource option customTimeouts", async () => {
    const { platform, stack } = await stackWhere({ statuses: ["QUEUED"] }, { create: "7m" });
    const begin = platform.clock.now();
    await expect(stack.up(dockerDeployment())).rejects.toThrow("did not finish within 7 min 0 s");
    expect(platform.clock.now() - begin).toBeGreaterThanOrEqual(7 * 60_000);
    expect(platform.clock.now() - begin).toBeLessThan(7 * 60_000 + 1000);
  });

  it.each([{}, { create: "0" }, { create: "0s" }])("takes half an hour by default (%j)", async (timeouts) => {
    const { platform, stack } = await stackWhere({ statuses: ["UNKNOWN"] }, timeouts);
    const begin = platform.clock.now();
    await expect(stack.up(dockerDeployment())).rejects.toThrow("did not finish within 30 min 0 s");
    expect(Math.round((platform.clock.now() - begin) / 60_000)).toBe(30);
  });
});

describe("a revision that is", () => {
  // @covers 3.item 2
  it.each(["UNKNOWN", "A_WORD_OF_THE_FUTURE"])("%s for a while is awaited", async (word) => {
    const { stack } = await stackWhere({ statuses: ["QUEUED", word, "DEPLOYING", "DEPLOYED"] });
    await stack.up(dockerDeployment());
    expect(stack.messages.join("\n")).toContain(word);
    expect(stateOf(stack).failed).toBe(false);
  });

  it("INTERRUPTED again after it resumed has a whole minute again", async () => {
    const seconds = (count: number, status: string) => Array.from({ length: count }, () => status);
    const pause = seconds(45, "INTERRUPTED");
    const statuses = ["QUEUED", ...pause, ...seconds(20, "DEPLOYING"), ...pause, "DEPLOYING", "DEPLOYED"];
    const { platform, stack } = await stackWhere({ statuses });
    const begin = platform.clock.now();
    await stack.up(dockerDeployment());
    expect(stateOf(stack).failed).toBe(false);
    expect(platform.clock.now() - begin).toBeGreaterThan(110_000);
  });

  // @covers 10A.interrupted
  it("INTERRUPTED for a minute fails, and the next up retries it", async () => {
    const { platform, stack } = await stackWhere({ ends: "INTERRUPTED" });
    const begin = platform.clock.now();
    await expect(stack.up(dockerDeployment())).rejects.toThrow("INTERRUPTED");
    expect(platform.clock.now() - begin).toBeGreaterThan(60_000);
    expect(platform.clock.now() - begin).toBeLessThan(75_000);
    await stack.up(dockerDeployment());
    expect(await revisionsOf(platform, stack)).toEqual(["DEPLOYED", "INTERRUPTED"]);
  });

  // @covers 10A.skipped
  it("SKIPPED is superseded by the newer one, with a warning, and the next up deploys what is declared", async () => {
    const { platform, stack, id } = await createDeployment();
    const push = (tag: string) =>
      platform.call("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: tag } });
    await platform.addFault({ hold: { status: "DEPLOYING" } });
    await push("somebody:1");
    await platform.advance(1000);
    platform.duringNextWait(() => platform.advance(1000));
    platform.duringNextWait(() => push("somebody:2"));
    platform.duringNextWait(() => platform.advance(1000));
    platform.duringNextWait(() => platform.emulator.faults.clear());
    await stack.up(dockerDeployment(withImage("1.0.1")));
    const { revisions } = await platform.getDeployment(id);
    expect(revisions.map(({ status }) => status)).toEqual(["DEPLOYED", "SKIPPED", "DEPLOYED", "DEPLOYED"]);
    expect(stateOf(stack).outputs.activeRevisionId).toBe(revisions[0]?.id);
    expect(stack.messages).toContainEqual(expect.stringMatching(/^warn: .*superseded/));
    expect(stack.messages.join()).toContain("others have deployed other values of sourceRevisionConfig.imageUri since");
    expect(await stack.up(dockerDeployment(withImage("1.0.1")))).toBe("update");
    expect((await platform.getDeployment(id)).source_revision_config.image_uri).toMatch(/agent:1\.0\.1$/);
  });

  // @covers 10A.live
  it("DEPLOYED is awaited until it is active, although an outdated response names a failed one", async () => {
    const { platform, stack, id } = await createDeployment();
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await failureOf(stack.up(dockerDeployment(withImage("1.5"))));
    const path = `/v2/deployments/${id}`;
    const { body } = await platform.call("GET", path);
    await platform.addFault({ method: "GET", path, status: 200, body, skip: 1, times: 2 });
    await stack.up(dockerDeployment(withImage("2")));
    expect(stateOf(stack).outputs.activeRevisionId).toBe((await platform.getDeployment(id)).latest_revision_id);
    expect(stack.messages).toContainEqual(expect.stringMatching(/^progress: DEPLOYED, not yet active, \d+ s$/));
    expect(stack.messages.join()).not.toContain("superseded");
  });

  // @covers 10A.revision
  it("not found on a replica of the server, or mixed up with another one, is polled again for a minute", async () => {
    const platform = await startPlatform();
    const fault = { path: "/v2/deployments/*/revisions/*", status: 404 };
    const body = { id: "99999999-9999-4999-8999-999999999999", status: "DEPLOY_FAILED" };
    await platform.addFault({ ...fault, status: 200, body, times: 2 });
    await platform.addFault({ ...fault, times: 12 });
    const stack = new Stack(platform);
    expect(await stack.up(dockerDeployment())).toBe("create");
    // A minute without a response counts for nothing.
    await platform.addFault({ ...fault, status: 503, times: 80 });
    await platform.addFault({ ...fault, times: 1 });
    expect(await stack.up(dockerDeployment(withImage("1.0.2")))).toBe("update");
    await platform.addFault({ ...fault, times: 500 });
    const startedAt = platform.clock.now();
    await expect(stack.up(dockerDeployment(withImage("1.0.1")))).rejects.toThrow(": 404: ");
    const seconds = (platform.clock.now() - startedAt) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(60);
    expect(seconds).toBeLessThan(75);
  });
});
