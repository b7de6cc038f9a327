/** When a restore takes the server for another one than that of an earlier restore, and forgets what that one wrote. */
import { forgetAnother } from "../../../cli/conversations/another-server";
import { BackupReader } from "../../../provider/conversations/file/backup-reader";
import { Journal, type Line } from "../../../provider/conversations/file/journal";
import { type OwnerHeader, Owners } from "../../../provider/conversations/owners";
import { Folder } from "../../../provider/conversations/place/folder";
import { ConversationServer, type Probe } from "../../../provider/conversations/server/conversation-server";
import { begin, entry, finish } from "../../provider/conversations/support/backups";
import { createFolder } from "../../support/deployments/source-folder";

const URL = "http://localhost:1/";

/** Asks after a restore that finished these IDs. @param statusOf Of an object, as a user. */
async function ask(noted: readonly string[], statusOf: (path: string, user?: string) => number, header?: OwnerHeader) {
  const place = new Folder(createFolder());
  const writer = await begin(place);
  for (const id of ["t1", "t2", "t3"])
    await writer.append(entry(id), JSON.stringify({ thread: { thread_id: id, metadata: { owner: `of ${id}` } } }));
  await finish(writer, undefined, [JSON.stringify({ assistant: { assistant_id: "a1" } })]);
  const [reader, journal] = [await BackupReader.open(place), await Journal.open(place, URL)];
  for (const id of noted) await journal.note({ id, state: "done", ...(id === "c1" && { created: "n1" }) });
  const asked: string[] = [];
  const probe: Probe = async ({ method, path, headers }) => {
    asked.push(`${method} ${path}`);
    return { status: statusOf(path, headers?.User), json: {}, text: "{}" };
  };
  const owners = new Owners(new ConversationServer(probe, true), header);
  const isAnother = (await forgetAnother({ reader, journal, owners })).length > 0;
  await Promise.all([reader.close(), journal.close()]);
  return { isAnother, asked: asked.toSorted() };
}

it("A server is another one if none of the finished threads exists there, whatever else does", async () => {
  const { isAnother, asked } = await ask(["t1", "t3", "a1"], (path) => (/t2|a1/.test(path) ? 200 : 404));
  expect([isAnother, asked]).toEqual([true, ["GET /threads/t1", "GET /threads/t3"]]);
});

it.each<[string, string[], (path: string) => number]>([
  ["has one of the threads", ["t1", "t2", "t3"], (path) => (path.endsWith("t3") ? 200 : 404)],
  ["does not let the key read one", ["t1", "t2"], (path) => (path.endsWith("t2") ? 403 : 404)],
  ["has the assistant, where no thread was restored", ["a1"], () => 200],
  ["received crons only, and cannot show whether it is the same", ["c1"], () => 404],
])("A server is the same if it %s", async (_what, noted, statusOf) => {
  expect(await ask(noted, statusOf)).toMatchObject({ isAnother: false });
});

it("A server without the only restored assistant is another one", async () => {
  expect(await ask(["a1"], () => 404)).toEqual({ isAnother: true, asked: ["GET /assistants/a1"] });
});

it("Threads are read as their owners where each user sees only their own", async () => {
  const statusOf = (path: string, user?: string) => (path === "/threads/t2" && user === "of t2" ? 200 : 404);
  expect(await ask(["t1", "t2"], statusOf, { name: "User", template: "{owner}" })).toMatchObject({ isAnother: false });
});

it("What a restore has forgotten stays forgotten once it writes, also if it is killed then", async () => {
  const line: Line = { id: "t1", state: "done" };
  const place = new Folder(createFolder());
  const reopen = () => Journal.open(place, URL);
  const first = await reopen();
  await first.note(line);
  await first.close();
  // One that is refused before it writes, and one that is killed.
  for (const left of [line, undefined]) {
    const journal = await reopen();
    journal.forget();
    if (!left) await journal.begin();
    await journal.close();
    expect((await reopen()).get("t1")).toEqual(left);
  }
});
