/** How the provider names itself to servers, so that an operator recognizes its requests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openHttpClient } from "../../support/servers/http-client";
import { json, TestServer } from "../../support/servers/server";

test("A request names the provider with its version, Node.js and the platform in User-Agent", async () => {
  const server = await TestServer.start([json(200, {})]);
  await openHttpClient(server.url).http.send({ method: "GET", path: "/v2/things" });
  const { version } = JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8"));
  expect(server.requests[0]?.headers["user-agent"]).toBe(
    `pulumi-agentgraph/${version} node/${process.versions.node} ${process.platform}`,
  );
});
