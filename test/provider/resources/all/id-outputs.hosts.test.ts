/** The life of an object of each kind that needs no other one, and the output that contains its ID. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { agentKinds } from "../../../support/agents/kinds";
import { dynamicHostOnly, expectClean, isDynamicHost, sampled, stateOf } from "../../../support/stack";
import { createSample, fetchSample, isActive, type SampleKind, sampleKinds } from "./kinds";

const KINDS = ["Assistant", "Cron", "Thread"] as const;

describe.each(sampled(KINDS))("%s: the output with its ID", (kind) => {
  const key = `${kind.toLowerCase()}Id`;
  const start = async () => {
    const sample = await (sampleKinds[kind] as (typeof sampleKinds)[string]).start();
    await sample.stack.up(sample.declared);
    return { ...sample, ...stateOf(sample.stack) };
  };

  it("is in state after a create, an update and a refresh, and never an input", async () => {
    const { stack, declared, changed, id } = await start();
    expect(stateOf(stack).outputs[key]).toBe(id);
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack)).toMatchObject({
      outputs: { [key]: id },
      inputs: expect.not.objectContaining({ [key]: id }),
    });
    expect([await stack.up(declared), await stack.up(changed)]).toEqual(["same", "update"]);
    expect(stateOf(stack).outputs[key]).toBe(id);
  });

  it("is in state after an import, which warns if it belongs to another stack", async () => {
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
    expect(stateOf(other).outputs[key]).toBe(id);
  });

  dynamicHostOnly(it)("belongs to another resource of this stack, which an import refuses with an alias", async () => {
    const { stack, declared, id } = await start();
    const other = stack.fork({ name: "other" });
    await expect(other.up(declared, other.host(), { __import: id })).rejects.toThrow(
      /already managed by this stack .+\. No changes were made\..+aliases: \[\{ name: "/s,
    );
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

const ID = "0b8f4d7e-6a0f-4c53-9d52-3a5c1f7e2b11";

describe.each(agentKinds.map(({ names }) => names))("an object of the kind $kind", ({ kind, noun, path, keys }) => {
  const create = () => createSample(sampleKinds[kind] as SampleKind);

  it("has what is declared and a marker, is read before its create, and causes no further request", async () => {
    const sample = await create();
    const { platform, stack, declared, id } = sample;
    const collection = `/agents/{id}/${path}`;
    const [first, second] = platform.requests().filter((request) => request.includes(collection));
    expect([first, second]).toEqual([`GET ${collection}/{id}`, `POST ${collection}`]);
    const { body } = await fetchSample(sample, id);
    expect(body).toMatchObject({ [`${noun}_id`]: id, metadata: { [keys.object]: id } });
    expect(stateOf(stack).outputs).toMatchObject({
      [`${noun}Id`]: id,
      createdAt: (body as unknown as PropertyMap).created_at,
    });
    await platform.emulator.requestLog.clear();
    expect(await stack.up(declared)).toBe("same");
    expect(platform.requests()).toEqual([]);
    expect([await stack.refresh(), await stack.up(declared)]).toEqual(["same", "same"]);
  });

  it("is changed by one request, and again after others have changed it back", async () => {
    const { platform, stack, declared, changed, path: pathOf, id } = await create();
    for (const other of [changed, declared]) {
      await platform.emulator.requestLog.clear();
      expect(await stack.up(other)).toBe("update");
      expect(platform.requests().filter((request) => request.startsWith("PATCH"))).toHaveLength(1);
      expect([await stack.up(other), await stack.refresh()]).toEqual(["same", "same"]);
    }
    const isChanged = ([key, value]: [string, unknown]) => JSON.stringify(declared[key]) !== JSON.stringify(value);
    await platform.call("PATCH", pathOf(id), Object.fromEntries(Object.entries(changed).filter(isChanged)));
    expect([await stack.refresh(), await stack.up(declared)]).toEqual(["changed", "update"]);
    expect(await stack.refresh()).toBe("same");
  });

  it("is replaced if its ID is another one, and a destroy deletes it", async () => {
    const sample = await create();
    const { stack, declared, id } = sample;
    expect(await stack.up({ ...declared, [`${noun}Id`]: ID })).toBe("replace");
    expect([await isActive(sample, id), await isActive(sample, ID)]).toEqual([false, true]);
    await stack.destroy();
    expect(await isActive(sample, ID)).toBe(false);
  });
});
