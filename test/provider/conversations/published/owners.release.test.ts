/** Threads of users on published servers that authenticate them: they keep their owners, or nothing is written. */
import { newFolder } from "../../../../emulator/test/support/folder";
import { agentgraph } from "../../../cli/support/command";
import { type PublishedServer, SERVERS, startPublished } from "../../../support/agent-servers/published";

const OWNER = "agentgraph_auth_user_id";
const USERS = ["alice", "bob"];
const GRAPHS = { steps: { log: [] }, ask: { log: ["q"] }, mem2: { log: ["1"] } };

describe.each(SERVERS)("threads of users of the published server in %s", (kind) => {
  let servers: PublishedServer[] = [];
  let folder = "";
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await agentgraph({ args, cwd: folder });
    return { code, text: stdout + stderr };
  };
  const as = (user: string) => ["--header", `Authorization=Bearer ${user}`];
  const asOwner = ["--as-owner-header", `Authorization=Bearer {${OWNER}}`];

  beforeAll(async () => {
    folder = newFolder();
    servers = await Promise.all([1, 2, 3].map(() => startPublished(kind, "conversations", true)));
  }, 300_000);
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  test("are restored as their owners or by an administrator, and by nobody else", async () => {
    const [source, first, second] = servers as [PublishedServer, PublishedServer, PublishedServer];
    const ids = new Map<string, string>();
    for (const user of USERS) {
      for (const [graph, input] of Object.entries(GRAPHS)) {
        const { body } = await source.call<{ thread_id: string }>("POST", "/threads", {}, user);
        const path = `/threads/${body.thread_id}/runs/wait`;
        await source.call("POST", path, { assistant_id: graph, input }, user);
        ids.set(body.thread_id, user);
      }
      await source.call("POST", "/assistants", { graph_id: "steps", name: user }, user);
    }
    const backup = ["backup", "--url", source.url, "--to", "backup"];
    for (const user of ["ops", "nobody"]) expect(await command(...backup, ...as(user))).toMatchObject({ code: 1 });
    expect(await command(...backup, ...as("admin"))).toMatchObject({ code: 0 });

    const restore = ["restore", "--from", "backup", "--waiting", "ask-again"];
    const refused = await command(...restore, "--url", first.url, ...as("ops"));
    expect(refused).toEqual({ code: 1, text: expect.stringContaining(`writes "ops" into ${OWNER} of each thread`) });
    expect((await first.call("POST", "/threads/count", {}, "admin")).body).toBe(0);

    const restored = await command(...restore, "--url", first.url, ...as("ops"), ...asOwner);
    expect(restored).toEqual({ code: 0, text: expect.stringContaining("A thread of 2 owners was read as its owner") });
    expect(await command(...restore, "--url", second.url, ...as("admin"))).toMatchObject({ code: 0 });
    for (const [id, user] of ids) {
      for (const target of [first, second]) {
        expect(await target.call("GET", `/threads/${id}`, undefined, user)).toMatchObject({
          body: { metadata: { [OWNER]: user } },
        });
        const stranger = USERS.find((one) => one !== user);
        expect(await target.call("GET", `/threads/${id}`, undefined, stranger)).toMatchObject({ status: 404 });
      }
    }
    for (const user of USERS) {
      const { body } = await first.call<object[]>("POST", "/assistants/search", { limit: 10 }, user);
      expect(body).toMatchObject([{ name: user }]);
    }
    const verify = (url: string, ...headers: string[]) =>
      command("verify", "--from", "backup", "--url", url, ...headers);
    expect(await verify(first.url, ...as("ops"))).toMatchObject({ code: 1 });
    expect(await verify(first.url, ...as("ops"), ...asOwner)).toMatchObject({ code: 0 });
    expect(await verify(second.url, ...as("admin"))).toMatchObject({ code: 0 });
  }, 300_000);
});
