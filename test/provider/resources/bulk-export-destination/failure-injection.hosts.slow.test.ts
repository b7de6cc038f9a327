/** Injects every failure mode into every request of each operation: nothing is created twice, and nothing is lost. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { type Change, destination, destinationStack, destinationsIn } from "../../../support/destinations";
import { failureOf } from "../../../support/errors";
import {
  ACTED_AFTER_TIMEOUT,
  failureCases,
  injectFailure,
  waitForDelayedRequest,
} from "../../../support/failure-modes";
import { type Platform, startPlatform } from "../../../support/platform";
import { isDynamicHost, type Stack, stateOf } from "../../../support/stack";

const ALL = "/api/v1/bulk-exports/destinations";
const [LIST, POST] = [`GET ${ALL}`, `POST ${ALL}`];
const [READ, PATCH, DELETE] = [`GET ${ALL}/{id}`, `PATCH ${ALL}/{id}`, `DELETE ${ALL}/{id}`];

interface Operation {
  /** Inputs of a resource that exists before; none when absent. */
  before?: Change;
  /** Declared inputs; the operation is a destroy when absent. */
  declared?: Change;
  requests: string[];
}

const operations: Record<string, Operation> = {
  "a create": { declared: {}, requests: [LIST, POST, LIST] },
  "a rotation": { before: { credentials: { sessionToken: "old" } }, declared: {}, requests: [PATCH] },
  "a destroy": { before: {}, requests: [DELETE] },
};

async function prepared({ before, declared }: Operation) {
  const platform = await startPlatform();
  const stack = destinationStack(platform);
  if (before) await stack.up(destination(platform, before));
  await platform.emulator.requestLog.clear();
  const desired = declared && destination(platform, declared);
  const act = (): Promise<unknown> => (desired ? stack.up(desired) : stack.destroy());
  return { platform, stack, act, desired };
}

async function isAsDeclared(platform: Platform, stack: Stack, desired: PropertyMap): Promise<void> {
  const { id, failed } = stateOf(stack);
  expect(failed).toBe(false);
  expect((await destinationsIn(platform)).map((remote) => remote.id)).toEqual([id]);
  expect(await stack.refresh()).toBe("same");
  expect(await stack.up(desired)).toBe("same");
}

describe.each(Object.entries(operations))("%s", (_what, operation) => {
  it("sends the requests that the tests below inject failures into", async () => {
    const { platform, act } = await prepared(operation);
    await act();
    expect(platform.requests()).toEqual(operation.requests);
  });

  const cases = failureCases(operation.requests).map(({ request, mode, after }) => [request, mode, after] as const);
  it.each(cases)("whose %s %s ends as declared after at most one retry", async (request, what, after) => {
    const { platform, stack, act, desired } = await prepared(operation);
    await injectFailure(platform, what, request, after);
    const error = await act().catch((failure: Error) => failure);
    await waitForDelayedRequest(platform, what);
    if (error instanceof Error && request === POST && what === ACTED_AFTER_TIMEOUT) {
      // The server created it after the last poll: the error of the next run shows both options.
      const [created] = await destinationsIn(platform);
      const { message } = await failureOf(act());
      expect(message).toContain(`import: "${created?.id}"`);
      if (!isDynamicHost) return;
      await stack.up(desired as PropertyMap, stack.host(), { __import: created?.id });
    } else if (error instanceof Error) await act();
    if (desired) await isAsDeclared(platform, stack, desired);
    else expect([stack.state, await destinationsIn(platform)]).toEqual([undefined, []]);
  });
});

describe("a create of a destination whose response was lost", () => {
  const lost = { method: "POST", path: ALL, connection: "reset-after" } as const;

  it("is resolved by the list in the same run, without a second POST", async () => {
    const { platform, stack, act, desired } = await prepared({ declared: {}, requests: [] });
    await platform.emulator.faults.add(lost);
    await act();
    expect(platform.requests()).toEqual([LIST, POST, LIST, LIST]);
    await isAsDeclared(platform, stack, desired as PropertyMap);
  });

  it("adopts the new destination, and not an equivalent older one", async () => {
    const platform = await startPlatform();
    const [old, stack] = [destinationStack(platform), destinationStack(platform)];
    await old.up(destination(platform));
    await platform.emulator.faults.add(lost);
    await stack.up(destination(platform, { allowDuplicate: true }));
    expect(stateOf(stack).id).not.toBe(stateOf(old).id);
    expect(await destinationsIn(platform)).toHaveLength(2);
  });

  it("fails when the server did not create it, and the next up creates it", async () => {
    const { platform, stack, act } = await prepared({ declared: {}, requests: [] });
    await platform.emulator.faults.add({ ...lost, connection: "reset-before" });
    expect((await failureOf(act())).message).toMatch(/No new destination "traces" was found.*`pulumi up` again/);
    expect(stack.state).toBeUndefined();
    expect(await act()).toBe("create");
    expect(platform.requests({ method: "POST" })).toHaveLength(2);
  });

  it("fails with an explanation when the server has no list", async () => {
    const platform = await startPlatform({ without: ["destination-list"] });
    const stack = destinationStack(platform);
    await platform.emulator.faults.add(lost);
    const { message } = await failureOf(stack.up(destination(platform)));
    expect(message).toMatch(/Could not determine whether destination "traces" was created.*cannot list/);
    expect(stack.state).toBeUndefined();
    expect(platform.requests({ method: "POST" })).toHaveLength(1);
  });
});

it.each([400, 503])("a list after the create that fails with %i is replaced by a read", async (status) => {
  const { platform, stack, act, desired } = await prepared({ declared: {}, requests: [] });
  await platform.emulator.faults.add({ method: "GET", path: ALL, status, skip: 1, times: 6 });
  expect(await act()).toBe("create");
  expect(platform.requests().slice(0, 3)).toEqual([LIST, POST, LIST]);
  expect(platform.requests().at(-1)).toBe(READ);
  await platform.emulator.faults.clear();
  await isAsDeclared(platform, stack, desired as PropertyMap);
});

it("a failed read after the create keeps the destination in state, and the next up only reads it", async () => {
  const { platform, stack, act, desired } = await prepared({ declared: { allowDuplicate: true }, requests: [] });
  await platform.emulator.faults.add({ method: "GET", path: `${ALL}/*`, status: 503, times: 6 });
  await expect(act()).rejects.toThrow(": 503: ");
  expect(stateOf(stack).failed).toBe(true);
  await platform.emulator.requestLog.clear();
  expect(await act()).toBe("update");
  expect(platform.requests()).toEqual([READ]);
  await isAsDeclared(platform, stack, desired as PropertyMap);
});
