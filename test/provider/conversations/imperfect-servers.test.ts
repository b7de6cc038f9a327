/** What backups and restores make of servers that lose, limit, move and hide what they have. */
import { formatBackup } from "../../../cli/conversations/text";
import { type BackupResult, backUp } from "../../../provider/conversations/backup";
import {
  readCrons,
  readItems,
  readVersions,
  type SavedCron,
} from "../../../provider/conversations/catalog/read-catalog";
import { writeCrons } from "../../../provider/conversations/catalog/restore-catalog";
import { BackupWriter } from "../../../provider/conversations/file/backup-writer";
import { Journal } from "../../../provider/conversations/file/journal";
import { Folder } from "../../../provider/conversations/place/folder";
import type { ConversationServer, Probe } from "../../../provider/conversations/server/conversation-server";
import { Graphs } from "../../../provider/conversations/server/graphs";
import { listThreads } from "../../../provider/conversations/server/list-threads";
import { openConversations } from "../../../provider/conversations/server/open-server";
import { removeOwn } from "../../../provider/conversations/thread/own-thread";
import { readConversation } from "../../../provider/conversations/thread/read-thread";
import { HttpError } from "../../../provider/http/errors";
import { createFolder } from "../../support/deployments/source-folder";
import { TestClock } from "../../support/time/clock";
import { type Answer, all, type Body, serve } from "./support/servers";

const state = (id: string, more: object = {}) => ({
  ...{ next: [], tasks: [], metadata: {}, checkpoint: { checkpoint_id: id } },
  ...more,
});

describe("a backup", () => {
  const THREAD = { thread_id: "t", status: "idle", metadata: {} };
  /** Backs up a server with one thread, whose list says that no run writes to it. */
  async function backUpThread(answer: (path: string) => Answer, place = new Folder(createFolder()), listed = [THREAD]) {
    const { server } = serve((path, { before }) => {
      // Its count is of what others see.
      if (path === "/threads/count") return [200, 1 - listed.length];
      if (path === "/threads/search") return [200, listed];
      if (path.endsWith("/search")) return [200, path.startsWith("/store") ? { items: [] } : []];
      return before ? [200, []] : answer(path);
    });
    const writer = await BackupWriter.open(place, { isUpdated: true });
    const result: BackupResult = await backUp({
      ...{ server, writer, about: { url: "https://agent.example/", language: "python" }, busyTries: 2 },
      ...{ sleep: async () => undefined, now: () => 0, onProgress: () => undefined },
    });
    await writer.close();
    return { ...result, latest: writer.find("t")?.latest };
  }
  const denied = (status: number) => (path: string) =>
    [path === "/threads/t" ? status : 404, { thread_id: "t", detail: "Graph 'gone' not found." }] as Answer;

  it("names a thread that exists and whose state the server does not find, because it lacks the graph", async () => {
    const missing = [{ id: "t", reason: expect.stringContaining("Graph 'gone'") }];
    expect(await backUpThread(denied(200))).toMatchObject({ expired: 0, missing });
  });

  it("contains a thread that a proxy did not find for some seconds", async () => {
    const rest: Answer[] = [[404], [404], [404]];
    const answer = (path: string): Answer =>
      rest.pop() ?? [200, path === "/threads/t" ? { thread_id: "t", status: "idle" } : [state("c1")]];
    expect(await backUpThread(answer)).toMatchObject({ missing: [], expired: 0, latest: "c1" });
  });

  it("is refused if no thread is listed, and made if one is, whatever the server counts", async () => {
    const found = (): Answer => [200, [state("c1")]];
    await expect(backUpThread(found, undefined, [])).rejects.toThrow("shows no thread to this API key");
    expect(await backUpThread(found)).toMatchObject({ missing: [], latest: "c1" });
  });

  it("reads a thread to which a run writes since the list when that has ended, and says when it is gone", async () => {
    const statuses = ["idle", "busy"];
    const place = new Folder(createFolder());
    const answer = (path: string): Answer => {
      if (path === "/threads/t") return [200, { thread_id: "t", status: statuses.pop(), metadata: {} }];
      return [200, [statuses.length > 0 ? state("c1", { next: ["agent"] }) : state("c2")]];
    };
    expect(await backUpThread(answer, place)).toMatchObject({ missing: [], latest: "c2", removed: 0 });
    const gone = await backUpThread(denied(404), place);
    expect(gone).toMatchObject({ missing: [], expired: 1, removed: 1 });
    expect(formatBackup(gone, "folder")).toContain("1 thread of an earlier run is no longer listed.\n");
  });
});

