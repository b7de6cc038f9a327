/**
 * Servers that lack the route by which an object of a kind is changed: the change is an error that touches nothing and
 * offers `--replace`, previews say so from then on, and nothing is replaced that the user did not ask for.
 */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createAssistant } from "../../../support/assistants";
import { createCron } from "../../../support/crons";
import { dockerDeployment, withImage } from "../../../support/deployments/inputs";
import { createDestination, destination } from "../../../support/destinations";
import { failureOf } from "../../../support/errors";
import { type Platform, startPlatform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";
import { createThread } from "../../../support/threads";

interface Sample {
  platform: Platform;
  stack: Stack;
  /** What the program declares before and after the change. */
  declared: PropertyMap;
  changed: PropertyMap;
  path: string;
}

const KINDS: [kind: string, feature: string, loses: string, create: () => Promise<Sample>][] = [
  [
    "Thread",
    "threads-patch",
    ", which loses its history",
    async () => {
      const { agents, stack } = await createThread();
      const changed = agents.threadInputs({ metadata: { graph_id: "echo", team: "sales" } });
      return {
        platform: agents,
        stack,
        declared: agents.threadInputs(),
        changed,
        path: `${agents.basePath}/threads/*`,
      };
    },
  ],
  [
    "Assistant",
    "assistants-patch",
    "",
    async () => {
      const { agents, stack } = await createAssistant();
      const changed = agents.assistantInputs({ context: { prefix: "# " } });
      const path = `${agents.basePath}/assistants/*`;
      return { platform: agents, stack, declared: agents.assistantInputs(), changed, path };
    },
  ],
  [
    "Cron",
    "crons-patch",
    "",
    async () => {
      const { agents, crons, stack } = await createCron();
      const changed = crons.inputs({ schedule: "0 4 * * *" });
      return { platform: agents, stack, declared: crons.inputs(), changed, path: `${agents.basePath}/runs/crons/*` };
    },
  ],
  [
    "BulkExportDestination",
    "destinations-patch",
    "",
    async () => {
      const { platform, stack } = await createDestination();
      const changed = destination(platform, { credentials: { sessionToken: "next" } });
      const path = "/api/v1/bulk-exports/destinations/*";
      return { platform, stack, declared: destination(platform), changed, path };
    },
  ],
  [
    "Deployment",
    "deployments-patch",
    ", which loses its database and threads",
    async () => {
      const platform = await startPlatform();
      const stack = new Stack(platform);
      await stack.up(dockerDeployment());
      stack.messages = [];
      const changed = dockerDeployment(withImage("2"));
      return { platform, stack, declared: dockerDeployment(), changed, path: "/v2/deployments/*" };
    },
  ],
];

describe.each(KINDS)("a change of a %s on a server without the route", (_kind, feature, loses, create) => {
  const lack = async ({ platform, path }: Sample, status: number) =>
    platform.emulator.faults.add({ method: "PATCH", path, status, body: { detail: "Not Found" }, times: 10_000 });
  const writes = ({ platform }: Sample) =>
    platform.requests().filter((request) => /^(POST|DELETE|PUT) /.test(request) && !request.endsWith("/search"));

  it.each([404, 405, 501])(
    "is an error that changes nothing after each %i, and the next preview says so",
    async (status) => {
      const sample = await create();
      const { stack, declared, changed, platform } = sample;
      await lack(sample, status);
      const { id, outputs } = stateOf(stack);
      await platform.emulator.requestLog.clear();
      for (const _run of ["first", "second"]) {
        stack.messages = [];
        const { message } = await failureOf(stack.up(changed));
        expect(message).toContain("No changes were made.");
        expect(message).toContain(`${loses}, run:  pulumi up --replace '${stack.urn}'`);
        expect(stateOf(stack)).toMatchObject({ id, outputs: { __routes: [feature] } });
        expect(stateOf(stack).outputs).toEqual({ ...outputs, __routes: [feature], __unready: true });
        expect(await stack.refresh()).toBe("same");
        expect(writes(sample)).toEqual([]);
      }
      stack.messages = [];
      expect((await stack.diff(changed)).replaces ?? []).toEqual([]);
      expect(stack.messages).toContainEqual(
        expect.stringMatching(new RegExp(`^warn: .*fails, .*${loses}, run: {2}pulumi up --replace '`)),
      );
      stack.messages = [];
      expect(await stack.up(declared)).toBe("update");
      expect(stateOf(stack)).toMatchObject({ id, failed: false });
      expect(stack.messages.join()).not.toContain("--replace");
    },
  );

  it("is made as soon as the server has the route, and forgotten", async () => {
    const sample = await create();
    const { stack, changed, platform } = sample;
    await lack(sample, 405);
    await expect(stack.up(changed)).rejects.toThrow("--replace");
    const { id } = stateOf(stack);
    await platform.emulator.faults.clear();
    expect(await stack.up(changed)).toBe("update");
    expect(stateOf(stack)).toMatchObject({ id, failed: false });
    expect(stateOf(stack).outputs).not.toHaveProperty("__routes");
    expect(await stack.up(changed)).toBe("same");
  });

  it("is made by a replacement that the user asks for", async () => {
    const sample = await create();
    const { stack, changed } = sample;
    await lack(sample, 405);
    await expect(stack.up(changed)).rejects.toThrow("--replace");
    await stack.replace(changed);
    expect(stateOf(stack).failed).toBe(false);
    expect(await stack.up(changed)).toBe("same");
  });
});
