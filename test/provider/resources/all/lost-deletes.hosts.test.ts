/** A destroy whose responses are lost is resolved by a read, for every type of resource. */
import { failureOf } from "../../../support/errors";
import { sampleKinds } from "../../../support/kinds";

const removable = Object.entries(sampleKinds).flatMap(([kind, { start, removal }]) =>
  removal ? [[kind, start, removal] as const] : [],
);

describe.each(removable)("the destroy of a %s", (_kind, start, { method, readsBefore }) => {
  const lost = { status: 502, body: "<h1>Bad Gateway</h1>", times: 20 };

  it("whose every response is lost after the server acted succeeds", async () => {
    const { platform, stack, declared } = await start();
    await stack.up(declared);
    await platform.emulator.faults.add({ ...lost, method, act: true });
    await stack.destroy();
    expect(stack.state).toBeUndefined();
  });

  it("that failed after the server deleted is detected by a refresh, not by an up, and completed by another destroy", async () => {
    const { platform, stack, declared } = await start();
    await stack.up(declared);
    // The response to the delete and those to all following reads are lost.
    await platform.emulator.faults.add({ ...lost, method, act: true });
    await platform.emulator.faults.add({ ...lost, method: "GET", skip: readsBefore });
    await expect(stack.destroy()).rejects.toThrow(": 502: ");
    await platform.emulator.faults.clear();
    expect(await stack.up(declared)).toBe("same");
    const other = stack.fork();
    other.state = structuredClone(stack.state);
    expect(await other.refresh()).toBe("gone");
    await stack.destroy();
    expect(stack.state).toBeUndefined();
  });

  it("whose requests are all lost before the server acted fails and keeps it in state", async () => {
    const { platform, stack, declared } = await start();
    await stack.up(declared);
    await platform.emulator.faults.add({ ...lost, method });
    expect((await failureOf(stack.destroy())).message).toMatch(new RegExp(`: ${method} .*502`));
    expect(stack.state).toBeDefined();
  });
});
