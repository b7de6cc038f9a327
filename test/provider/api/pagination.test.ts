/** Reads paged lists to their end, from servers with different paging behavior. */
import fc from "fast-check";
import {
  collectAll,
  collectAvailable,
  findFirst,
  IncompleteListError,
  nextOffset,
  PAGE_SIZE,
  type Page,
  type PageSource,
  paginate,
} from "../../../provider/api/pagination";
import { failureOf } from "../../support/errors";

type Item = { id?: string };
const LIMIT = 10;
const numbered = (count: number): Item[] => Array.from({ length: count }, (_, number) => ({ id: `i-${number}` }));

/** A paged list with the responses by offset, and the offsets that were requested. */
function startList(respond: (offset: number) => Page<Item> | Item[] | undefined) {
  const offsets: number[] = [];
  const source: PageSource<Item, number> = {
    ...{ noun: "things", limit: LIMIT },
    read: async (offset = 0) => {
      offsets.push(offset);
      const page = respond(offset);
      return Array.isArray(page) ? { items: page, next: nextOffset(offset, page.length) } : page;
    },
  };
  return { pages: () => paginate(source), offsets };
}
const incompleteMessageOf = async (list: ReturnType<typeof startList>) => {
  const error = await failureOf(collectAll(list.pages()));
  expect(error).toBeInstanceOf(IncompleteListError);
  return error.message;
};

describe("A paged list", () => {
  it("may have any number of items in one page, as of a server without paging", async () => {
    const items = numbered(300_000);
    const { pages } = startList((offset) => (offset === 0 ? items : []));
    expect(await collectAll(pages())).toHaveLength(300_000);
    const { pages: again } = startList((offset) => (offset === 0 ? items : []));
    expect((await collectAvailable(again(), () => false)).items).toHaveLength(300_000);
  });

  // @covers 4.list-end
  it("ends with an empty page, not with one that is shorter than the limit", async () => {
    const items = numbered(45);
    const list = startList((offset) => items.slice(offset, offset + 7));
    expect(await collectAll(list.pages())).toEqual(items);
    expect(list.offsets).toEqual([0, 7, 14, 21, 28, 35, 42, 45]);
  });

  it("ends where the server reports the end", async () => {
    const list = startList(() => ({ items: numbered(3), next: undefined }));
    expect(await collectAll(list.pages())).toEqual(numbered(3));
    expect(list.offsets).toEqual([0]);
  });

  it("is read to its end whatever the page sizes, without duplicates", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: LIMIT }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.nat(60), sizes, async (count, turns) => {
        const items = numbered(count);
        let turn = 0;
        // A new item at the top shifts the list while it is read, so one item is listed twice.
        const list = startList((offset) =>
          items.slice(Math.max(0, offset - 1), offset + (turns[turn++ % turns.length] ?? 1)),
        );
        expect(await collectAll(list.pages())).toEqual(items);
      }),
    );
  });

  it("is read no further than to the requested item", async () => {
    const items = numbered(45);
    const list = startList((offset) => items.slice(offset, offset + 7));
    expect(await findFirst(list.pages(), ({ id }) => id === "i-8")).toEqual({ id: "i-8" });
    expect(await collectAll(list.pages(), (all) => all.length >= 14)).toHaveLength(14);
    expect(list.offsets).toEqual([0, 7, 0, 7]);
  });
});

describe("A server without paging", () => {
  it.each<[string, (offset: number) => Item[] | undefined]>([
    ["ignores the offset", () => numbered(5)],
    ["rejects a second page", (offset) => (offset === 0 ? numbered(5) : undefined)],
    ["ignores offset and limit", () => numbered(LIMIT + 5)],
  ])("that %s returns everything in one page, without confirming the end", async (_what, respond) => {
    const list = startList(respond);
    const pages = list.pages();
    expect((await pages.next()).value).toEqual(respond(0));
    expect(await pages.next()).toEqual({ done: true, value: false });
    expect(list.offsets).toHaveLength(2);
  });

  it("confirms the end with an empty page", async () => {
    const pages = startList((offset) => (offset === 0 ? numbered(2) : [])).pages();
    await pages.next();
    expect(await pages.next()).toEqual({ done: true, value: true });
  });

  it.each<[string, (offset: number) => Item[] | undefined, number, string]>([
    ["ignores the offset", () => numbered(LIMIT), LIMIT, "returned the first page again"],
    ["rejects a second page", (at) => (at > 0 ? undefined : numbered(LIMIT)), LIMIT, "rejected the next page"],
    ["has pages of its own size", () => numbered(PAGE_SIZE), PAGE_SIZE, "returned the first page again"],
  ])("that %s may have more items than a full page", async (_what, respond, count, why) => {
    const list = startList(respond);
    expect(await incompleteMessageOf(list)).toBe(
      `Could not list all things: after ${count} of them the server ${why}. Does it support paging?`,
    );
    expect(list.offsets).toHaveLength(2);
  });
});

describe("A list without an end", () => {
  const [a, b] = [numbered(14).slice(0, 7), numbered(14).slice(7)];

  it("that alternates between two pages is an error after the third", async () => {
    let requests = 0;
    const list = startList(() => (requests++ % 2 === 0 ? a : b));
    expect(await incompleteMessageOf(list)).toContain("after 14 of them the server returned the first page again");
    expect(list.offsets).toHaveLength(3);
  });

  it("that repeats a later page is an error after five requests", async () => {
    const list = startList((offset) => (offset === 0 ? a : b));
    expect(await incompleteMessageOf(list)).toContain("after 14 of them the server repeated its pages");
    expect(list.offsets).toHaveLength(5);
  });

  it("that always returns new items is an error after a thousand pages", async () => {
    const list = startList((offset) => [{ id: `new-${offset}` }]);
    expect(await incompleteMessageOf(list)).toContain(
      "after 1000 of them the server still returned more after 1000 pages",
    );
    expect(list.offsets).toHaveLength(1000);
  });

  it("that alternates between two cursors is an error, even if its items have no ID", async () => {
    let requests = 0;
    const read = async (cursor?: string) => {
      requests += 1;
      return { items: [{}], next: cursor === "a" ? "b" : "a" };
    };
    const pages = paginate<Item, string>({ noun: "lines", limit: LIMIT, read, hint: (count) => `Set ${count}.` });
    const { message } = await failureOf(collectAll(pages));
    expect(message).toBe("Could not list all lines: after 3 of them the server repeated its pages. Set 3.");
    expect(requests).toBe(3);
  });

  it("that returns new cursors without new items ends", async () => {
    let requests = 0;
    const read = async () => ({ items: requests++ === 0 ? [{ id: "1" }] : [], next: `cursor-${requests}` });
    const pages = paginate<Item, string>({ noun: "lines", limit: LIMIT, read });
    expect(await collectAll(pages)).toEqual([{ id: "1" }]);
    expect(requests).toBe(4);
  });
});

it.each<[number | null | undefined, number]>([
  [7, 7],
  [9, 9],
  ...[5, 0, -1, null, undefined, Number.NaN, 1e308].map((offset): [typeof offset, number] => [offset, 7]),
])("nextOffset, after two items from offset 5 and with the server's offset %s, is %s", (serverOffset, next) => {
  expect(nextOffset(5, 2, serverOffset)).toBe(next);
});
