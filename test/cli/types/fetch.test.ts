/** The graphs of a server whose pages are smaller than requested. */
import { readSchemas } from "../../../cli/types/fetch";
import { TestServer } from "../../support/servers/server";

it("All graphs of a server are found, although each of its pages contains two assistants at most", async () => {
  const listed = ["a", "b", "c", "d", "e"].map((graph_id) => ({ graph_id, assistant_id: graph_id }));
  const server = await TestServer.start([
    (response, { url }) => {
      const { offset = 0 } = JSON.parse(server.requests.at(-1)?.body || "{}") as { offset?: number };
      const body = url === "/assistants/search" ? listed.slice(offset, offset + 2) : {};
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    },
  ]);
  const { stdin, stdout, stderr } = process;
  const context = { stdin, stdout, stderr, env: {}, folder: __dirname, now: Date.now, secrets: new Set<string>() };
  expect(await readSchemas(server.url.href, {}, context)).toHaveLength(listed.length);
});
