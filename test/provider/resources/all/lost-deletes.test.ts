/** A destroy whose responses are lost is settled by a look, whatever is destroyed. */
import type { Bag } from "../../../../provider/schema/schema";
import { destination, destinationStack } from "../../../support/destinations";
import { docker } from "../../../support/docker";
import { failureOf } from "../../../support/door";
import { startWorkspace } from "../../../support/exports";
import { type Platform, startPlatform } from "../../../support/platform";
import { Stack } from "../../../support/stack";
import { startAgents } from "../../../support/threads";

/** A stack with one resource of each kind, and the method that removes it. */
const kinds: Record<string, () => Promise<{ platform: Platform; stack: Stack; declared: Bag; method: string }>> = {
  Deployment: async () => {
    const platform = await startPlatform();
    return { platform, stack: new Stack(platform), declared: docker(), method: "DELETE" };
  },
  BulkExportDestination: async () => {
    const platform = await startPlatform();
    return { platform, stack: destinationStack(platform), declared: destination(platform), method: "DELETE" };
  },
  ScheduledBulkExport: async () => {
    const ws = await startWorkspace();
    return { platform: ws, stack: ws.stack("ScheduledBulkExport"), declared: ws.daily(), method: "PATCH" };
  },
  Thread: async () => {
    const agents = await startAgents();
    return { platform: agents, stack: agents.stack(), declared: agents.thread(), method: "DELETE" };
  },
};

describe.each(Object.entries(kinds))("the destroy of a %s", (_kind, start) => {
  const lost = { status: 502, body: "<h1>Bad Gateway</h1>", times: 20 };

  it("whose every response is lost after the server acted succeeds", async () => {
    const { platform, stack, declared, method } = await start();
    await stack.up(declared);
    await platform.emulator.faults.add({ ...lost, method, act: true });
    await stack.destroy();
    expect(stack.held).toBeUndefined();
  });

  it("whose every request is lost before the server acted fails, and keeps it in state", async () => {
    const { platform, stack, declared, method } = await start();
    await stack.up(declared);
    await platform.emulator.faults.add({ ...lost, method });
    expect((await failureOf(stack.destroy())).message).toMatch(new RegExp(`: ${method} .*502`));
    expect(stack.held).toBeDefined();
  });
});
