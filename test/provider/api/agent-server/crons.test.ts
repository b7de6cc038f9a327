/** The client of crons: the forms of responses, and the number of requests. */
import { collectAll } from "../../../../provider/api/pagination";
import { failureOf } from "../../../support/errors";
import { numberedId, startAgentClient } from "../../../support/servers/agent-client";
import { html, json } from "../../../support/servers/server";

const cron = (n: number, fields: object = {}) => ({ cron_id: numberedId(n), schedule: "0 3 * * *", ...fields });
const range = (count: number) => Array.from({ length: count }, (_, n) => cron(n));
const notFound = json(404, { detail: "Cron not found" });
const [one, two] = [numberedId(1), numberedId(2)];

// @covers 4B.POST /runs/crons
it("a create is sent once, even if its response is lost", async () => {
  const { agent, requests } = await startAgentClient(html(502, "Bad Gateway"));
  await expect(agent.crons.create({ schedule: "0 3 * * *" })).rejects.toThrow("502");
  expect(requests()).toHaveLength(1);
});

it("a create whose response is a run, or of another form, does not name the cron", async () => {
  const { agent } = await startAgentClient(json(200, { run_id: one }), json(200, []));
  expect(await agent.crons.create({})).toBeUndefined();
  expect(await agent.crons.create({})).toBeUndefined();
});

it("a hundred concurrent reads share one search; an absence is proven by a second request and the list", async () => {
  const { agent, requests } = await startAgentClient(json(200, range(100)), notFound, notFound, json(200, []));
  await Promise.all(range(100).map(({ cron_id }) => agent.crons.find(cron_id)));
  expect(requests()).toEqual(["POST /runs/crons/search"]);
  expect(await agent.crons.find(one)).toBeUndefined();
  expect(requests().slice(1)).toEqual([`GET /runs/crons/${one}`, `GET /runs/crons/${one}`, "POST /runs/crons/search"]);
});

// @covers 4B.POST /runs/crons/search
it("a list passes all filters, and is read until an empty page", async () => {
  const { agent, bodies } = await startAgentClient(json(200, [cron(1), cron(2)]), json(200, []));
  const filter = { assistantId: one, threadId: two, enabled: false, metadata: { aB: 1 } };
  expect(await collectAll(agent.crons.list(filter))).toHaveLength(2);
  const sent = { assistant_id: one, thread_id: two, enabled: false, metadata: { aB: 1 } };
  const sorted = { ...sent, limit: 1000, sort_by: "created_at", sort_order: "asc" };
  expect(bodies()).toEqual([sorted, { ...sorted, offset: 2 }]);
});

// @covers 2B.Cron
it.each([
  ["without flags", json(200, { version: "1" })],
  ["without /info", json(404, { detail: "Not Found" })],
  ["after a failure", html(500, "Internal Server Error")],
])("whether a server has crons is unknown %s, after one request", async (_what, reply) => {
  const { agent, requests } = await startAgentClient(reply);
  expect(await agent.crons.areSupported()).toBeUndefined();
  expect(requests()).toEqual(["GET /info"]);
});

const noRoute = json(404, { detail: "Not Found" });
it("a list of crons before a deletion fails while the server does not say if it has any, and is repeated", async () => {
  const { agent } = await startAgentClient(noRoute, json(503, {}), noRoute, noRoute, noRoute, json(200, [cron(1)]));
  await expect(agent.crons.listForDeletion({})).rejects.toThrow("GET /info: 503");
  expect(await agent.crons.listForDeletion({})).toMatchObject([{ cronId: one }]);
});

// @covers 2B.Cron
it("a server that implements no crons is not requested again, although it says so with a 500", async () => {
  const { agent, requests } = await startAgentClient(html(500, "Not implemented"));
  const error = await failureOf(collectAll(agent.crons.list()));
  expect(error).toMatchObject({ isUnsupportedRoute: true, isRetryable: false, outcomeUnknown: false });
  expect(requests()).toEqual(["POST /runs/crons/search", "GET /info"]);
});
