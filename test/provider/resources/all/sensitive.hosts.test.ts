/**
 * The option `sensitive` of what an agent server has: values of users are encrypted in state, and no text shows them.
 */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { failureOf } from "../../../support/errors";
import { type SampleKind, sampleKinds } from "../../../support/kinds";
import { decryptSecrets } from "../../../support/stack";
import { superstep } from "../../../support/threads";

const SECRET = "what-nobody-else-may-read";
const values = { graph_id: "echo", customer: SECRET, deep: { words: [SECRET] } };
const KINDS: Record<string, PropertyMap> = {
  Thread: { metadata: values, supersteps: [superstep({ messages: [{ role: "user", content: SECRET }] })] },
  Assistant: { context: { prefix: SECRET }, metadata: values },
  Cron: { webhook: `https://1.1.1.1/${SECRET}`, input: values, context: values, metadata: values },
};

/** The text that the engine would store unencrypted. */
const plainText = (properties: unknown) =>
  JSON.stringify(properties, (_key, part) => (part?.["4dabf18193072939515e22adb298388d"] ? "[encrypted]" : part));

describe.each(Object.entries(KINDS))("a sensitive %s", (kind, inputs) => {
  async function start() {
    const { platform, stack, declared, path } = await (sampleKinds[kind] as SampleKind).start();
    return { platform, stack, declared: { ...declared, ...inputs, sensitive: true }, path: path("").slice(0, -1) };
  }

  it("is encrypted in inputs and state, each key separately, unless the option is false", async () => {
    const { stack, declared } = await start();
    const host = stack.host();
    const check = async (sensitive?: unknown) =>
      plainText((await host.check({}, { ...declared, sensitive, __urn: stack.urn })).inputs);
    for (const sensitive of [true, "04da6b54-80e4-46f7-96ec-b56ff0331ba9"]) {
      expect(await check(sensitive)).not.toContain(SECRET);
      expect(await check(sensitive)).toContain('"customer":"[encrypted]"');
    }
    expect(await check()).toContain(SECRET);
    const created = await host.create(await stack.check(declared, host));
    const refreshed = await host.read(created.id, decryptSecrets(created.outs) as PropertyMap);
    for (const properties of [created.outs, refreshed.props, refreshed.inputs])
      expect(plainText(properties)).not.toContain(SECRET);
    expect(JSON.stringify(refreshed.props)).toContain(SECRET);
  });

  it("is shown by no error and no message, even in the server's response", async () => {
    const { platform, stack, declared, path } = await start();
    const body = { detail: `bad values: ${SECRET}` };
    await platform.emulator.faults.add({ method: "POST", path, status: 422, body });
    await expect(stack.up(declared)).rejects.toThrow("bad values: [secret]");
    await stack.up(declared);
    const changed = { ...declared, metadata: { ...values, customer: `${SECRET} either` } };
    expect(await stack.up(changed)).toBe("update");
    expect(stack.messages.join()).toContain("metadata.customer");
    const wrong = await failureOf(stack.check({ ...declared, metadata: SECRET }));
    for (const text of [...stack.messages, wrong.message]) expect(text).not.toContain(SECRET);
  });
});
