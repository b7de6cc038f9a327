/** Threads of a deployment, with the real engine: an image bump leaves them alone, a new deployment makes new ones. */

import type { CliStack } from "./support/cli-stack";
import { changedProperties, messagesOf, steps } from "./support/events";
import { agentSource } from "./support/program";
import { World } from "./support/world";

const world = new World();
const SECRET = "what nobody else may read";

/** Source text: a deployment at a stable address, a thread with a state, one with secrets, and a copy. */
function program({
  image = "registry.example.com/agent:1",
  name = "agent",
  team = "support",
  secret = SECRET,
} = {}): string {
  const step = { updates: [{ asNode: "__input__", values: { messages: [{ role: "user", content: "Hello" }] } }] };
  const inputs = { metadata: { graph_id: "echo", team }, supersteps: [step] };
  const sensitive = { sensitive: true, metadata: { graph_id: "echo", customer: secret } };
  return `${agentSource({ image, name })}
    const session = new agentgraph.Thread("session", { deploymentId: agent.id, ...${JSON.stringify(inputs)} });
    new agentgraph.Thread("private", { deploymentId: agent.id, ...${JSON.stringify(sensitive)} });
    new agentgraph.Thread("copy", { deploymentId: agent.id, copyFrom: session.id });
    exports.session = session.id;`;
}

async function threads(stack: CliStack): Promise<{ thread_id: string; metadata: Record<string, unknown> }[]> {
  const { outputs } = (await stack.resources()).get("session") ?? {};
  const response = await fetch(`${outputs?.url}/threads/search`, {
    method: "POST",
    body: '{"limit":100}',
    headers: { "content-type": "application/json" },
  });
  return (await response.json()) as never;
}
const idsOf = async (stack: CliStack) =>
  ["session", "private", "copy"].map(async (name) => (await stack.resources()).get(name)?.id);

// @covers 2B.Thread.metadata:later, 4B.POST /threads, 4B.POST /threads:state, 4B.POST /threads/{thread_id}/copy
test("threads keep their history until their deployment is replaced", async () => {
  const stack = await world.stack({ project: "threads" });
  await stack.program.write(program());
  const created = await stack.up();
  expect(created).toMatchObject({ code: 0 });
  expect(steps(created).sort()).toEqual(["create agent", "create copy", "create private", "create session"]);
  const ids = await Promise.all(await idsOf(stack));
  expect((await threads(stack)).map(({ thread_id }) => thread_id).sort()).toEqual([...ids].sort());
  expect(await stack.up("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });

  // A new image: the preview shows the deployment alone, and so does the run.
  await stack.program.write(program({ image: "registry.example.com/agent:2" }));
  expect(steps(await stack.preview())).toEqual(["update agent"]);
  await world.requests();
  expect(steps(await stack.up())).toEqual(["update agent"]);
  expect(world.writes().filter((request) => request.includes("/threads"))).toEqual([]);
  expect(await Promise.all(await idsOf(stack))).toEqual(ids);

  // Metadata changes in place, also where it is secret.
  const changed = { image: "registry.example.com/agent:2", team: "sales", secret: `${SECRET} either` };
  await stack.program.write(program(changed));
  const preview = await stack.preview("--diff");
  expect(steps(preview).sort()).toEqual(["update private", "update session"]);
  expect(changedProperties(preview).sort()).toEqual(["metadata.customer", "metadata.team"]);
  expect(messagesOf(preview, "session")).toEqual(["in place: metadata.team"]);
  const updated = await stack.up();
  expect(updated).toMatchObject({ code: 0 });
  expect((await threads(stack)).find(({ thread_id }) => thread_id === ids[0])?.metadata).toMatchObject({
    team: "sales",
  });

  // A new name replaces the deployment: the preview reports its threads as lost, and they are created again.
  await stack.program.write(program({ ...changed, name: "renamed" }));
  const replacing = await stack.preview();
  expect(messagesOf(replacing, "session")).toEqual([
    "REPLACED, its history is lost: deploymentId (its deployment is replaced)",
  ]);
  const replaced = await stack.up();
  expect(replaced).toMatchObject({ code: 0 });
  const later = await Promise.all(await idsOf(stack));
  for (const id of ids) expect(later).not.toContain(id);
  expect((await threads(stack)).map(({ thread_id }) => thread_id).sort()).toEqual([...later].sort());

  const exported = await stack.run("stack", "export");
  const destroyed = await stack.destroy();
  expect(destroyed).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
  const runs = [created, preview, updated, replacing, replaced, exported, destroyed];
  const everything = [
    ...runs.map(({ output, events }) => output + JSON.stringify(events)),
    await stack.readBackend(),
  ].join("\n");
  expect(everything).not.toContain(SECRET);
});

test("a replaced deployment replaces its threads even if its URL stays the same", async () => {
  const stack = await world.stack({ project: "stable" });
  // The address of an agent server that stands by itself: the deployment's own one differs, and is not used.
  await stack.program.write(agentSource({ name: "stands" }));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const custom_url = String((await stack.resources()).get("agent")?.outputs?.url);
  const declared = (name: string) => `${agentSource({ name: "stands" })}
    const moved = new agentgraph.Deployment("moved", { source: "external_docker", name: "${name}", sourceConfig: { customUrl: "${custom_url}" }, sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" } });
    const session = new agentgraph.Thread("session", { deploymentId: moved.id });`;
  await stack.program.write(declared("one"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { id, outputs } = (await stack.resources()).get("session") ?? {};
  expect(outputs?.url).toBe(custom_url);

  await stack.program.write(declared("two"));
  expect(messagesOf(await stack.preview(), "session")).toEqual([
    "REPLACED, its history is lost: deploymentId (its deployment is replaced)",
  ]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  const next = (await stack.resources()).get("session");
  expect(next?.outputs?.url).toBe(custom_url);
  expect(next?.id).not.toBe(id);
  expect((await threads(stack)).map(({ thread_id }) => thread_id)).toEqual([next?.id]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});