describe("the language of a server", () => {
  const open = async (...answers: Answer[]) => {
    const probe: Probe = async () => {
      const [status, json] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [500];
      return { status, json };
    };
    const { about } = await openConversations({ url: "https://agent.example", probe }, new TestClock());
    return about.language;
  };

  it("is what it says, also after it was busy, and Python where it lacks the route", async () => {
    expect(await open([503], [429, {}], [200, { version: "1", context: "js" }])).toBe("javascript");
    expect(await open([200, { version: "1" }])).toBe("python");
    expect(await open([404, { detail: "Not Found" }])).toBe("python");
  });

  it.each([[503], [500], [404], [400], [200]])("is unknown after %i without an answer", async (status) => {
    await expect(open([status])).rejects.toThrow(`does not say what it runs (GET /info: ${status})`);
  });
});

describe("a list", () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const page = <T>(items: T[], { limit, offset }: Body) => items.slice(offset, offset + limit);
  const itemsOf = (count: number) => numbers(count).map((n) => ({ namespace: ["n"], key: `${n}`, value: {} }));

  it("has all versions of an assistant, oldest first", async () => {
    const versions = numbers(2000).map((version) => ({ version }));
    // Servers in JavaScript have no empty page.
    const { server } = serve((_, body) => (body.offset < 2000 ? [200, page(versions.toReversed(), body)] : [404]));
    expect(await readVersions(server, "a")).toEqual(versions);
  });

  it("has a stored item that becomes the newest one while the list is read", async () => {
    const items = itemsOf(1500);
    const { server } = serve((_, body) => {
      const found = page(items, body);
      if (body.offset === 0) items.unshift(...items.splice(1200, 1));
      return [200, { items: found }];
    });
    expect(new Set((await all(readItems(server))).map(({ key }) => key)).size).toBe(1500);
  });

  const tooLarge = (): never => {
    throw new HttpError({ method: "POST", path: "/", status: 200, detail: "it is too large" });
  };
  // Seen on agent servers of others: 100 items at most, whatever is requested; a larger limit is 422; no pages.
  it.each<[string, (body: Body) => number | Answer]>([
    ["returns at most 7 items", () => 7],
    ["rejects a larger limit", ({ limit }) => (limit > 100 ? [422] : limit)],
    ["has no room for a larger page", ({ limit }) => (limit > 7 ? tooLarge() : limit)],
    ["has no pages", (body) => Object.assign(body, { offset: 0, limit: 1000 }).limit],
  ])("is whole on a server that %s", async (_what, limitOf) => {
    const listed = numbers(230).map((n) => ({ thread_id: `${n}`, cron_id: `${n}` }));
    const { server } = serve((path, body) => {
      const limit = limitOf(body);
      if (typeof limit !== "number") return limit;
      const shown = page<object>(path.startsWith("/store") ? itemsOf(230) : listed, { ...body, limit });
      return [200, path.startsWith("/store") ? { items: shown } : shown];
    });
    expect(await all(readItems(server))).toEqual(itemsOf(230));
    expect(await all(readCrons(server))).toHaveLength(230);
    expect(await all(listThreads(server))).toHaveLength(230);
  });

  it.each([1000, 100])("that a server without pages cuts off after %i is an error", async (most) => {
    const listed = numbers(most).map((n) => ({ thread_id: `${n}` }));
    const { server } = serve((_, { limit }) => [200, listed.slice(0, limit)]);
    await expect(all(listThreads(server))).rejects.toThrow(`/threads/search repeats its first ${most} items`);
  });

  it("has the first checkpoint of a thread, also from a server whose pages are short", async () => {
    const { server } = serve((_, { before }) => {
      const next = Number(Object(before).configurable?.checkpoint_id ?? 10) - 1;
      return [200, next < 0 ? [] : [state(`${next}`, next > 0 ? { parent_checkpoint: { checkpoint_id: "" } } : {})]];
    });
    expect(await server.readHistory("t")).toHaveLength(10);
  });

  it("that is a page of something else ends with an error that says so", async () => {
    const { server } = serve(() => [200, "<html>login</html>"]);
    expect(await server.readCount()).toBeUndefined();
    await expect(server.readHistory("t")).rejects.toThrow("returned something else than a list for the history");
    await expect(all(readItems(server))).rejects.toThrow("returned something else than a list");
  });
});

