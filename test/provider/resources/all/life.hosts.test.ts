/** The life of an object of each kind that needs nothing else on its agent server. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { agentKinds } from "../../../support/agent-kinds";
import { createSample, fetchSample, isActive, type SampleKind, sampleKinds } from "../../../support/kinds";
import { stateOf } from "../../../support/stack";

const ID = "0b8f4d7e-6a0f-4c53-9d52-3a5c1f7e2b11";

describe.each(agentKinds.map(({ names }) => names))("an object of the kind $kind", ({ kind, noun, path, keys }) => {
  const create = () => createSample(sampleKinds[kind] as SampleKind);

  it("has what is declared and a marker, is read before it is created, and causes no request while nothing changes", async () => {
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
    expect(await stack.refresh()).toBe("changed");
    expect(await stack.up(declared)).toBe("update");
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
