/** The client for revisions and their logs, against a temporary server. */
import { RevisionClient } from "../../../../provider/api/control-plane/revisions";
import { openJsonClient } from "../../../support/servers/http-client";
import { json, TestServer } from "../../../support/servers/server";

it("RevisionClient returns the last log lines oldest first", async () => {
  const server = await TestServer.start([json(200, { logs: [{ message: "last" }, { message: "first" }] })]);
  const client = new RevisionClient(openJsonClient(server.url).jsonClient);
  const lines = await client.lastLogLines("d", "r", { type: "build", limit: 2 });
  expect(lines.map(({ message }) => message)).toEqual(["first", "last"]);
  expect(server.requests[0]?.url).toBe("/v2/deployments/d/revisions/r/logs?type=build&order=desc&limit=2");
});
