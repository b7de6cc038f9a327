/** A destroy whose responses are lost is resolved by a read, for every type of resource. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { startAssistants } from "../../../support/assistants";
import { cronsOf } from "../../../support/crons";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { destination, destinationStack } from "../../../support/destinations";
import { failureOf } from "../../../support/errors";
import { startWorkspace } from "../../../support/exports";
import { type Platform, startPlatform } from "../../../support/platform";
import { Stack } from "../../../support/stack";
import { startAgents } from "../../../support/threads";

interface Started {
  platform: Platform;
  stack: Stack;
  declared: PropertyMap;
  /** The HTTP method that removes it. */
  method: string;
  /** Number of GET requests before. */
  readsBefore: number;
}

/** Returns a stack with one resource, for each type. */
const kinds: Record<string, () => Promise<Started>> = {
  Deployment: async () => {
    const platform = await startPlatform();
    return { platform, stack: new Stack(platform), declared: dockerDeployment(), method: "DELETE", readsBefore: 1 };
  },
  BulkExportDestination: async () => {
    const platform = await startPlatform();
    const stack = destinationStack(platform);
    return { platform, stack, declared: destination(platform), method: "DELETE", readsBefore: 0 };
  },
  ScheduledBulkExport: async () => {
    const ws = await startWorkspace();
    const stack = ws.stack("ScheduledBulkExport");
    return { platform: ws, stack, declared: ws.daily(), method: "PATCH", readsBefore: 1 };
  },
  Cron: async () => {
    const agents = await startAgents();
    const crons = cronsOf(agents);
    return { platform: agents, stack: crons.stack(), declared: crons.inputs(), method: "DELETE", readsBefore: 1 };
  },
  Thread: async () => {
    const agents = await startAgents();
    return {
      platform: agents,
      stack: agents.stack(),
      declared: agents.threadInputs(),
      method: "DELETE",
      readsBefore: 1,
    };
  },
  Assistant: async () => {
    const agents = await startAssistants();
    return {
      platform: agents,
      stack: agents.assistantStack(),
      declared: agents.assistantInputs(),
      method: "DELETE",
      readsBefore: 3,
    };
  },
};

describe.each(Object.entries(kinds))("the destroy of a %s", (_kind, start) => {
  const lost = { status: 502, body: "<h1>Bad Gateway</h1>", times: 20 };

  it("whose every response is lost after the server acted succeeds", async () => {
    const { platform, stack, declared, method } = await start();
    await stack.up(declared);
    await platform.emulator.faults.add({ ...lost, method, act: true });
    await stack.destroy();
    expect(stack.state).toBeUndefined();
  });

  it("that failed after the server deleted is detected by a refresh, not by an up, and completed by another destroy", async () => {
    const { platform, stack, declared, method, readsBefore } = await start();
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
    const { platform, stack, declared, method } = await start();
    await stack.up(declared);
    await platform.emulator.faults.add({ ...lost, method });
    expect((await failureOf(stack.destroy())).message).toMatch(new RegExp(`: ${method} .*502`));
    expect(stack.state).toBeDefined();
  });
});
