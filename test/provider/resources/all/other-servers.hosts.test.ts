/**
 * Agent servers of others, as their published sources show them (aegra-api 0.11.0, langrove 0.3.0, November 2026): they
 * replace metadata, ignore supersteps, filters and large limits, name no new cron, and return no single one.
 */
import { randomUUID } from "node:crypto";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { failureOf } from "../../../support/errors";
import { numberedId } from "../../../support/servers/agent-client";
import { json, TestServer } from "../../../support/servers/server";
import { expectClean, Stack } from "../../../support/stack";
import { TestClock } from "../../../support/time/clock";

const ROUTE = /^\/(threads|assistants|runs\/crons)(?:\/([\w-]+))?(\/\w+)?(?:\?.*)?$/;
const idKeyOf = (path: string) => (path === "runs/crons" ? "cron_id" : `${path.slice(0, -1)}_id`);

/** Starts such a server. @param onPatch Called before a change. @returns It, and the objects that it has, by ID. */
async function startServer(onPatch = (_found: PropertyMap, _body: PropertyMap): void => undefined) {
  const objects = new Map<string, PropertyMap>();
  const answer = ({ method, url, body: text }: { method: string; url: string; body: string }) => {
    const [, path, id = "", more] = ROUTE.exec(url) ?? [];
    const body = text === "" ? {} : JSON.parse(text);
    if (path === undefined) return json(200, { ok: true, flags: { crons: true } });
    if (id === "search") return body.limit > 100 ? json(422, {}) : json(200, listed(path, body));
    if (more !== undefined) return json(200, more === "/history" ? [] : { values: {} });
    if (method === "POST") return create(path, body);
    const found = objects.get(id);
    if (method === "GET" && path === "runs/crons") return json(405, {}, { allow: "DELETE, PATCH" });
    if (!found) return json(404, { detail: "not found" });
    if (method === "DELETE") objects.delete(id);
    if (method === "PATCH") onPatch(found, body);
    if (method === "PATCH") objects.set(id, { ...found, ...body, ...(path === "assistants" && mirrored(found, body)) });
    return json(200, objects.get(id) ?? { status: "deleted" });
  };
  const listed = (path: string, { offset = 0, limit }: { offset?: number; limit: number }) =>
    [...objects.values()].filter((one) => idKeyOf(path) in one).slice(offset, offset + limit);
  const create = (path: string, { supersteps: _, ...body }: PropertyMap) => {
    const id = String(body[idKeyOf(path)] ?? randomUUID());
    objects.set(id, { ...body, ...(path === "runs/crons" && { payload: body }), [idKeyOf(path)]: id });
    return json(200, path === "runs/crons" ? { run_id: randomUUID() } : objects.get(id));
  };
  const server = await TestServer.start([
    (...call) => answer(server.requests.at(-1) ?? { method: "", url: "", body: "" })(...call),
  ]);
  return { url: server.url.href, objects };
}

/** What becomes of the two places of the settings: a context in the request wins, also an empty one. */
function mirrored(found: PropertyMap, body: PropertyMap): PropertyMap {
  const { context, config } = body;
  if (context) return { config: { ...Object(config ?? found.config), configurable: context } };
  return config ? { context: Object(config).configurable ?? {} } : {};
}

const DECLARED: [kind: string, declared: PropertyMap][] = [
  ["Thread", {}],
  ["Assistant", { graphId: "agent", name: "support" }],
  ["Cron", { assistantId: numberedId(1), schedule: "0 3 * * *" }],
];

