/** What a look-up does with arguments that are there and say nothing, and with an answer that fits no question. */
import { TestClock } from "../../support/clock";
import { failureOf } from "../../support/errors";
import { program } from "../../support/functions";
import { startPlatform } from "../../support/platform";
import { json, TestServer } from "../../support/server";

const some = "99999999-9999-4999-8999-999999999999";
const url = "https://agents.example.com";

it.each([
  ["getDeployment", "id"],
  ["getDeployment", "name"],
  ["getBulkExportDestination", "id"],
  ["getBulkExportDestination", "displayName"],
  ["getBulkExportRuns", "bulkExportId"],
  ["getBulkExportRuns", "sourceBulkExportId"],
  ["getWorkspace", "id"],
] as const)("%s refuses an empty %s: it would ask for something else", async (name, key) => {
  const platform = await startPlatform();
  const { message } = await failureOf(program(platform)(name, { [key]: "" }));
  expect(message).toBe(`${key} must not be empty.`);
  expect(platform.requests()).toEqual([]);
});

it("an error of a function shows no API key, in whatever form the server repeats it, and nothing that acts", async () => {
  const apiKey = "agk_0123456789abcdef";
  const detail = `refused ${Buffer.from(apiKey).toString("hex")} \u001b[31m${apiKey}\r\n::error::forged`;
  const server = await TestServer.start([json(403, { detail })]);
  const look = program({ url: server.url.origin, clock: new TestClock() }, { apiKey });
  const error = await failureOf(look("getListeners"));
  expect(error).toMatchObject({ name: "HttpError", status: 403 });
  expect(error.message).toContain("403: refused [secret] [secret]\n: :error::forged");
  expect(error.stack).not.toContain(apiKey);
});

it.each([
  ["getDeployments", { deploymentIds: [] }],
  ["getDeployments", { tagValueIds: [] }],
  ["getRevisions", { deploymentId: some, status: [] }],
  ["getThreads", { deploymentUrl: url, ids: [] }],
] as const)(
  "%s with %j finds nothing and asks nobody: to some services an empty list means all",
  async (name, args) => {
    const platform = await startPlatform();
    expect(await program(platform)(name, args)).toEqual([]);
    expect(platform.requests()).toEqual([]);
  },
);

it.each([
  ["getDeployment", { name: "agent" }],
  ["getDeployments", {}],
  ["getProject", { name: "agent" }],
  ["getBulkExports", {}],
  ["getListener", { id: some }],
] as const)("%s with %j speaks of the URL, and of no id, where the list itself is not there", async (name, args) => {
  const server = await TestServer.start([json(404, { detail: "Not Found" })]);
  const look = program({ url: server.url.origin, clock: new TestClock() });
  const { message } = await failureOf(look(name, args));
  expect(message).toMatch(
    /^GET \/\S+: 404: Not Found\nEither this server does not support the function, or the URL is incorrect\./,
  );
});

it.each([
  ["getBulkExport", { id: some }],
  ["getBulkExportRuns", { sourceBulkExportId: some }],
  ["getWorkspace", { id: some }],
] as const)("%s with %j speaks of the id where that is not there", async (name, args) => {
  const platform = await startPlatform();
  const { message } = await failureOf(program(platform)(name, args));
  expect(message).toMatch(/404: .*\nEither no object with this ID exists in the workspace/);
});
