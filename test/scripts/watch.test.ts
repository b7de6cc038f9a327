/** `npm run watch` without a registry: what is read from sources, and what the project says of it. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../emulator/test/support/folder";
import { readFacts } from "../../scripts/docs/platform-api";
import { readInventory, readPackages } from "../../scripts/watch/inventory";
import { javascriptItems } from "../../scripts/watch/javascript-items";
import { openApiItems } from "../../scripts/watch/openapi-items";
import { changesBetween, toTable, unknownIn } from "../../scripts/watch/report";
import { judgeBy, readJudge, readKnown } from "../../scripts/watch/verdict";
import { ROOT } from "../docs/support/markdown";

const folder = newFolder();

const pythonItems = (file: string, text: string) => {
  writeFileSync(join(folder, file), text);
  const script = join(ROOT, "scripts/watch/python-items.py");
  return JSON.parse(spawnSync("python3", [script, folder, file], { encoding: "utf8" }).stdout);
};

it("a Python client is read without being imported: paths, keys, values, headers and variables", () => {
  const items = pythonItems(
    "client.py",
    [
      "raise SystemExit('imported')",
      ...["class Body(TypedDict):\n    graph_id: str\n    mode: Literal['all', 'some']", "def call(thread, body):"],
      ...["    body['ttl'] = 1", "    headers = {'X-Tenant-Id': os.environ['LANGSMITH_TENANT_ID']}"],
      "    return send(f'/threads/{thread.id}/copy?limit={body}', json={'if_exists': 'raise'}, headers=headers)",
    ].join("\n"),
  );
  expect(items).toEqual([
    "header x-tenant-id",
    ...["key X-Tenant-Id", "key graph_id", "key if_exists", "key mode", "key ttl"],
    "path /threads/{}/copy",
    ...["value all", "value some", "variable LANGSMITH_TENANT_ID"],
  ]);
});

it("a JavaScript server and its types are read: routes, keys of schemas, and enumerated values", () => {
  writeFileSync(
    join(folder, "server.mjs"),
    [
      'api.post("/threads/:thread_id/copy", handler);',
      'const Thread = z.object({ thread_id: z.string(), status: z.enum(["idle", "busy"]) });',
      "const path = `/runs/" + "$" + "{id}`;",
    ].join("\n"),
  );
  writeFileSync(join(folder, "schema.d.ts"), 'interface Cron { cron_id: string; order: "asc" | "desc" }');
  expect(javascriptItems(folder, ["server.mjs", "schema.d.ts"])).toEqual([
    ...["key cron_id", "key order", "key status", "key thread_id", "path /runs/{}", "route POST /threads/{}/copy"],
    ...["value asc", "value busy", "value desc", "value idle"],
  ]);
});

it("a description is read: routes, query parameters, fields of objects and bodies, and values", () => {
  const schema = { properties: { ttl: { anyOf: [{ properties: { strategy: { enum: ["delete"] } } }] } } };
  const get = { parameters: [{ name: "include", in: "query" }] };
  const post = { requestBody: { content: { "application/json": { schema } } } };
  const description = { paths: { "/threads/{id}": { get, post } }, components: { schemas: { Thread: schema } } };
  expect(openApiItems(description)).toEqual([
    ...["field POST /threads/{}.ttl", "field POST /threads/{}.ttl.strategy"],
    ...["field Thread.ttl", "field Thread.ttl.strategy", "query GET /threads/{} include"],
    ...["route GET /threads/{}", "route POST /threads/{}"],
    ...["value POST /threads/{}.ttl.strategy=delete", "value Thread.ttl.strategy=delete"],
  ]);
});

const fact = (id: string, text: string) => ({ id, text, certainty: "described" as const, file: "page.md" });
const facts = [fact("4B.GET /threads/{thread_id}", "Returns it"), fact("2B.Thread.ttl", "The TTL")];
const known = [
  { items: "path /store/.*", reason: "No resource stores items." },
  { items: "key .*", reason: "Options of a command.", onlyListed: true },
];

it("what came is a fact, known and not used, or unknown; what went is shown, and only the unknown fails", () => {
  const before = { name: "client", version: "1", items: ["key old", "key kept"] };
  const items = ["key kept", "key new", "path /store/items", "path /threads/{}", "path /agents"];
  const changes = changesBetween(before, { name: "client", version: "2", items }, judgeBy(facts, known), false);
  expect(toTable(changes).split("\n").slice(2)).toEqual([
    "| client | `key new` | new | **unknown** |",
    "| client | `path /store/items` | new | known and not used: No resource stores items. |",
    "| client | `path /threads/{}` | new | known as fact `4B.GET /threads/{thread_id}` |",
    "| client | `path /agents` | new | **unknown** |",
    "| client | `key old` | gone | known and not used: Options of a command. |",
  ]);
  expect(unknownIn(changes).map(({ item }) => item)).toEqual(["key new", "path /agents"]);
});

it("a fact or a reason explains every item of the inventory, and each entry of known.json explains one", () => {
  const judge = readJudge(ROOT);
  const listed = readPackages(ROOT).map(({ name }) => readInventory(ROOT, name));
  const unexplained = listed.flatMap(({ name, items }) =>
    items.filter((item) => judge(item, name, true).status === "unknown").map((item) => `${name}: ${item}`),
  );
  expect(unexplained).toEqual([]);
  const all = listed.flatMap(({ items }) => items);
  const unused = readKnown(ROOT).filter(({ items }) => !all.some((item) => new RegExp(`^(?:${items})$`).test(item)));
  expect(unused).toEqual([]);
});

it("known.json names facts that exist", () => {
  const ids = readFacts(ROOT).map(({ id }) => id);
  expect(readKnown(ROOT).filter(({ fact: id }) => id !== undefined && !ids.includes(id))).toEqual([]);
});
