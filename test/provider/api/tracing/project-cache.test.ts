/** Reads of tracing projects that many deployments share, counted by a test server. */
import { TracingClient } from "../../../../provider/api/tracing/client";
import { ProjectCache } from "../../../../provider/api/tracing/project-cache";
import { openJsonClient } from "../../../support/servers/http-client";
import { json, TestServer } from "../../../support/servers/server";

/** A workspace with these projects, newest first, as the sessions route pages through them. */
async function workspaceOf(names: string[], failure?: number) {
  let fails = failure;
  const server = await TestServer.start([
    (response, request) => {
      if (fails) return json(fails, { detail: "no" })(response, request);
      const query = new URL(request.url ?? "", "http://x").searchParams;
      const [limit, offset, name] = [Number(query.get("limit")), Number(query.get("offset")), query.get("name")];
      const matches = names.filter((each) => name === null || each === name).slice(offset, offset + limit);
      json(
        200,
        matches.map((each) => ({ id: `id-of-${each}`, name: each })),
      )(response, request);
    },
  ]);
  const { jsonClient, clock } = openJsonClient(server.url);
  const tracing = new TracingClient(jsonClient, clock);
  const recover = () => {
    fails = undefined;
  };
  return { server, clock, projects: new ProjectCache(tracing, clock), names, recover };
}
const many = (count: number) => Array.from({ length: count }, (_, index) => `agent-${index}`);
const idsOf = (projects: ProjectCache, names: string[]) =>
  Promise.all(names.map((name) => projects.findByName(name))).then((results) => results.map((project) => project?.id));

it("ProjectCache searches a single project by its name", async () => {
  const { server, projects } = await workspaceOf(many(500));
  expect((await projects.findByName("agent-7"))?.id).toBe("id-of-agent-7");
  expect(server.requests.map(({ url }) => url)).toEqual(["/api/v1/sessions?name=agent-7&limit=100"]);
});

it("ProjectCache reads the list once for a hundred projects", async () => {
  const { server, projects, names } = await workspaceOf(many(100));
  expect(await idsOf(projects, names)).toEqual(names.map((name) => `id-of-${name}`));
  expect(server.requests).toHaveLength(1);
});

it("ProjectCache searches projects beyond the first pages by name", async () => {
  const { server, projects } = await workspaceOf(many(1000));
  const requested = ["agent-0", "agent-1", "agent-399", "agent-900"];
  expect(await idsOf(projects, requested)).toEqual(requested.map((name) => `id-of-${name}`));
  expect(server.requests).toHaveLength(5);
});

it("ProjectCache reuses projects until they expire, and searches newer ones", async () => {
  const { server, projects, names, clock } = await workspaceOf(many(5));
  await idsOf(projects, names);
  names.unshift("newer");
  expect(await idsOf(projects, ["agent-1", "newer"])).toEqual(["id-of-agent-1", "id-of-newer"]);
  expect(server.requests).toHaveLength(2);
  clock.advance(21_000);
  await projects.findByName("agent-1");
  expect(server.requests).toHaveLength(3);
});

it("ProjectCache compares names exactly", async () => {
  const { projects } = await workspaceOf(["agent-2", "my-agent"]);
  expect(await projects.findByName("agent")).toBeUndefined();
});

it("ProjectCache finds a project after one stray 404", async () => {
  const server = await TestServer.start([json(404, { detail: "starting" }), json(200, [{ id: "p", name: "agent" }])]);
  const { jsonClient, clock } = openJsonClient(server.url);
  const projects = new ProjectCache(new TracingClient(jsonClient, clock), clock);
  expect((await projects.findByName("agent"))?.id).toBe("p");
});

it("ProjectCache sends two requests to a server that does not list projects, and none afterwards", async () => {
  for (const status of [404, 405, 501]) {
    const { server, projects } = await workspaceOf([], status);
    expect(await idsOf(projects, ["a", "b"])).toEqual([undefined, undefined]);
    expect(await projects.findByName("c")).toBeUndefined();
    expect(server.requests).toHaveLength(2);
  }
});

it("ProjectCache asks again after a single 404, which a proxy may have returned", async () => {
  const workspace = await workspaceOf(["a"], 404);
  expect(await workspace.projects.findByName("a")).toBeUndefined();
  workspace.recover();
  workspace.clock.advance(21_000);
  expect((await workspace.projects.findByName("a"))?.id).toBe("id-of-a");
});

it("ProjectCache reports an error to one of the concurrent callers, and sends no request for a while", async () => {
  const { server, projects, clock } = await workspaceOf([], 403);
  const [one, two] = await Promise.allSettled([projects.findByName("a"), projects.findByName("b")]);
  expect([one.status, two.status]).toEqual(["rejected", "fulfilled"]);
  expect(await projects.findByName("c")).toBeUndefined();
  expect(server.requests).toHaveLength(1);
  clock.advance(21_000);
  await expect(projects.findByName("c")).rejects.toThrow(": 403: ");
});
