/** `agentgraph types` with the published agent servers: the same types as from their recordings. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../../emulator/test/support/folder";
import { type PublishedServer, SERVERS, startPublished } from "../../support/agent-servers/published";
import { agentgraph } from "../support/command";

const folder = newFolder();

describe.each(SERVERS)("On the published agent server in %s,", (kind) => {
  let server: PublishedServer;
  beforeAll(async () => {
    server = await startPublished(kind, "contexts");
  }, 600_000);
  afterAll(() => server.stop());

  const run = (...args: string[]) => agentgraph({ args: ["types", server.url, ...args], cwd: folder });
  const withoutCommand = (text: string) => text.replace(/^.*\n/, "");

  it("the types are those of the recording", async () => {
    const { code, stdout } = await run();
    const recorded = readFileSync(join(__dirname, "written", `${kind}-server.ts`), "utf8");
    expect([code, withoutCommand(stdout)]).toEqual([0, withoutCommand(recorded)]);
  });

  it("a file that was written is up to date, and the assistants of a graph do not matter", async () => {
    await run("--out", "types.ts");
    await server.call("POST", "/assistants", { graph_id: "plain", context: { prefix: "a" } });
    expect(await run("--out", "types.ts", "--check")).toMatchObject({ code: 0, stdout: "types.ts is up to date.\n" });
  });
});
