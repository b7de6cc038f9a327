/** Whatever characters, keys and nesting a program declares reach the server unchanged, through each host. */
import fc from "fast-check";
import { withoutNul } from "../../../../../provider/schema/compare";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { startAgents, superstep } from "../../../../support/agents/threads";
import { anyText } from "../../../../support/arbitraries/any-text";
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { startPlatform } from "../../../../support/platform";
import { runs } from "../../../../support/run/runs";
import { type CheckError, dynamicHostOnly, expectClean, Stack, stateOf } from "../../../../support/stack";

/** Texts that have a meaning in one of the formats on the way: JSON, protobuf, paths of properties, URLs. */
const PIECES = [
  ...[
    ...["\n\t__proto__", "\n\t\0_proto__", "__proto__", "\0_proto__", "__proto___", "constructor", "toString", "\0"],
    "\r\n",
  ],
  ...["a.b", "*", "a[0]", '["a"]', "a/b", "%2F", "\\", "\u2028", "\ufeff", "\u{1f600}", " ", "", "é", "e\u0301"],
  ...["4dabf18193072939515e22adb298388d", "x".repeat(3000)],
];
const piece = fc.oneof(fc.constantFrom(...PIECES), anyText({ maxLength: 8 }));
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));

/** Keys with a special meaning, which other tests cover. */
const RESERVED = ["__proto__", "4dabf18193072939515e22adb298388d", "graph_id", "pulumi_thread", "", "PULUMI_RESOURCE"];
const key = text.filter((name) => !RESERVED.includes(name));
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((value) => value + 0);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    number,
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const values = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });
const nested = (levels: number, innermost: unknown): PropertyMap =>
  levels === 0
    ? { innermost }
    : { deeper: levels % 2 === 0 ? nested(levels - 1, innermost) : [nested(levels - 1, innermost)] };

/** Runs of a property: each creates, changes and refreshes a resource. */
const options = runs(10);

// @covers 2B.Thread.metadata:nul
it("A Thread: any text, keys and nesting reach the server unchanged, except for NUL in metadata", async () => {
  const agents = await startAgents();
  let number = 0;
  await fc.assert(
    fc.asyncProperty(values, values, text, async (metadata, state, innermost) => {
      const declared = agents.threadInputs({
        metadata: { graph_id: "echo", ...metadata, deep: nested(40, innermost) },
        supersteps: [superstep({ all: state })],
      });
      const stack = agents.stack({ name: `session-${number++}` });
      await stack.up(declared);
      const remote = await agents.getThread(stateOf(stack).id);
      expect(remote.metadata).toMatchObject(withoutNul(declared.metadata as PropertyMap));
      expect(remote.values).toEqual({ all: state });
      await expectClean(stack, declared);
      await stack.destroy();
    }),
    {
      ...options,
      examples: [
        [{ a: "{\n\t__proto__: null\n}" }, { b: ["\n\t\0_proto__"] }, "\n\t__proto__"],
        [{ "k\0": ["\0"] }, { "\0": "\0" }, "\0"],
      ],
    },
  );
});

it("A Deployment: secrets with any text and names reach the server unchanged", async () => {
  const platform = await startPlatform();
  const secrets = fc.dictionary(key, text, { minKeys: 1, maxKeys: 4, noNullPrototype: true });
  let number = 0;
  await fc.assert(
    fc.asyncProperty(secrets, secrets, async (before, after) => {
      const stack = new Stack(platform, { name: `agent-${number++}` });
      const inputs = { name: `agent-${number}` };
      for (const declared of [before, after]) {
        await stack.up(dockerDeployment({ ...inputs, secrets: declared }));
        const remote = await platform.getDeployment(stateOf(stack).id);
        const pairs = (remote.secrets as { name: string; value: string }[]).map(({ name, value }) => [name, value]);
        const { PULUMI_RESOURCE, ...stored } = Object.fromEntries(pairs);
        expect(stored).toEqual(declared);
      }
      expect(await stack.refresh()).toBe("same");
      await stack.destroy();
    }),
    { ...options, examples: [[{ CONFIG_JS: "{\n\t__proto__: null\n}" }, { "\0_proto__": "\n\t\0_proto__" }]] },
  );
});

// The engine passes only valid texts on to a plugin.
dynamicHostOnly(it).each([
  ["a value", { a: "x\ud800y" }, "metadata.a is"],
  ["a value in a list", { a: ["b", { c: "\udc00" }] }, "metadata.a.1.c is"],
  ["a key", { deep: { "k\ud800": 1 } }, "metadata.deep.k\ufffd is"],
])("A text that is not valid Unicode is rejected as %s, because Pulumi would change it", async (_, metadata, path) => {
  const agents = await startAgents();
  const declared = agents.threadInputs({ metadata: { graph_id: "echo", ...metadata } });
  const error = (await failureOf(agents.stack().up(declared))) as CheckError;
  expect(error.failures).toEqual([
    { property: "", reason: expect.stringContaining(`${path} not a valid Unicode text`) },
  ]);
});
