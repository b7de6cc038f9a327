/** The credentials that each server receives. */
import { Clients } from "../../../provider/api/clients";
import { readSettings } from "../../../provider/settings/settings";
import { TestClock } from "../../support/clock";
import { json, TestServer } from "../../support/servers/server";

const tenantId = "5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10";

/** Sends one request to each server at the same URL, and returns the credentials that each received. */
async function headersOf(config: Record<string, string>) {
  const server = await TestServer.start([json(200, [])]);
  const urls = { controlPlaneUrl: server.url.origin, tracingApiUrl: server.url.origin };
  const settings: Record<string, string> = { ...urls, tenantId, ...config };
  const clients = new Clients(
    readSettings((key) => settings[key.replace("agentgraph:", "")], {}),
    new TestClock(),
  );
  await clients.sources.listIntegrations();
  await clients.tracing.listExports();
  const credentials = server.requests.map(({ headers }) => [
    headers["x-api-key"],
    headers.authorization,
    headers["x-tenant-id"],
  ]);
  return { credentials, isOne: clients.http("controlPlane") === clients.http("tracing") };
}

test("Both servers receive the API key and share one rate limit", async () => {
  const { credentials, isOne } = await headersOf({ apiKey: "k" });
  const sent = ["k", undefined, tenantId];
  expect(credentials).toEqual([sent, sent]);
  expect(isOne).toBe(true);
});

test("With both credentials, the control plane receives the bearer token, and the tracing API the API key that it requires", async () => {
  expect((await headersOf({ apiKey: "k", bearerToken: "t" })).credentials).toEqual([
    [undefined, "Bearer t", tenantId],
    ["k", undefined, tenantId],
  ]);
});

test("Both servers receive a bearer token that is the only credential, since some accept it for bulk exports", async () => {
  const sent = [undefined, "Bearer t", tenantId];
  expect((await headersOf({ bearerToken: "t" })).credentials).toEqual([sent, sent]);
});

test("A bearer token that the tracing API rejects leads to a hint to set an API key, not that the token expired", async () => {
  const server = await TestServer.start([json(401, { detail: "Not authenticated" })]);
  const config: Record<string, string> = { tracingApiUrl: server.url.origin, tenantId, bearerToken: "t" };
  const settings = readSettings((key) => config[key.replace("agentgraph:", "")], {});
  const request = new Clients(settings, new TestClock()).tracing.listExports();
  await expect(request).rejects.toThrow(
    /Bulk exports require an API key, but only a bearer token is set\. Set apiKey as well\./,
  );
});
