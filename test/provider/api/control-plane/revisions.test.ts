/** Revisions and their logs as a service answers them, against a throw-away server. */

import { CaseMapper } from "../../../../provider/api/case-mapper";
import { RevisionClient } from "../../../../provider/api/control-plane/revisions";
import { JsonClient } from "../../../../provider/api/json-client";
import { openDoor } from "../../../support/door";
import { json, TestServer } from "../../../support/server";

it("logs come oldest first", async () => {
  const server = await TestServer.start([json(200, { logs: [{ message: "last" }, { message: "first" }] })]);
  const reader = new JsonClient(
    openDoor(server.url).door,
    new CaseMapper({ githost: "githost", agentgraph: "agentgraph" }),
  );
  const lines = await new RevisionClient(reader).lastLogLines("d", "r", "build", 2);
  expect(lines.map(({ message }) => message)).toEqual(["first", "last"]);
  expect(server.seen[0]?.url).toBe("/v2/deployments/d/revisions/r/logs?type=build&order=desc&limit=2");
});
