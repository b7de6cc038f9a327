/** Sparse and verbose responses of a server. */

import { dockerDeployment, withImage } from "../../../support/deployments";
import { failureOf } from "../../../support/errors";
import { startPlatform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";

describe("a secret of a Deployment that a rejection contains", () => {
  const declared = dockerDeployment({ secrets: { KEY: "hunter-2-hunter" } });
  const echo = { status: 400, body: { detail: "secret KEY: hunter-2-hunter is too short" } };

  it("is not shown by a create", async () => {
    const platform = await startPlatform();
    await platform.emulator.faults.add({ method: "POST", ...echo });
    const error = await failureOf(new Stack(platform).up(declared));
    expect(error.message).toContain("secret KEY: [secret] is too short");
    expect(`${error.stack}`).not.toContain("hunter-2");
  });

  it("is not shown by an update", async () => {
    const platform = await startPlatform();
    const stack = new Stack(platform);
    await stack.up(dockerDeployment());
    await platform.emulator.faults.add({ method: "PATCH", ...echo });
    expect((await failureOf(stack.up(declared))).message).toContain("[secret]");
  });
});

it.each([{}, undefined])("a change of a Deployment whose response is %j is completed by a read", async (body) => {
  const platform = await startPlatform();
  const stack = new Stack(platform);
  await stack.up(dockerDeployment());
  await platform.emulator.faults.add({ method: "PATCH", status: body ? 200 : 204, act: true, ...(body && { body }) });
  expect(await stack.up(dockerDeployment(withImage("2.0.0")))).toBe("update");
  expect(stateOf(stack).failed).toBe(false);
});

it("a Deployment that must be created again with the import option fails with the advice to remove it", async () => {
  const platform = await startPlatform();
  const first = new Stack(platform);
  await first.up(dockerDeployment());
  const { id } = stateOf(first);
  const stack = first.fork();
  await stack.up(dockerDeployment(), stack.host(), { __import: id });
  const error = await failureOf(stack.up(dockerDeployment({ name: "other" }), stack.host(), { __import: id }));
  expect(error.message).toMatch(/[Rr]emove .*import/);
});
