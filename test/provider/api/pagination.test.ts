/** Lists that come in pages: read to their end, from servers of every kind. */
import fc from "fast-check";
import {
  collectAll,
  findFirst,
  IncompleteListError,
  nextOffset,
  type Page,
  type PageSource,
  paginate,
} from "../../../provider/api/pagination";
import { failureOf } from "../../support/errors";

type Item = { id?: string };
const LIMIT = 10;
const numbered = (count: number): Item[] => Array.from({ length: count }, (_, number) => ({ id: `i-${number}` }));

/** A list of a server that answers each offset in this way, and how often it was asked. */
function served(answer: (offset: number) => Page<Item> | Item[] | undefined) {
  const offsets: number[] = [];
  const source: PageSource<Item, number> = {
    ...{ what: "things", limit: LIMIT },
    read: async (offset = 0) => {
      offsets.push(offset);
      const page = answer(offset);
      return Array.isArray(page) ? { items: page, next: nextOffset(offset, page.length) } : page;
    },
  };
  return { pages: () => paginate(source), offsets };
}
const refusalOf = async (list: ReturnType<typeof served>) => {
  const error = await failureOf(collectAll(list.pages()));
  expect(error).toBeInstanceOf(IncompleteListError);
  return error.message;
};

describe("a list", () => {
  it("ends with an empty page, and not with one that is shorter than the limit", async () => {
    const items = numbered(45);
    const list = served((offset) => items.slice(offset, offset + 7));
    expect(await collectAll(list.pages())).toEqual(items);
    expect(list.offsets).toEqual([0, 7, 14, 21, 28, 35, 42, 45]);
  });

  it("without an item costs one request", async () => {
    const list = served(() => []);
    expect(await collectAll(list.pages())).toEqual([]);
    expect(list.offsets).toEqual([0]);
  });

  it("ends where the server says so", async () => {
    const list = served(() => ({ items: numbered(3), next: undefined }));
    expect(await collectAll(list.pages())).toEqual(numbered(3));
    expect(list.offsets).toEqual([0]);
  });

  it("is read to its end whatever the sizes of its pages are, and each item counts once", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: LIMIT }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.nat(60), sizes, async (count, turns) => {
        const items = numbered(count);
        let turn = 0;
        // As when something new comes to the top while the list is read: an item is listed a second time.
        const list = served((offset) =>
          items.slice(Math.max(0, offset - 1), offset + (turns[turn++ % turns.length] ?? 1)),
        );
        expect(await collectAll(list.pages())).toEqual(items);
      }),
    );
  });

  it("is read no further than to what is sought", async () => {
    const items = numbered(45);
    const list = served((offset) => items.slice(offset, offset + 7));
    expect(await findFirst(list.pages(), ({ id }) => id === "i-8")).toEqual({ id: "i-8" });
    expect(await collectAll(list.pages(), (all) => all.length >= 14)).toHaveLength(14);
    expect(list.offsets).toEqual([0, 7, 0, 7]);
  });
});

describe("a server that does not page", () => {
  it.each<[string, (offset: number) => Item[] | undefined]>([
    ["ignores the offset", () => numbered(5)],
    ["refuses a second page", (offset) => (offset === 0 ? numbered(5) : undefined)],
    ["ignores offset and limit", () => numbered(LIMIT + 5)],
  ])("and %s has shown all with its first page, but did not say that this is the end", async (_what, answer) => {
    const list = served(answer);
    const pages = list.pages();
    const first = await pages.next();
    expect(first.value).toEqual(answer(0));
    expect(await pages.next()).toEqual({ done: true, value: false });
    expect(list.offsets).toHaveLength(2);
  });

  it("says that a list has ended where it does", async () => {
    const pages = served((offset) => (offset === 0 ? numbered(2) : [])).pages();
    await pages.next();
    expect(await pages.next()).toEqual({ done: true, value: true });
  });

  it.each<[string, (offset: number) => Item[] | undefined, string]>([
    ["ignores the offset", () => numbered(LIMIT), "returned the first page again"],
    ["refuses a second page", (offset) => (offset === 0 ? numbered(LIMIT) : undefined), "rejected the next page"],
  ])("and %s may have more than a full page", async (_what, answer, why) => {
    const list = served(answer);
    expect(await refusalOf(list)).toBe(
      `Could not list all things: after 10 of them the server ${why}. Does it support paging?`,
    );
    expect(list.offsets).toHaveLength(2);
  });
});

describe("a list without an end", () => {
  const [a, b] = [numbered(14).slice(0, 7), numbered(14).slice(7)];

  it("of two pages in turn is an error after the third", async () => {
    let asked = 0;
    const list = served(() => (asked++ % 2 === 0 ? a : b));
    expect(await refusalOf(list)).toContain("after 14 of them the server returned the first page again");
    expect(list.offsets).toHaveLength(3);
  });

  it("that repeats a later page is an error soon", async () => {
    const list = served((offset) => (offset === 0 ? a : b));
    expect(await refusalOf(list)).toContain("after 14 of them the server repeated its pages");
    expect(list.offsets).toHaveLength(5);
  });

  it("of new items is an error after a thousand pages", async () => {
    const list = served((offset) => [{ id: `new-${offset}` }]);
    expect(await refusalOf(list)).toContain("after 1000 of them the server still returned more after 1000 pages");
    expect(list.offsets).toHaveLength(1000);
  });

  it("of cursors in turn is an error, also where its items have no ID", async () => {
    let requests = 0;
    const read = async (cursor?: string) => {
      requests += 1;
      return { items: [{}], next: cursor === "a" ? "b" : "a" };
    };
    const pages = paginate<Item, string>({ what: "lines", limit: LIMIT, read, hint: (count) => `Set ${count}.` });
    const { message } = await failureOf(collectAll(pages));
    expect(message).toBe("Could not list all lines: after 3 of them the server repeated its pages. Set 3.");
    expect(requests).toBe(3);
  });

  it("whose cursor moves on although nothing comes any more ends", async () => {
    let requests = 0;
    const read = async () => ({ items: requests++ === 0 ? [{ id: "1" }] : [], next: `cursor-${requests}` });
    const pages = paginate<Item, string>({ what: "lines", limit: LIMIT, read });
    expect(await collectAll(pages)).toEqual([{ id: "1" }]);
    expect(requests).toBe(4);
  });
});

it.each<[number | null | undefined, number]>([
  [7, 7],
  [9, 9],
  ...[5, 0, -1, null, undefined, Number.NaN, 1e308].map((told): [typeof told, number] => [told, 7]),
])("after two items from offset 5, an answer's offset of %s leads to %s", (told, next) => {
  expect(nextOffset(5, 2, told)).toBe(next);
});
