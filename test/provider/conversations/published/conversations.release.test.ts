/** Conversations that are moved between two published servers: what is the same then, and what is named as lost. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { newFolder } from "../../../../emulator/test/support/folder";
import { createConversation, RECORDED } from "../../../../scripts/record/conversation-inputs";
import { outputOf } from "../../../cli/support/command";
import { type PublishedServer, SERVERS, startPublished } from "../../../support/agent-servers/published";

const ask = (content: string) => ({ messages: [{ role: "user", content }] });

interface Thread {
  id: string;
  name: string;
  graph: string;
}

async function seed(server: PublishedServer): Promise<Thread[]> {
  const threads: Thread[] = [];
  const post = async <T>(path: string, body: object) => (await server.call("POST", path, body)).body as T;
  for (const one of RECORDED)
    threads.push({ id: await createConversation(one, post), name: one.name, graph: one.graph });
  return threads;
}

interface State {
  next: string[];
  tasks: { interrupts?: { id: string; value: unknown }[] }[];
}

/** Continues a thread: answers its questions, or asks for another run. Returns the result without IDs. */
async function continueThread(server: PublishedServer, { id, graph }: Thread): Promise<unknown> {
  const { body: state } = await server.call<State>("GET", `/threads/${id}/state`);
  const questions = state.tasks.flatMap(({ interrupts = [] }) => interrupts);
  const answers = Object.fromEntries(questions.map((question) => [question.id, `yes to ${question.value}`]));
  const resume = questions.length > 1 ? answers : "yes";
  const input = graph === "func" ? { number: 4 } : graph === "chat" || graph === "trim" ? ask("three") : { log: ["3"] };
  const request = questions.length > 0 ? { command: { resume } } : state.next.length > 0 ? { input: null } : { input };
  const { body } = await server.call("POST", `/threads/${id}/runs/wait`, { assistant_id: graph, ...request });
  return JSON.parse(JSON.stringify(body), (key, value) =>
    key === "id" || key === "usage_metadata" ? undefined : value,
  );
}

/** What the tables of both servers say that cannot be the same. */
interface Lost {
  loss: RegExp;
  continues?: false;
}
const LOST: Readonly<Record<string, Lost>> = {
  "python chat": { loss: /2 AI messages without token counts/ },
  "python trim": { loss: /AI message.* without token counts/ },
  "python func": { loss: /what its function saved/, continues: false },
  "javascript func": { loss: /what its function saved/, continues: false },
  "python func that waits": { loss: /what its function saved/, continues: false },
  "javascript func that waits": { loss: /what its function saved/, continues: false },
  "python two with an answer": { loss: /it asks other questions/, continues: false },
  "javascript two with an answer": { loss: /it asks other questions/, continues: false },
  "javascript mem": { loss: /the memory of the subgraph "inner"/, continues: false },
};

describe.each(SERVERS)("conversations of the published server in %s", (kind) => {
  let [source, target]: [PublishedServer?, PublishedServer?] = [];
  let folder = "";
  const servers = () => [source as PublishedServer, target as PublishedServer] as const;
  const command = (...args: string[]) => outputOf({ args, cwd: folder });

  beforeAll(async () => {
    folder = newFolder();
    [source, target] = await Promise.all([1, 2].map(() => startPublished(kind, "conversations")));
  }, 300_000);
  afterAll(() => Promise.all([source?.stop(), target?.stop()]));

  test("are restored with every checkpoint, continue identically, and what is not the same is named", async () => {
    const [from, to] = servers();
    const threads = await seed(from);
    const item = { namespace: ["users", "1"], key: "k/\u00e9" };
    await from.call("PUT", "/store/items", { ...item, value: { a: 1 } });
    await from.call("PUT", "/store/items", { ...item, key: "theirs", value: { a: 1 } });
    await to.call("PUT", "/store/items", { ...item, key: "theirs", value: { a: 2 } });
    await command("backup", "--url", from.url, "--to", "backup");
    await expect(command("restore", "--from", "backup", "--url", to.url)).rejects.toThrow("wait for an answer");
    await expect(command("restore", "--from", "backup", "--url", from.url)).rejects.toThrow("another agent server");
    const options = ["--waiting", "ask-again", "--json"];
    const stdout = await command("restore", "--from", "backup", "--url", to.url, ...options);
    expect(JSON.parse(stdout)).toMatchObject({ failed: [], ranAgain: { fast: 2 }, asked: 12, items: 1 });
    expect(JSON.parse(stdout).notes.join()).toContain(
      "the stored item theirs in users.1 has another value, and was left as it is",
    );
    const [name = ""] = (await readdir(join(folder, "backup"))).filter((file) => file.startsWith("restored-to-"));
    const journal = await readFile(join(folder, "backup", name), "utf8");
    const noted = journal.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    for (const thread of threads) {
      const { level, losses } = noted.findLast(({ id, state }) => id === thread.id && state === "done");
      const ended: Lost | undefined = thread.name.endsWith("another input") ? { loss: /one more/ } : undefined;
      const lost = LOST[`${kind} ${thread.name}`] ?? ended;
      expect([thread.name, level]).toEqual([thread.name, "whole"]);
      if (lost) expect(losses.join("; ")).toMatch(lost.loss);
      else expect([thread.name, losses]).toEqual([thread.name, []]);
      const [expected, actual] = [await continueThread(from, thread), await continueThread(to, thread)];
      if (lost?.continues !== false) expect([thread.name, actual]).toEqual([thread.name, expected]);
    }
  }, 300_000);
});
