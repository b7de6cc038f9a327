/** The output that contains the ID of an object, which programs in all languages reference. */
import { failureOf } from "../../../support/errors";
import { sampleKinds } from "../../../support/kinds";
import { dynamicHostOnly, expectClean, isDynamicHost, stateOf } from "../../../support/stack";

const KINDS = ["Assistant", "Cron", "Thread"] as const;

describe.each(KINDS)("%s: the output with its ID", (kind) => {
  const key = `${kind.toLowerCase()}Id`;
  const start = async () => {
    const sample = await (sampleKinds[kind] as (typeof sampleKinds)[string]).start();
    await sample.stack.up(sample.declared);
    return { ...sample, ...stateOf(sample.stack) };
  };

  it("is in state after a create, an update and a refresh, and never an input that the program must declare", async () => {
    const { stack, declared, changed, id } = await start();
    expect(stateOf(stack).outputs[key]).toBe(id);
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack)).toMatchObject({
      outputs: { [key]: id },
      inputs: expect.not.objectContaining({ [key]: id }),
    });
    expect(await stack.up(declared)).toBe("same");
    expect(await stack.up(changed)).toBe("update");
    expect(stateOf(stack).outputs[key]).toBe(id);
  });

  it("is in state after an import", async () => {
    const { stack, declared, id } = await start();
    const other = stack.fork();
    const { deploymentId } = declared as { deploymentId: string };
    await (isDynamicHost ? other.up(declared, other.host(), { __import: id }) : other.import(`${deploymentId}/${id}`));
    expect(stateOf(other).outputs[key]).toBe(id);
  });

  it("belongs to another stack, which an import warns of", async () => {
    const { stack, declared, id } = await start();
    const other = stack.fork({ stack: "production" });
    const { deploymentId } = declared as { deploymentId: string };
    const host = other.host();
    if (isDynamicHost) await other.up(declared, host, { __import: id });
    else {
      await other.import(`${deploymentId}/${id}`, host);
      // The engine checks the program after the read of an import, not after that of a `get`.
      await other.check(declared, host, {}, {});
    }
    expect(other.messages.join()).toContain(`${kind} ${id} is already managed by another stack`);
  });

  dynamicHostOnly(it)("belongs to another resource of this stack, which an import refuses with an alias", async () => {
    const { stack, declared, id } = await start();
    const other = stack.fork({ name: "other" });
    const { message } = await failureOf(other.up(declared, other.host(), { __import: id }));
    expect(message).toMatch(/already managed by this stack .+\. No changes were made\..+aliases: \[\{ name: "/s);
    expect(other.state).toBeUndefined();
  });

  it("is added to state of earlier versions by a refresh, without a difference", async () => {
    const { stack, declared } = await start();
    const { [key]: id, __defaultId: _, ...outputs } = stateOf(stack).outputs;
    stack.state = { ...stateOf(stack), outputs };
    await expectClean(stack, declared);
    expect(stateOf(stack).outputs[key]).toBe(id);
    expect(await stack.up(declared)).toBe("same");
  });
});
