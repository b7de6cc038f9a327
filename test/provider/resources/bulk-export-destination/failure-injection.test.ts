/** Every request of every operation once in every trouble: nothing is made twice, and nothing that was made is lost. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { type Change, destination, destinationStack, destinationsIn } from "../../../support/destinations";
import { failureOf } from "../../../support/errors";
import { type Platform, startPlatform } from "../../../support/platform";
import { heldBy, type Stack } from "../../../support/stack";
import { LATE, settled, trouble, troubles } from "../../../support/troubles";

const ALL = "/api/v1/bulk-exports/destinations";
const [LIST, POST] = [`GET ${ALL}`, `POST ${ALL}`];
const [LOOK, PATCH, DELETE] = [`GET ${ALL}/{id}`, `PATCH ${ALL}/{id}`, `DELETE ${ALL}/{id}`];

interface Operation {
  /** What is there before; nothing when absent. */
  before?: Change;
  /** What is declared; a destroy when absent. */
  declared?: Change;
  requests: string[];
}

const operations: Record<string, Operation> = {
  "a create": { declared: {}, requests: [LIST, POST, LOOK] },
  "a rotation": { before: { credentials: { sessionToken: "old" } }, declared: {}, requests: [PATCH] },
  "a destroy": { before: {}, requests: [DELETE] },
};

async function prepared({ before, declared }: Operation) {
  const platform = await startPlatform();
  const stack = destinationStack(platform);
  if (before) await stack.up(destination(platform, before));
  await platform.emulator.journal.clear();
  const wanted = declared && destination(platform, declared);
  const act = (): Promise<unknown> => (wanted ? stack.up(wanted) : stack.destroy());
  return { platform, stack, act, wanted };
}

async function isAsDeclared(platform: Platform, stack: Stack, wanted: PropertyMap): Promise<void> {
  const { id, failed } = heldBy(stack);
  expect(failed).toBe(false);
  expect((await destinationsIn(platform)).map((remote) => remote.id)).toEqual([id]);
  expect(await stack.refresh()).toBe("same");
  expect(await stack.up(wanted)).toBe("same");
}

describe.each(Object.entries(operations))("%s", (_what, operation) => {
  it("makes these requests, of which each is put into trouble below", async () => {
    const { platform, act } = await prepared(operation);
    await act();
    expect(platform.requests()).toEqual(operation.requests);
  });

  const cases = operation.requests.flatMap((request) => Object.keys(troubles).map((what) => [request, what] as const));
  it.each(cases)("whose %s %s, is as declared after at most one retry", async (request, what) => {
    const { platform, stack, act, wanted } = await prepared(operation);
    await trouble(platform, what, request, 0);
    const error = await act().catch((failure: Error) => failure);
    await settled(platform, what);
    if (error instanceof Error && request === POST && what === LATE) {
      // It was made after we had looked: what equals it is there, and the error of the next run names both ways on.
      const [made] = await destinationsIn(platform);
      const { message } = await failureOf(act());
      expect(message).toContain(`import: "${made?.id}"`);
      await stack.up(wanted as PropertyMap, stack.host(), { __import: made?.id });
    } else if (error instanceof Error) await act();
    if (wanted) await isAsDeclared(platform, stack, wanted);
    else expect([stack.held, await destinationsIn(platform)]).toEqual([undefined, []]);
  });
});

describe("a create whose answer was lost", () => {
  const lost = { method: "POST", path: ALL, connection: "reset-after" } as const;

  it("is settled by the list, in the same run and without a second POST", async () => {
    const { platform, stack, act, wanted } = await prepared({ declared: {}, requests: [] });
    await platform.emulator.faults.add(lost);
    await act();
    expect(platform.requests()).toEqual([LIST, POST, LIST, LOOK]);
    await isAsDeclared(platform, stack, wanted as PropertyMap);
  });

  it("takes what is new, and not what equals it from before", async () => {
    const platform = await startPlatform();
    const [old, stack] = [destinationStack(platform), destinationStack(platform)];
    await old.up(destination(platform));
    await platform.emulator.faults.add(lost);
    await stack.up(destination(platform, { allowDuplicate: true }));
    expect(heldBy(stack).id).not.toBe(heldBy(old).id);
    expect(await destinationsIn(platform)).toHaveLength(2);
  });

  it("and was not acted on is an error, after which the next run creates it", async () => {
    const { platform, stack, act } = await prepared({ declared: {}, requests: [] });
    await platform.emulator.faults.add({ ...lost, connection: "reset-before" });
    expect((await failureOf(act())).message).toMatch(/lists no new destination "traces".*`pulumi up` again/);
    expect(stack.held).toBeUndefined();
    expect(await act()).toBe("create");
    expect(platform.requests({ method: "POST" })).toHaveLength(2);
  });

  it("is an error that says so where the service has no list", async () => {
    const platform = await startPlatform({ without: ["destination-list"] });
    const stack = destinationStack(platform);
    await platform.emulator.faults.add(lost);
    const { message } = await failureOf(stack.up(destination(platform)));
    expect(message).toMatch(/Whether destination "traces" was created is not known.*no list/);
    expect(stack.held).toBeUndefined();
    expect(platform.requests({ method: "POST" })).toHaveLength(1);
  });
});

it("a look that fails after the create keeps the resource, and the next run only looks", async () => {
  const { platform, stack, act, wanted } = await prepared({ declared: {}, requests: [] });
  await platform.emulator.faults.add({ method: "GET", path: `${ALL}/*`, status: 503, times: 6 });
  await expect(act()).rejects.toThrow(": 503: ");
  expect(heldBy(stack).failed).toBe(true);
  await platform.emulator.journal.clear();
  expect(await act()).toBe("update");
  expect(platform.requests()).toEqual([LOOK]);
  await isAsDeclared(platform, stack, wanted as PropertyMap);
});
