/** `verify`: what follows a check that passes or fails, on the server, in state and in the next run. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import type { Platform } from "../../../../support/platform";
import { expectClean, isDynamicHost, type Stack, stateOf } from "../../../../support/stack";

const check = { http: { path: "/info" }, attempts: 1 };
const declare = (tag: string, change: PropertyMap = {}) =>
  dockerDeployment({ ...withImage(tag), verify: [check], ...change });

/** The agent fails the next checks. */
const fail = (platform: Platform, times = 1) =>
  platform.addFault({ path: "/agents/*/info", status: 500, body: { detail: "no model" }, times });
const statuses = async (platform: Platform, id: string) => (await platform.getDeployment(id)).revisions.length;
const imageOf = async (platform: Platform, id: string) =>
  String((await platform.getDeployment(id)).source_revision_config.image_uri);
const OTHERS = { source_revision_config: { image_uri: "registry.example.com/agent:3" } };
const retried = (tag: string) => declare(tag, { verify: [{ ...check, attempts: 2 }] });

function deployOtherDuringChecks({ platform, stack }: { platform: Platform; stack: Stack }, ms = 0): void {
  const deployOther = async (): Promise<unknown> => {
    if (!stack.messages.join("\n").includes("attempt 1 failed")) return platform.duringNextWait(deployOther);
    const [{ id } = { id: "" }] = await platform.deployments();
    await platform.call("PATCH", `/v2/deployments/${id}`, OTHERS);
    return platform.advance(ms);
  };
  platform.duringNextWait(deployOther);
}

/** A deployment whose first revision is verified. */
async function createVerified(change: PropertyMap = {}) {
  const created = await createDeployment(declare("1", change), { server: { platform: "today" } });
  const { outputs } = stateOf(created.stack);
  expect(outputs.verifiedRevisionId).toBe(outputs.activeRevisionId);
  return { ...created, first: String(outputs.activeRevisionId) };
}

describe("a revision that passes its checks", () => {
  it("is recorded as verified, also the first one, and checked once", async () => {
    const { platform, stack, id, first } = await createVerified();
    expect(await stack.up(declare("2"))).toBe("update");
    const { outputs } = stateOf(stack);
    expect(outputs).toMatchObject({ verifiedRevisionId: (await platform.getDeployment(id)).active_revision_id });
    expect(outputs.verifiedRevisionId).not.toBe(first);
    expect(platform.requests({ path: "/agents/*/info" })).toHaveLength(1);
    expect(stack.messages).toContain("progress: check 1 of 1: http /info");
    await expectClean(stack, declare("2"));
    expect(await stack.up(declare("2", { displayName: "Agent" }))).toBe("update");
    expect(platform.requests({ path: "/agents/*/info" })).toHaveLength(1);
  });
});

