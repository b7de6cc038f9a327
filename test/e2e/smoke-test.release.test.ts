/** examples/smoke-test: a conversation after each rollout, which fails the update if the reply is wrong. */
import { exampleAgent } from "./support/agents";
import { upInline } from "./support/inline-program";
import { Program } from "./support/program";
import { API_KEY, World } from "./support/world";

// The conversation is with a real agent.
const world = new World({ strict: true, speed: "instant", apiKey: API_KEY, agents: exampleAgent() });

test("a rollout whose agent gives a wrong reply fails the update, which keeps the deployment in state and is not tested again without a change", async () => {
  const program = await Program.copy("smoke-test", await world.createFolder("smoke-test"));
  const stack = await world.stack({ project: "agentgraph-smoke-test", program });
  expect(await upInline(stack)).toMatchObject({ code: 0 });
  const created = (await stack.resources()).get("support-agent");
  expect(world.writes().at(-1)).toMatch(/^DELETE .*\/threads\//);

  const messages = [{ type: "ai", content: "I cannot help with that." }];
  await world.emulator.faults.add({
    method: "POST",
    path: "/agents/*/threads/*/runs/wait",
    status: 200,
    body: { messages },
  });
  const image = "registry.example.com/support-agent:1.1.0";
  const failed = await upInline(stack, { image: { value: image } });
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.output).toContain(
    `error: after hook "smoke-test" failed: "I cannot help with that." does not mention opening hours. ${image} is live; to roll back, deploy the previous image.`,
  );
  const updated = (await stack.resources()).get("support-agent");
  expect(updated).toMatchObject({ id: created?.id, inputs: { sourceRevisionConfig: { imageUri: image } } });
  expect(updated?.outputs?.activeRevisionId).not.toBe(created?.outputs?.activeRevisionId);

  await world.requests();
  const repeated = await upInline(stack);
  expect(repeated).toMatchObject({ code: 0, output: expect.stringContaining("2 unchanged") });
  expect(world.writes()).toEqual([]);
});
