/** An interrupted create of a dynamic resource, after the program has moved to the native provider. */

import { kinds } from "../../../support/agent-objects";
import { createDeployment, startDeployment } from "../../../support/deployments/create";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { failureOf } from "../../../support/errors";
import { dynamicHostOnly, type Stack, stateOf } from "../../../support/stack";

const nativeUrn = (stack: Stack) => ({
  __urn: stack.urn.replace("pulumi-nodejs:dynamic/agentgraph:", "agentgraph:index:"),
});

dynamicHostOnly(it).each(kinds.map((kind) => [kind.noun, kind] as const))(
  "A %s is resumed, because its ID or its marker derives from the same resource",
  async (_noun, { start }) => {
    const { agents, declared, stack: open } = await start();
    const stack = open();
    await stack.up(declared);
    await agents.advance(60_000);
    const moved = stack.fork();
    await moved.up(declared, moved.host(), nativeUrn(moved));
    expect(stateOf(moved).id).toBe(stateOf(stack).id);
    expect(moved.messages.join()).toContain("Resuming");
  },
);

dynamicHostOnly(it)("A deployment that is not live yet is resumed, and a destroy deletes it", async () => {
  const { platform, stack } = await startDeployment();
  platform.duringNextWait(() => Promise.reject(new Error("killed")));
  await failureOf(stack.up(dockerDeployment()));
  const moved = stack.fork();
  await moved.up(dockerDeployment(), moved.host(), nativeUrn(moved));
  expect(await platform.deployments()).toMatchObject([{ id: stateOf(moved).id }]);
  await moved.destroy();
  expect(await platform.deployments()).toEqual([]);
});

dynamicHostOnly(it)(
  "A live deployment is refused with the alias, because it may be in state as a dynamic resource",
  async () => {
    const { stack } = await createDeployment();
    const moved = stack.fork();
    const { message } = await failureOf(moved.up(dockerDeployment(), moved.host(), nativeUrn(moved)));
    expect(message).toContain(`which this stack manages as acme/${stack.urn}. No changes were made.`);
    expect(message).toContain('aliases: [{ type: "pulumi-nodejs:dynamic/agentgraph:Deployment" }]');
    expect(message).toContain(`import: "${stateOf(stack).id}"`);
  },
);