describe("a revision that fails a check", () => {
  it("is off again, which the error says, and the next up rolls it out and checks it again", async () => {
    const { platform, stack, id, first } = await createVerified();
    await fail(platform);
    const { message } = await failureOf(stack.up(declare("2")));
    expect(message).toMatch(/^Deployment.*: check 1 of 1: http \/info failed\.\n {2}expected .*\n {2}actual .*500/);
    expect(message).toContain(`Rolled back: the configuration of revision ${first} is live again as revision `);
    expect(stack.messages).toContain("progress: rolling back: DEPLOYED and healthy");
    expect(await imageOf(platform, id)).toMatch(/:1$/);
    const { active_revision_id: active } = await platform.getDeployment(id);
    expect(stateOf(stack)).toMatchObject({ failed: true, outputs: { verifiedRevisionId: active } });
    expect(await stack.up(declare("2"))).toBe("update");
    expect(await imageOf(platform, id)).toMatch(/:2$/);
    expect(stateOf(stack).outputs).not.toHaveProperty("failedVerification");
    await expectClean(stack, declare("2"));
  });

  it.each([
    ["an image", () => declare("1")],
    ["a folder", () => internalSource({ sourcePath: createAgentFolder(), verify: [check] })],
  ])("stays where it is the first one, of %s, and the next up checks it without a rollout", async (_what, inputs) => {
    const { platform, stack } = await startDeployment();
    const declared = inputs();
    await fail(platform);
    await expect(stack.up(declared)).rejects.toThrow("`pulumi up` only runs the checks again");
    const { id, outputs, failed } = stateOf(stack);
    expect(failed).toBe(true);
    expect(outputs).not.toHaveProperty("verifiedRevisionId");
    expect(outputs.failedVerification).toMatchObject({ revisionId: outputs.activeRevisionId, count: 1 });
    await stack.diff(declared);
    expect(stack.messages.at(-1)).toBe("info: checks the live revision; it has not passed them");
    expect([await stack.up(declared), await statuses(platform, id)]).toEqual(["update", 1]);
    expect(stateOf(stack).outputs.verifiedRevisionId).toBe(outputs.activeRevisionId);
  });

  it("stays with rollbackOnFailure false, and no run ends green while it is live, also after a refresh", async () => {
    const { platform, stack, id } = await createVerified();
    const declared = declare("2", { rollbackOnFailure: false });
    await fail(platform, 3);
    for (let run = 0; run < 3; run++) {
      await expect(stack.up(declared)).rejects.toThrow("check 1 of 1: http /info failed.");
      await stack.refresh();
    }
    expect([await statuses(platform, id), await stack.up(declared)]).toEqual([2, "update"]);
    expect(await statuses(platform, id)).toBe(2);
    await expectClean(stack, declared);
  });

  it("is not rolled out a third time, until its content or a trigger changes", async () => {
    const { platform, stack, id } = await createVerified();
    await fail(platform, 2);
    await expect(stack.up(declare("2"))).rejects.toThrow("Rolled back");
    await expect(stack.up(declare("2"))).rejects.toThrow("insist on it by changing a value of redeployTriggers");
    const count = await statuses(platform, id);
    await stack.diff(declare("2"));
    expect(stack.messages.join()).toMatch(/`pulumi up` will refuse this: this content has failed its checks 2 times/);
    const refusal = /^Deployment "agent" was not changed: .* 2 times, last as revision .* http \/info: expected/;
    await expect(stack.up(declare("2"))).rejects.toThrow(refusal);
    await expect(stack.up(declare("2", { keepConversations: { at: "s3://a/b" } }))).rejects.toThrow("2 times");
    expect(await statuses(platform, id)).toBe(count);
    expect(await stack.up(declare("2", { redeployTriggers: { try: "again" } }))).toBe("update");
    expect(await imageOf(platform, id)).toMatch(/:2$/);
  });

  it("is off again where a program that returns to the verified content only finishes", async () => {
    const { platform, stack, id } = await createVerified();
    await fail(platform);
    await expect(stack.up(declare("2"))).rejects.toThrow("Rolled back");
    const count = await statuses(platform, id);
    expect(await stack.up(declare("1"))).toBe("update");
    expect(await statuses(platform, id)).toBe(count);
    await expectClean(stack, declare("1"));
  });

  it("is reported with a refused rollback in the first line, and rolled back by the next up", async () => {
    const { platform, stack, id } = await createVerified();
    await fail(platform, 2);
    await platform.addFault({ method: "POST", path: "/v2/**/redeploy", status: 409, body: { detail: "not now" } });
    const { message } = await failureOf(stack.up(declare("2")));
    expect(message).toMatch(/^.*check 1 of 1: http \/info failed\. The rollback to revision .* failed too: .*not now/);
    await expect(stack.up(declare("2"))).rejects.toThrow("Rolled back");
    expect(await imageOf(platform, id)).toMatch(/:1$/);
  });

  it("of a run that was killed before is off again, too", async () => {
    const { platform, stack, id } = await createVerified();
    await platform.call("PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { image_uri: "registry.example.com/agent:2" },
    });
    await platform.advance(60_000);
    await fail(platform);
    await expect(stack.up(declare("2"))).rejects.toThrow("Rolled back");
    expect(await imageOf(platform, id)).toMatch(/:1$/);
  });

  it("stays where others have deployed another one since, which a rollback would undo", async () => {
    const { platform, stack, id } = await createVerified();
    await fail(platform, 2);
    deployOtherDuringChecks({ platform, stack });
    await expect(stack.up(retried("2"))).rejects.toThrow("check 1 of 1: http /info failed.");
    expect(await imageOf(platform, id)).toMatch(/:3$/);
  });

  it.each(["passes", "fails"])("is not judged by a check that %s once others' is live", async (outcome) => {
    const { platform, stack } = await startDeployment({ server: { platform: "today" } });
    const run = async (declared: PropertyMap) => {
      await fail(platform, outcome === "passes" ? 1 : 2);
      stack.messages = [];
      deployOtherDuringChecks({ platform, stack }, 60_000);
      const { message } = await failureOf(stack.up(declared));
      expect(message).toContain("another revision went live while the checks of revision");
      expect(/\n {2}check +check 1 of 1: .*\n {2}expected .*\n {2}actual /.test(message)).toBe(outcome === "fails");
      const { outputs, id } = stateOf(stack);
      expect(outputs).not.toHaveProperty("failedVerification");
      expect(await imageOf(platform, id)).toMatch(/:3$/);
      return outputs.verifiedRevisionId;
    };
    expect(await run(retried("1"))).toBeUndefined();
    expect(await stack.up(retried("1"))).toBe("update");
    const { outputs, id } = stateOf(stack);
    expect(await imageOf(platform, id)).toMatch(/:1$/);
    // An update that sends nothing.
    const checked = declare("1", { verify: [{ ...check, attempts: 2, name: "renamed" }] });
    expect(await run(checked)).toBe(outputs.verifiedRevisionId);
    expect(await stack.up(checked)).toBe("update");
    expect(await imageOf(platform, id)).toMatch(/:1$/);
    await expectClean(stack, checked);
  });

  it.each(["passes", "fails", "rolls it back"])("is not live if the server goes back and a check %s", async (what) => {
    const rollbackOnFailure = what === "rolls it back";
    const { platform, stack, id, first } = await createVerified();
    await fail(platform, what === "passes" ? 1 : 2);
    const repair = async (): Promise<unknown> =>
      (await statuses(platform, id)) > 2 ? platform.emulator.faults.clear() : platform.duringNextWait(repair);
    const goBack = async (): Promise<unknown> => {
      if (!stack.messages.join("\n").includes("attempt 1 failed")) return platform.duringNextWait(goBack);
      const { body } = await platform.call("GET", `/v2/deployments/${id}`);
      const shown = { ...body, active_revision_id: first };
      platform.duringNextWait(repair);
      return platform.addFault({ method: "GET", path: `/v2/deployments/${id}`, status: 200, body: shown, times: 999 });
    };
    platform.duringNextWait(goBack);
    const declared = { ...retried("2"), rollbackOnFailure };
    await expect(stack.up(declared)).rejects.toThrow(
      /the server went back .* while .*\n(?: {2}live .*the previous revision|Rolled back: the configuration)/s,
    );
    const live = rollbackOnFailure ? (await platform.getDeployment(id)).active_revision_id : first;
    expect(stateOf(stack).outputs).toMatchObject({ verifiedRevisionId: live, activeRevisionId: live });
    expect([await stack.up(declared), await statuses(platform, id)]).toEqual(["update", rollbackOnFailure ? 4 : 3]);
    await expectClean(stack, declared);
  });

  it("of others that an update without a request finds in place of the known one is a difference", async () => {
    const { platform, stack, id } = await createVerified();
    const path = `/v2/deployments/${id}`;
    const { body } = await platform.call("GET", path);
    await platform.call("PATCH", path, OTHERS);
    await platform.advance(60_000);
    await platform.addFault({ method: "GET", path, status: 200, body });
    const checked = declare("1", { verify: [{ ...check, name: "renamed" }] });
    expect(await stack.up(checked)).toBe("update");
    expect(stack.messages.join()).toContain("others have deployed other values of sourceRevisionConfig.imageUri since");
    expect([await stack.up(checked), await imageOf(platform, id)]).toEqual(["update", expect.stringMatching(/:1$/)]);
    await expectClean(stack, checked);
  });

  it("is not counted against the content where others' superseded it before the checks", async () => {
    const { platform, stack, id } = await createVerified();
    await fail(platform);
    platform.duringNextWait(() => platform.call("PATCH", `/v2/deployments/${id}`, OTHERS));
    await expect(stack.up(declare("2"))).rejects.toThrow("check 1 of 1: http /info failed.");
    expect(await imageOf(platform, id)).toMatch(/:3$/);
    expect(stateOf(stack).outputs).not.toHaveProperty("failedVerification");
  });

  it("restores the secrets of the verified one", async () => {
    const { platform, stack, id } = await createVerified({ secrets: { KEY: "good-value" } });
    await fail(platform);
    await expect(stack.up(declare("1", { secrets: { KEY: "bad-value" } }))).rejects.toThrow("Rolled back");
    expect((await platform.getDeployment(id)).secrets).toContainEqual({ name: "KEY", value: "good-value" });
  });
});

it("a live revision that no run has checked is imported with a warning, and checked by the next up", async () => {
  const { platform, stack, id } = await createVerified();
  const other = stack.fork();
  if (isDynamicHost) await other.up(declare("1"), other.host(), { __import: id });
  else await other.import(id);
  await fail(platform);
  await expect(other.up(declare("1"))).rejects.toThrow("check 1 of 1: http /info failed.");
  if (isDynamicHost) expect(other.messages.join("\n")).toMatch(/warn: import: revision .* is live and has not passed/);
  expect([await other.up(declare("1")), await statuses(platform, id)]).toEqual(["update", 1]);
  await expectClean(other, declare("1"));
});
