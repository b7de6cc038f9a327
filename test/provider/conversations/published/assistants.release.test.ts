/** Assistants that are moved between two published servers: each version is the same. */
import { newFolder } from "../../../../emulator/test/support/folder";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { outputOf } from "../../../cli/support/command";
import { type PublishedServer, SERVERS, startPublished } from "../../../support/agent-servers/published";

const GRAPH = { graph_id: "steps" };
const [A, B] = [{ model: "a" }, { model: "b", depth: 1.5 }];
const EMPTY = { context: {}, config: { configurable: {} } };

/** What creates an assistant, and then changes it; a number makes that version current. */
const HISTORIES: Readonly<Record<string, readonly [PropertyMap, ...(PropertyMap | number)[]]>> = {
  "without content": [{}, { name: "two" }, {}],
  "whose context is removed": [{ context: A, config: { tags: ["one"] } }, EMPTY, { context: B }, EMPTY],
  "whose context alone is emptied": [{ context: A }, { context: {} }, { name: "three" }, { context: B }],
  "whose configuration is removed": [
    { config: { tags: ["one"], recursion_limit: 5 } },
    { config: { configurable: {} } },
    { config: { recursion_limit: 7 } },
    { config: {} },
  ],
  "of which either changes alone": [
    { config: { tags: ["one"], configurable: A } },
    { config: { tags: ["two"] } },
    { context: B },
    { config: { configurable: A } },
    { config: { tags: ["three"] }, context: A },
  ],
  "with a name, a description and metadata": [
    { name: "one", description: "first", metadata: { team: "a" } },
    { name: "", metadata: { nested: { b: [1, null] } } },
    { description: "", metadata: { team: null } },
  ],
  "that is changed after a return to an older version": [
    { name: "one", context: A, metadata: { first: true } },
    { name: "two", config: { tags: ["two"] }, context: B, metadata: { second: true } },
    1,
    { name: "three" },
    { context: A },
    2,
    { description: "five" },
    1,
  ],
};
/** What a server in Python rejects. */
const OF_JAVASCRIPT: typeof HISTORIES = {
  "whose configuration equals its context": [
    { context: A, config: { configurable: A } },
    { context: A, config: { configurable: A, tags: ["two"] } },
    { context: {} },
    { context: A },
  ],
  "whose configuration differs from its context": [{ context: A, config: { configurable: B } }, { config: {} }],
};

/** What an assistant and its versions have in common. */
const contentOf = ({ created_at: _, updated_at: __, ...content }: PropertyMap) => content;

describe.each(SERVERS)("assistants of the published server in %s", (kind) => {
  let servers: PublishedServer[] = [];
  let folder = "";
  const command = (...args: string[]) => outputOf({ args, cwd: folder });

  beforeAll(async () => {
    folder = newFolder();
    servers = await Promise.all([1, 2].map(() => startPublished(kind, "conversations")));
  }, 300_000);
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  async function read(server: PublishedServer, id: string) {
    const { body: current } = await server.call("GET", `/assistants/${id}`);
    const { body } = await server.call<PropertyMap[]>("POST", `/assistants/${id}/versions`, { limit: 100 });
    return { current: contentOf(current), versions: body.map(contentOf) };
  }

  test("have the same versions after they were restored", async () => {
    const [source, target] = servers as [PublishedServer, PublishedServer];
    const ids = new Map<string, string>();
    for (const [name, [first, ...changes]] of Object.entries({
      ...HISTORIES,
      ...(kind === "javascript" && OF_JAVASCRIPT),
    })) {
      const { body } = await source.call<{ assistant_id: string }>("POST", "/assistants", { ...GRAPH, ...first });
      const path = `/assistants/${body.assistant_id}`;
      for (const change of changes) {
        const [method, route, of] =
          typeof change === "number" ? ["POST", `${path}/latest`, { version: change }] : ["PATCH", path, change];
        expect(await source.call(method as string, route as string, of)).toMatchObject({ status: 200 });
      }
      ids.set(name, body.assistant_id);
    }
    await command("backup", "--url", source.url, "--to", "backup", "--empty-is-right");
    const stdout = await command("restore", "--from", "backup", "--url", target.url, "--json");
    for (const [name, id] of ids) expect([name, await read(target, id)]).toEqual([name, await read(source, id)]);
    expect(JSON.parse(stdout)).toMatchObject({ assistants: ids.size, notes: [] });
  }, 300_000);
});