describe.each(DECLARED)("On an agent server of others, a resource of the type %s", (kind, declared) => {
  it("is created, changed, read and deleted, and keeps the metadata that a change does not name", async () => {
    const { url, objects } = await startServer();
    const stack = new Stack({ clock: new TestClock(), url }, { kind });
    const metadata = { a: { team: "a", kept: true, removed: 1 }, b: { team: "b", kept: true } };
    const inputs = (team: "a" | "b") => ({ ...declared, deploymentUrl: url, metadata: metadata[team] });
    const { id } = await stack.stateAfter(inputs("a"));
    await expectClean(stack, inputs("a"));
    objects.set(id, { ...objects.get(id), metadata: { ...Object(objects.get(id)).metadata, theirs: 1 } });
    expect(await stack.up(inputs("b"))).toBe("update");
    expect(objects.get(id)?.metadata).toMatchObject({ ...metadata.b, theirs: 1 });
    expect(objects.get(id)?.metadata).not.toHaveProperty("removed");
    await expectClean(stack, inputs("b"));
    objects.clear();
    expect(await stack.refresh()).toBe("gone");
    await stack.up(inputs("b"));
    await stack.destroy();
    expect(objects.size).toBe(0);
  });
});

it("An assistant has a changed configurable, and then none, where an empty context empties it", async () => {
  const { url, objects } = await startServer();
  const stack = new Stack({ clock: new TestClock(), url }, { kind: "Assistant" });
  const inputs = (settings: PropertyMap) => ({ deploymentUrl: url, graphId: "agent", name: "support", ...settings });
  const { id } = await stack.stateAfter(inputs({ config: { configurable: { prefix: "a" } } }));
  const found = () => [Object(objects.get(id)?.config).configurable, objects.get(id)?.context];
  for (const prefix of ["b", "c"]) {
    await stack.up(inputs({ config: { configurable: { prefix } } }));
    expect(found()).toEqual([{ prefix }, { prefix }]);
  }
  await stack.up(inputs({ context: { prefix: "d" } }));
  expect(found()).toEqual([{ prefix: "d" }, { prefix: "d" }]);
  await stack.up(inputs({}));
  expect(found()).toEqual([{}, {}]);
});

it.each(DECLARED)(
  "A key that others remove while a %s is changed stays removed if the server merges",
  async (kind, rest) => {
    const { url, objects } = await startServer((found, body) => {
      const { theirs: _, ...others } = Object(found.metadata);
      // As the published servers do.
      if (body.metadata) body.metadata = { ...others, ...Object(body.metadata) };
      else found.metadata = others;
    });
    const stack = new Stack({ clock: new TestClock(), url }, { kind });
    const inputs = (team: string) => ({ ...rest, deploymentUrl: url, metadata: { team } });
    const { id } = await stack.stateAfter(inputs("a"));
    const metadata = Object(objects.get(id)?.metadata);
    metadata.theirs = 1;
    await stack.up(inputs("b"));
    expect(objects.get(id)?.metadata).toEqual({ ...metadata, team: "b", theirs: undefined });
  },
);

it("A cron whose server ignores that its end is removed is a warning", async () => {
  const { url } = await startServer((found, body) => {
    for (const [key, value] of Object.entries(body)) if (value === null) body[key] = found[key];
  });
  const stack = new Stack({ clock: new TestClock(), url }, { kind: "Cron" });
  const inputs = { deploymentUrl: url, assistantId: numberedId(1), schedule: "0 3 * * *" };
  await stack.up({ ...inputs, endTime: "2099-01-01T00:00:00Z" });
  stack.messages = [];
  await stack.up(inputs);
  expect(stack.messages.join("\n")).toMatch(/endTime: .*keeps.*\n?.*pulumi up --replace/);
});

it("A thread whose supersteps its server ignores is an error, and is not left behind", async () => {
  const { url, objects } = await startServer();
  const stack = new Stack({ clock: new TestClock(), url }, { kind: "Thread" });
  const supersteps = [{ updates: [{ values: { messages: [] }, asNode: "agent" }] }];
  const error = await failureOf(stack.up({ deploymentUrl: url, metadata: { graph_id: "agent" }, supersteps }));
  expect(error.message).toMatch(/supersteps: check that it supports them.*\n.*Nothing was left behind/);
  expect([stack.state, objects.size]).toEqual([undefined, 0]);
});
