/** Which server gets which credential, and how much it is asked. */
import { Clients } from "../../../provider/api/clients";
import { readSettings } from "../../../provider/settings/settings";
import { TestClock } from "../../support/clock";
import { json, TestServer } from "../../support/server";

const tenantId = "5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10";

/** Both servers at one address, asked once each: the headers that each got. */
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

test("an API key goes to both servers, within one limit of requests", async () => {
  const { credentials, isOne } = await headersOf({ apiKey: "k" });
  const sent = ["k", undefined, tenantId];
  expect(credentials).toEqual([sent, sent]);
  expect(isOne).toBe(true);
});

test("with both credentials the control plane gets the bearer token, and the tracing API the API key that it requires", async () => {
  expect((await headersOf({ apiKey: "k", bearerToken: "t" })).credentials).toEqual([
    [undefined, "Bearer t", tenantId],
    ["k", undefined, tenantId],
  ]);
});

test("a bearer token alone goes to both servers, since some take it for bulk exports too", async () => {
  const sent = [undefined, "Bearer t", tenantId];
  expect((await headersOf({ bearerToken: "t" })).credentials).toEqual([sent, sent]);
});

test("a bearer token that the tracing API refuses is not called expired: an API key is what is missing", async () => {
  const server = await TestServer.start([json(401, { detail: "Not authenticated" })]);
  const config: Record<string, string> = { tracingApiUrl: server.url.origin, tenantId, bearerToken: "t" };
  const settings = readSettings((key) => config[key.replace("agentgraph:", "")], {});
  const asking = new Clients(settings, new TestClock()).tracing.listExports();
  await expect(asking).rejects.toThrow(
    /Bulk exports require an API key, but only a bearer token is set\. Set apiKey as well\./,
  );
});
