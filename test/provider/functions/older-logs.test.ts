/** Logs of a server with only the older form of the log route (API `4A`). */
import { failureOf } from "../../support/errors";
import { json, TestServer } from "../../support/servers/server";
import { TestClock } from "../../support/time/clock";
import { program, startLogs } from "./program";

const none = "99999999-9999-4999-8999-999999999999";
const newer = "GET /v2/deployments/{id}/revisions/{id}/logs";
const older = "POST /v1/projects/{id}/revisions/{id}/deploy_logs";

it("getRevisionLogs reads logs in the older form, with every filter, and tries the newer route once", async () => {
  const { platform, log } = await startLogs("logs");
  const all = await log();
  expect(all.length).toBeGreaterThan(2);
  expect(platform.requests()).toEqual([newer, older]);
  expect(await log({ order: "desc", limit: 2 })).toEqual(all.toReversed().slice(0, 2));
  expect(await log({ query: all[1].message, level: "INFO" })).toEqual([all[1]]);
  expect(await log({ endTime: all[0].timestamp })).toEqual([all[0]]);
  expect(await log({ startTime: all[0].timestamp })).toEqual(all);
  expect(await log({ type: "build" })).toEqual([]);
  expect(platform.requests().filter((request) => request === newer)).toHaveLength(1);
});

it("getRevisionLogs reads all pages of a log in the older form", async () => {
  const page = (text: string, cursor: string | null) => json(200, { logs: [{ message: text }], next_offset: cursor });
  const server = await TestServer.start([json(404, { detail: "Not Found" }), page("1", "a"), page("2", null)]);
  const call = program({ url: server.url.origin, clock: new TestClock() });
  const lines = await call("getRevisionLogs", { deploymentId: "d", revisionId: "r", type: "build" });
  expect(lines).toEqual([{ message: "1" }, { message: "2" }]);
  const path = "/v1/projects/d/revisions/r/build_logs";
  expect(server.requests.slice(1).map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
    ["POST", path, { order: "asc", limit: 1000 }],
    ["POST", path, { order: "asc", limit: 1000, offset: "a" }],
  ]);
});

it("getRevisionLogs fails with the error of the newer form where neither finds a revision", async () => {
  const { platform, log } = await startLogs();
  await expect(log({ revisionId: none })).rejects.toThrow(/^GET .*\/logs: 404: Revision .* not found\n/);
  expect(platform.requests()).toEqual([newer, older]);
  const without = await startLogs("logs", "deploy-logs-v1");
  expect((await failureOf(without.log())).message).toMatch(
    /^GET .*\/logs: 404: .*\n.*this server does not support the function/,
  );
});
