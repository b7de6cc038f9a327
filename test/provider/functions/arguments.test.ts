/** Functions with empty or invalid arguments, and errors of the server. */
import { failureOf } from "../../support/errors";
import { startPlatform } from "../../support/platform";
import { json, TestServer } from "../../support/servers/server";
import { TestClock } from "../../support/time/clock";
import { program } from "./program";

const id = "99999999-9999-4999-8999-999999999999";
const url = "https://agents.example.com";

it.each([
  ["getDeployment", "id"],
  ["getDeployment", "name"],
  ["getBulkExportDestination", "id"],
  ["getBulkExportDestination", "displayName"],
  ["getBulkExportRuns", "bulkExportId"],
  ["getBulkExportRuns", "sourceBulkExportId"],
  ["getWorkspace", "id"],
] as const)("%s rejects an empty %s without a request", async (name, key) => {
  const platform = await startPlatform();
  expect((await failureOf(program(platform)(name, { [key]: "" }))).message).toBe(`${key} must not be empty.`);
  expect(platform.requests()).toEqual([]);
});

it("An error of a function contains neither control sequences nor the API key, in no form", async () => {
  const apiKey = "agk_0123456789abcdef";
  const detail = `refused ${Buffer.from(apiKey).toString("base64")} \u001b[31m${apiKey}\r\n::error::forged`;
  const server = await TestServer.start([json(403, { detail })]);
  const call = program({ url: server.url.origin, clock: new TestClock() }, { apiKey });
  const error = await failureOf(call("getListeners"));
  expect(error).toMatchObject({ name: "HttpError", status: 403 });
  expect(error.message).toContain("403: refused [secret] [secret]\n: :error::forged");
  expect(error.stack).not.toContain(apiKey);
});

it.each([
  ["getDeployments", { deploymentIds: [] }],
  ["getDeployments", { tagValueIds: [] }],
  ["getRevisions", { deploymentId: id, status: [] }],
  ["getThreads", { deploymentUrl: url, ids: [] }],
] as const)(
  "%s with %j returns nothing without a request, since some servers treat an empty list as no filter",
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
  ["getListener", { id }],
] as const)("%s with %j asks to check the URL, not the ID, when the list route returns 404", async (name, args) => {
  const server = await TestServer.start([json(404, { detail: "Not Found" })]);
  const call = program({ url: server.url.origin, clock: new TestClock() });
  await expect(call(name, args)).rejects.toThrow(
    /^GET \/\S+: 404: Not Found\nEither this server does not support the function, or the URL is incorrect\./,
  );
});

it.each([
  ["getDeployment", { id }],
  ["getBulkExport", { id }],
  ["getBulkExportRuns", { sourceBulkExportId: id }],
  ["getWorkspace", { id }],
] as const)("%s with %j asks to check the ID when the object does not exist", async (name, args) => {
  const platform = await startPlatform();
  await expect(program(platform)(name, args)).rejects.toThrow(
    /404: .*\nEither no object with this ID exists in the workspace/,
  );
});
