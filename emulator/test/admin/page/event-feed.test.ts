import { EventFeed } from "../../../src/admin/page/event-feed";
import type { OverviewChange } from "../../../src/admin/page/overview";
import { insertSeed, seedBody } from "../../../src/admin/seed/seed";
import { purgeDeployment } from "../../../src/control-plane/deletion";
import { validateAdminInput } from "../../../src/http/admin-gateway";
import { openContext, routeNames } from "../../../src/platform";
import type { Context } from "../../../src/runtime/context";
import { resolveSettings } from "../../../src/runtime/options";
import type { Store } from "../../../src/runtime/storage/store";
import { newFolder } from "../../support/folder";

const contexts: Context[] = [];
const pages: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
  for (const context of contexts.splice(0)) context.store.close();
});

/** Opens a data folder, and records the lists that are read from its store. */
function openCounted() {
  const key = { accessKeyId: "key", secretAccessKey: "secret" };
  const context = openContext(resolveSettings({}, routeNames()), newFolder(), key);
  contexts.push(context);
  const lists: string[] = [];
  const store = new Proxy(context.store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const [, table] =
          (name === "all" && /^\s*SELECT .*?FROM (deployments|threads|exports) [a-z]\b/s.exec(String(args[0]))) || [];
        if (table !== undefined) lists.push(table);
        return Reflect.apply(value, target, args);
      };
    },
  }) as Store;
  return { context, lists, feed: new EventFeed({ ...context, store }) };
}

/** Opens a page, as far as the feed knows one. */
function openPage(feed: EventFeed) {
  const closing = new AbortController();
  const events: OverviewChange[] = [];
  let onEvent = () => {};
  const send = (text: string) => {
    if (!text.startsWith("data: ")) return;
    events.push(JSON.parse(text.slice(6)));
    onEvent();
  };
  const ended = Promise.resolve(feed.stream()(send, closing.signal));
  const page = {
    events,
    /** Resolves with the first event, past or future, that matches. */
    async event(matches: (change: OverviewChange) => boolean): Promise<OverviewChange> {
      for (;;) {
        const found = events.find(matches);
        if (found) return found;
        await new Promise<void>((resolve) => {
          onEvent = resolve;
        });
      }
    },
    close() {
      closing.abort();
      return ended;
    },
  };
  pages.push(page);
  return page;
}

const hasFaults = (count: number) => (change: OverviewChange) => change.faults.length === count;

describe("the feed of the page", () => {
  test.each([1, 50])("reads each list once for a change, with %i open pages", async (count) => {
    const { context, lists, feed } = openCounted();
    const open = Array.from({ length: count }, () => openPage(feed));
    expect(lists).toEqual(["deployments", "threads", "exports"]);
    lists.length = 0;
    context.faults.add({ status: 503 });
    const changes = await Promise.all(open.map((page) => page.event(hasFaults(1))));
    expect(lists).toEqual(["deployments", "threads", "exports"]);
    expect(new Set(changes.map((change) => JSON.stringify(change))).size).toBe(1);
    expect(open.map(({ events }) => events.length)).toEqual(Array(count).fill(2));
  });

  test("sends everything to a page that is opened later, with the present time, and the same changes", async () => {
    const { context, lists, feed } = openCounted();
    context.clock.freeze();
    const addDeployment = (name: string) =>
      insertSeed(context, validateAdminInput(seedBody, { deployments: [{ name }] })).deployments?.[0] ?? "";
    const first = addDeployment("first");
    const early = openPage(feed);
    const second = addDeployment("second");
    await early.event(({ deployments }) => deployments.changed.every(({ id }) => id === second));
    await context.scheduler.advance(60_000, context.backgroundTasks);
    lists.length = 0;
    const late = openPage(feed);
    expect(late.events[0]?.deployments.changed.map(({ id }) => id)).toEqual([first, second]);
    expect(late.events[0]).toMatchObject({ totals: { deployments: 2 }, clock: { now: context.clock.isoNow() } });
    expect(lists).toEqual([]);
    context.store.transaction(() => purgeDeployment(context, first));
    const removals = [early, late].map((page) => page.event(({ deployments }) => deployments.removed.length > 0));
    expect((await Promise.all(removals)).map(({ deployments }) => deployments.removed)).toEqual([[first], [first]]);
  });

  test("shows a page that is opened after all others were closed what happened meanwhile", async () => {
    const { context, feed } = openCounted();
    await openPage(feed).close();
    context.faults.add({ status: 503 });
    await openPage(feed).event(hasFaults(1));
  });
});
