/**
 * What updates, refreshes and deletions of each kind of object on an agent server do to an object that is not certainly
 * ours.
 */
import type { PropertyMap } from "../../../provider/schema/schema";
import { createAssistant } from "../../support/assistants";
import { createCron, cronsOf } from "../../support/crons";
import { dynamicHostOnly, type Stack, stateOf } from "../../support/stack";
import { type AgentPlatform, createThread } from "../../support/threads";

interface Sample {
  agents: AgentPlatform;
  stack: Stack;
  id: string;
  path: string;
  /** What the program declares after a change that an update makes. */
  changed: PropertyMap;
  /** A further change. */
  again: PropertyMap;
  keys: string;
}

const kinds: [noun: string, create: () => Promise<Sample>][] = [
  [
    "Assistant",
    async () => {
      const { agents, stack, id } = await createAssistant();
      const changed = agents.assistantInputs({ context: { prefix: "# " } });
      return {
        agents,
        stack,
        id,
        path: `/assistants/${id}`,
        changed,
        again: { context: {} },
        keys: "pulumi_assistant",
      };
    },
  ],
  [
    "Cron",
    async () => {
      const { agents, crons, stack, id } = await createCron();
      const changed = crons.inputs({ schedule: "0 4 * * *" });
      return { agents, stack, id, path: `/runs/crons/${id}`, changed, again: { enabled: false }, keys: "pulumi_cron" };
    },
  ],
  [
    "Thread",
    async () => {
      const { agents, stack, id } = await createThread();
      const changed = agents.threadInputs({ metadata: { graph_id: "echo", team: "sales" } });
      return {
        agents,
        stack,
        id,
        path: `/threads/${id}`,
        changed,
        again: { metadata: { team: "a" } },
        keys: "pulumi_thread",
      };
    },
  ],
];

describe.each(kinds)("an object of the kind %s", (_noun, create) => {
  it("is updated and deleted after its stack was renamed", async () => {
    const { agents, stack, path, changed, again } = await create();
    let renamed = stack;
    for (const [name, declared] of [
      ["live", changed],
      ["production", { ...changed, sensitive: true }],
      ["final", { ...changed, ...again }],
    ] as const) {
      const next = renamed.fork({ stack: name });
      next.state = structuredClone(renamed.state);
      renamed = next;
      expect(await renamed.refresh()).toBe("same");
      expect(await renamed.up(declared)).toBe("update");
    }
    await renamed.destroy();
    expect((await agents.callAgentServer("GET", path)).status).toBe(404);
    expect(renamed.messages.filter((message) => message.startsWith("warn"))).toEqual([]);
  });

  it("that another stack took since is neither changed nor deleted", async () => {
    const { agents, stack, id, path, changed, keys } = await create();
    const theirs = "99999999-9999-5999-8999-999999999999";
    await agents.callAgentServer("PATCH", path, { metadata: { [`${keys}_stack`]: theirs } });
    const before = (await agents.callAgentServer("GET", path)).body;
    const reason = `another stack manages it, as its metadata key ${keys}_stack shows`;
    await expect(stack.up(changed)).rejects.toThrow(`was not changed, because ${reason}`);
    await stack.destroy();
    expect((await agents.callAgentServer("GET", path)).body).toEqual(before);
    expect(stack.messages.join("\n")).toContain(
      `${id} at ${agents.url}${agents.basePath} was not deleted, because ${reason}`,
    );
  });
});

dynamicHostOnly(it)(
  "An assistant that a program only reads is read although another client has created it again",
  async () => {
    const { agents, stack, id } = await createAssistant();
    const reader = stack.fork({ name: "reader" });
    await reader.get(id, { deploymentId: agents.deploymentId });
    await agents.callAgentServer("DELETE", `/assistants/${id}`);
    await agents.advance(60_000);
    await agents.callAgentServer("POST", "/assistants", { assistant_id: id, graph_id: "echo", name: "theirs" });
    const { inputs, outputs } = stateOf(reader);
    const response = await reader.host().read(id, { ...inputs, ...outputs });
    expect(response).toMatchObject({ id, props: { name: "theirs" } });
  },
);

it("A cron of a killed run that can be neither changed nor deleted is resumed, and no second one fires", async () => {
  const { agents, crons, stack, id } = await createCron({ webhook: "https://hooks.example.com/" });
  await agents.emulator.faults.add({
    method: "DELETE",
    path: `${agents.basePath}/runs/crons/*`,
    status: 405,
    times: 50,
  });
  const next = stack.fork();
  await next.up(crons.inputs());
  expect(stateOf(next).id).toBe(id);
  expect(await crons.list()).toHaveLength(1);
});

it("A cron that others made from the metadata of ours survives the destroy of its assistant, which names it", async () => {
  const { agents, stack, id } = await createAssistant();
  const crons = cronsOf(agents);
  const own = crons.stack();
  await own.up(crons.inputs({ assistantId: id }));
  const { payload, metadata } = await crons.get(stateOf(own).id);
  const body = { ...payload, config: {}, metadata, schedule: "45 4 * * *" };
  const { cron_id: copy } = (await agents.callAgentServer("POST", "/runs/crons", body)).body;
  await own.destroy();
  await expect(stack.destroy()).rejects.toThrow(`this stack does not manage: ${copy}.`);
  expect((await agents.callAgentServer("GET", `/runs/crons/${copy}`)).status).toBe(200);
});
