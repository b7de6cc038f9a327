import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { stateOf } from "../../../../support/stack";

it("the option waitFor none returns immediately while the revision is still rolling out", async () => {
  const { platform, stack } = await startDeployment();
  const begin = platform.clock.now();
  await stack.up(dockerDeployment({ waitFor: "none" }));
  expect(platform.clock.now()).toBe(begin);
  expect(stateOf(stack).outputs.activeRevisionId).toBeUndefined();
  await platform.advance(10_000);
  expect(await stack.refresh()).toBe("same");
  expect(stateOf(stack).outputs.activeRevisionId).toBeDefined();
});

it.each([
  ["10 min by default", {}, 10],
  ["as long as customTimeouts.delete, not as another operation", { create: "1m", update: "2m", delete: "3m" }, 3],
])("a destroy of a deployment that the server never finishes to delete waits %s", async (_what, timeouts, minutes) => {
  const { platform, stack } = await createDeployment(dockerDeployment(), { stack: { timeouts } });
  await platform.addFault({ method: "DELETE", path: "/v2/deployments/*", status: 204 });
  const begin = platform.clock.now();
  platform.duringNextWait(() => platform.advance((minutes - 1) * 60_000));
  await expect(stack.destroy()).rejects.toThrow(
    `Gave up after ${minutes} min 0 s waiting for deployment ${stateOf(stack).id} to be deleted`,
  );
  expect(Math.round((platform.clock.now() - begin) / 60_000)).toBe(minutes);
});

describe("the option redeployTriggers", () => {
  it("redeploys once when the response is malformed", async () => {
    const { platform, stack } = await createDeployment(dockerDeployment({ redeployTriggers: { token: "1" } }));
    const body = { id: 5, secrets: "x" };
    await platform.addFault({ method: "POST", path: "/v2/**/redeploy", status: 200, body, act: true });
    expect(await stack.up(dockerDeployment({ redeployTriggers: { token: "2" } }))).toBe("update");
    expect((await platform.getDeployment(stateOf(stack).id)).revisions).toHaveLength(2);
  });
});

describe("the option rollbackOnFailure", () => {
  it.each([
    ["", {}],
    // There a revision has an environment, which returns with it.
    [" on the platform of today", { platform: "today" } as const],
  ])("restores variables as well, and the next up sends the new ones again%s", async (_where, server) => {
    const { platform, stack } = await startDeployment({ server });
    const desired = (value: string) =>
      dockerDeployment({ rollbackOnFailure: true, secrets: { A: value }, environment: { MODE: value } });
    await stack.up(desired("old-value"));
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await expect(stack.up(desired("new-value"))).rejects.toThrow("failed with DEPLOY_FAILED after");
    const { id } = stateOf(stack);
    const valuesNow = async () =>
      (await platform.getDeployment(id)).secrets.flatMap(({ name, value }) => (/^(A|MODE)$/.test(name) ? [value] : []));
    expect(await valuesNow()).toEqual(["old-value", "old-value"]);
    expect(await stack.up(desired("new-value"))).toBe("update");
    expect(await valuesNow()).toEqual(["new-value", "new-value"]);
    expect((await platform.getDeployment(id)).revisions.map(({ status }) => status)[0]).toBe("DEPLOYED");
  });

  it("reports the rollback once it is live, even if the previous declaration did not wait", async () => {
    const { platform, stack } = await createDeployment(dockerDeployment({ waitFor: "none" }));
    await platform.advance(10_000);
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await expect(stack.up(dockerDeployment({ ...withImage("2"), rollbackOnFailure: true }))).rejects.toThrow(
      "is live again",
    );
    const { id, outputs } = stateOf(stack);
    const { latest_revision_id: latest } = await platform.getDeployment(id);
    expect([outputs.activeRevisionId, outputs.verifiedRevisionId]).toEqual([latest, undefined]);
  });
});
