/** A destroy whose responses are lost or come from a proxy is resolved by a read, for every type of resource. */
import { agentKinds } from "../../../../support/agents/kinds";
import { createSample, isActive, sampleKinds } from "../kinds";

const removable = Object.entries(sampleKinds).flatMap(([kind, sampleKind]) =>
  sampleKind.removal ? [[kind, sampleKind, sampleKind.removal] as const] : [],
);
/** What the destroy fails with where the server has no route for it; that of other kinds succeeds with a warning. */
const FAILURES: Record<string, RegExp> = {
  ...Object.fromEntries(
    agentKinds.map(({ names: { kind, noun } }) => [kind, new RegExp(`although it still has the ${noun}`)]),
  ),
  ScheduledBulkExport: /does not support cancellation/,
};
/** What the warning says of others. */
const WARNINGS: Record<string, string> = {
  Deployment: "was removed from this stack's state only and is still running. Delete it manually.",
  BulkExportDestination: "the server still stores its credentials. Delete it or revoke its access key manually.",
  Thread: "The server still stores its history: delete it manually or let it expire.",
};

describe.each(removable)("the destroy of a %s", (kind, sampleKind, { method, readsBefore }) => {
  const lost = { status: 502, body: "<h1>Bad Gateway</h1>", times: 20 };

  it("whose every response is lost after the server acted succeeds", async () => {
    const { platform, stack } = await createSample(sampleKind);
    await platform.addFault({ ...lost, method, act: true });
    await stack.destroy();
  });

  it("that failed after the server deleted is detected by a refresh, and completed by another destroy", async () => {
    const { platform, stack, declared } = await createSample(sampleKind);
    // The response to the delete and those to all following reads are lost.
    await platform.addFault({ ...lost, method, act: true });
    await platform.addFault({ ...lost, method: "GET", skip: readsBefore });
    await expect(stack.destroy()).rejects.toThrow(": 502: ");
    await platform.emulator.faults.clear();
    expect(await stack.up(declared)).toBe("same");
    const other = stack.fork();
    other.state = structuredClone(stack.state);
    expect(await other.refresh()).toBe("gone");
    await stack.destroy();
  });

  it("whose requests are all lost before the server acted fails and keeps it in state", async () => {
    const { platform, stack } = await createSample(sampleKind);
    await platform.addFault({ ...lost, method });
    await expect(stack.destroy()).rejects.toThrow(new RegExp(`: ${method} .*502`));
    expect(stack.state).toBeDefined();
  });

  it("to which a proxy returns 405 once removes it, and warns of no missing route", async () => {
    const sample = await createSample(sampleKind);
    const { platform, stack, path, id } = sample;
    await platform.addFault({ method, path: path(id), status: 405, body: "<h1>nginx</h1>" });
    await stack.destroy();
    expect(stack.messages.join()).not.toMatch(/does not support|cannot change/);
    expect(await isActive(sample, id)).toBe(false);
  });

  it("to which the server always returns 404 says that the route is missing", async () => {
    const sample = await createSample(sampleKind);
    const { platform, stack, path, id } = sample;
    await platform.addFault({ method, path: path(id), status: 404, times: 100 });
    const result = stack.destroy();
    const failure = FAILURES[kind];
    if (failure) await expect(result).rejects.toThrow(failure);
    else await result;
    if (!failure) expect(stack.messages.at(-1)).toMatch(/^warn: .*does not support deletion/);
    if (!failure) expect(stack.messages.at(-1)).toContain(WARNINGS[kind] ?? "");
    expect([stack.state?.id, await isActive(sample, id)]).toEqual([failure && id, true]);
  });

  it("that the server has already deleted succeeds after each 405, without a warning", async () => {
    const { platform, stack, path, id } = await createSample(sampleKind);
    await platform.addFault({ method, path: path(id), status: 405, act: true });
    await platform.addFault({ method, path: path(id), status: 405, times: 100 });
    await stack.destroy();
    expect(stack.messages.filter((text) => text.startsWith("warn"))).toEqual([]);
    expect(stack.state).toBeUndefined();
  });
});