it.each([false, true])("A cron that no response names is found beside an equal one (killed: %j)", async (killed) => {
  const cron: SavedCron = { cron_id: "old", schedule: "0 5 1 1 *", payload: { input: {} }, enabled: true };
  const held = ["foreign"];
  const { server, requests } = serve((path) => {
    if (path.endsWith("/search")) return [200, held.map((id) => ({ ...cron, cron_id: id, enabled: false }))];
    if (path === "/runs/crons") held.push("new");
    return [200, ""];
  });
  const place = new Folder(createFolder());
  const unlessRejected = <T>(_what: string, work: () => Promise<T>) => work();
  const restore = async (agent: ConversationServer) => {
    const journal = await Journal.open(place, "http://localhost:1/");
    const target = { target: agent, journal, note: () => undefined, targetFor: () => agent, unlessRejected };
    const crons = async function* () {
      yield cron;
    };
    return writeCrons(crons(), target).finally(() => journal.close());
  };
  const { server: lost } = serve((path) => {
    if (path.endsWith("/search")) return [200, [{ ...cron, cron_id: "foreign", enabled: false }]];
    throw new HttpError({ method: "POST", path, detail: "the response was lost" });
  });
  if (killed) {
    await expect(restore(lost)).rejects.toThrow("lost");
    held.push("new");
  }
  expect(await restore(server)).toBe(1);
  // Each list ends with a page that shows nothing new.
  const [list, create] = [Array(2).fill("POST /runs/crons/search"), "POST /runs/crons"];
  expect(requests).toEqual([...list, ...(killed ? [] : [create, ...list]), "PATCH /runs/crons/new"]);
});

it("A thread of an interrupted restore is its own, although the server drops keys of its metadata", async () => {
  const { server, requests } = serve((path) => [200, path === "/threads/t" ? { metadata: { owner: "ann" } } : []]);
  const thread = { thread_id: "t", metadata: { owner: "ann", cron_id: "c" } };
  expect(await removeOwn({ thread }, server)).toBeUndefined();
  expect(requests.at(-1)).toBe("DELETE /threads/t");
});

it("The memory of a subgraph that only newer threads have is read where the server names no subgraphs", async () => {
  const { server } = serve((path, { before, checkpoint }) => {
    if (path === "/assistants/search") return [200, [{ assistant_id: "a" }]];
    const isEmpty = before || Object(checkpoint).checkpoint_ns === "old";
    const states = isEmpty ? [] : [state("c", { tasks: [{ name: path.split("/")[2] }] })];
    return path.endsWith("/history") ? [200, states] : [500];
  });
  const graphs = new Graphs(server);
  const read = (id: string) => readConversation({ thread_id: id, metadata: { graph_id: "g" } }, server, graphs);
  for (let count = 0; count < 30; count++) expect((await read("old")).children).toEqual([]);
  expect((await read("inner")).children).toMatchObject([{ namespace: "inner" }]);
});

it("A graph that a server did not show for a moment is asked for again for the next thread", async () => {
  const statuses = [503, 503, 503, 503, 503, 200, ...[503, 503, 503, 503, 503]];
  const { server } = serve((path) => [
    statuses.shift() ?? 200,
    path.endsWith("/search") ? [{ assistant_id: "a" }] : { inner: {} },
  ]);
  const graphs = new Graphs(server);
  await expect(graphs.has("g")).rejects.toThrow("503");
  await expect(graphs.subgraphsOf("g")).rejects.toThrow("503");
  expect(await graphs.subgraphsOf("g")).toEqual(["inner"]);
});
