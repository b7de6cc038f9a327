/** The native provider without `ownerId`, and an interrupted create before the program has moved to it. */
import { createDeployment } from "../../../support/deployments/create";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { interrupted } from "../../../support/deployments/interrupted";
import { failureOf } from "../../../support/errors";
import { type Platform, startPlatform } from "../../../support/platform";
import { dynamicHostOnly, Stack, stateOf } from "../../../support/stack";
import { kinds } from "../../objects/support/agent-objects";

const HINT = new RegExp(
  "ownerId is not set, so a stack of the same name in another Pulumi organization .*pulumi config " +
    "set agentgraph:ownerId <organization>",
);
/** The program of a native provider passes no organization. */
const NATIVE = { __organization: undefined };
const hintsIn = (texts: readonly string[]) => texts.filter((text) => HINT.test(text));

const createAgent = async (platform: Platform, ownerId = "") => {
  const stack = new Stack(platform, { config: { ownerId } });
  await stack.up(dockerDeployment(), stack.host(), NATIVE);
  return stack;
};

test("A create, a change and a refresh show nothing about the unknown owner", async () => {
  const platform = await startPlatform();
  const stack = await createAgent(platform);
  await stack.up(dockerDeployment({ secrets: { A: "1" } }), stack.host(), NATIVE);
  await stack.refresh();
  expect(hintsIn(stack.messages)).toEqual([]);
});

test("A create that resumes a deployment says whose it may be, once, unless ownerId is set", async () => {
  const platform = await startPlatform();
  for (const ownerId of ["", "acme"]) {
    const { id } = stateOf(await createAgent(platform, ownerId));
    await platform.advance(60_000);
    const resumed = await createAgent(platform, ownerId);
    expect(stateOf(resumed).id).toBe(id);
    const warnings = resumed.messages.filter((text) => text.startsWith(`warn: Resuming Deployment ${id}`));
    expect(warnings).toHaveLength(1);
    expect(hintsIn(resumed.messages)).toEqual(ownerId === "" ? warnings : []);
    await resumed.destroy();
  }
});

test("A create that refuses a deployment with its own marker says whose it may be", async () => {
  const platform = await startPlatform();
  await createAgent(platform);
  await platform.advance(2 * 3_600_000);
  await expect(createAgent(platform)).rejects.toThrow(HINT);
});

test.each(kinds.map((kind) => [kind.noun, kind] as const))(
  "A resumed %s says whose it may be",
  async (_noun, { start }) => {
    const { agents, declared, stack: open } = await start();
    const stack = open({ name: "shared", config: { ownerId: "" } });
    await stack.up(declared, stack.host(), NATIVE);
    await agents.advance(60_000);
    const other = stack.fork();
    await other.up(declared, other.host(), NATIVE);
    expect(stateOf(other).id).toBe(stateOf(stack).id);
    expect(hintsIn(stack.messages)).toEqual([]);
    expect(hintsIn(other.messages)).toEqual([expect.stringMatching(`Resuming .+${stateOf(stack).id}`)]);
  },
);

const nativeUrn = (stack: Stack) => ({
  __urn: stack.urn.replace("pulumi-nodejs:dynamic/agentgraph:", "agentgraph:index:"),
});

dynamicHostOnly(it).each(kinds.map((kind) => [kind.noun, kind] as const))(
  "A %s is resumed, as its ID or its marker shows",
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
  const { platform, stack: moved } = await interrupted();
  await moved.up(dockerDeployment(), moved.host(), nativeUrn(moved));
  expect(await platform.deployments()).toMatchObject([{ id: stateOf(moved).id }]);
  await moved.destroy();
  expect(await platform.deployments()).toEqual([]);
});

dynamicHostOnly(it)("A live deployment is refused with the alias, since state may have it", async () => {
  const { stack } = await createDeployment();
  const moved = stack.fork();
  const { message } = await failureOf(moved.up(dockerDeployment(), moved.host(), nativeUrn(moved)));
  expect(message).toContain(`which this stack manages as acme/${stack.urn}. No changes were made.`);
  expect(message).toContain('aliases: [{ type: "pulumi-nodejs:dynamic/agentgraph:Deployment" }]');
  expect(message).toContain(`import: "${stateOf(stack).id}"`);
});
