/** NUL characters, which servers in Python replace: nothing differs, and the preview warns. */
import { startAssistants } from "../../../support/assistants";
import { cronsOf } from "../../../support/crons";
import { stateOf } from "../../../support/stack";

const nul = { "key\0": "value\0", list: ["item\0"], nested: { deep: "\0" }, escaped: "\\u0000" };
/** The inputs in which the server replaces it, by kind. */
const CASES = {
  Thread: { metadata: nul },
  Assistant: { name: "n\0", description: "d\0", context: { text: "c\0" }, config: { tags: ["t\0"] }, metadata: nul },
  "Assistant by its configuration": { context: undefined, config: { configurable: { text: "c\0" } } },
  Cron: { input: nul, config: { configurable: { text: "c\0" } }, webhook: "https://a.example.com/\0", metadata: nul },
  "Cron with a context": { context: { text: "c\0" } },
};

async function start(kind: string, change: object) {
  const agents = await startAssistants();
  const crons = cronsOf(agents);
  if (kind.startsWith("Thread")) return { stack: agents.stack(), declared: agents.threadInputs({ ...change }) };
  if (kind.startsWith("Cron")) return { stack: crons.stack(), declared: crons.inputs(change as never) };
  return { stack: agents.assistantStack(), declared: agents.assistantInputs({ ...change }) };
}

// @covers 2B.Thread.metadata:nul
it.each(Object.entries(CASES))("%s: NUL characters cause a warning and do not differ", async (kind, change) => {
  const { stack, declared } = await start(kind, change);
  await stack.check(declared);
  const warned = Object.entries(change).filter(([, value]) => value !== undefined);
  for (const [path] of warned)
    expect(stack.messages.join("\n")).toContain(`warn: ${path}: contains a NUL character, or its escape sequence`);
  await stack.up(declared);
  expect(await stack.refresh()).toBe("same");
  expect(stateOf(stack).inputs).toMatchObject(Object.fromEntries(warned));
  expect(await stack.up(declared)).toBe("same");
  expect(stack.messages.join("\n")).not.toContain("did not store");
});
