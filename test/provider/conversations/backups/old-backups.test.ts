/**
 * Backups of both published servers as version 0.1.0 has written them: every later version must read and restore them,
 * so their files never change. One that is damaged is refused before anything is written.
 */
import { createHash } from "node:crypto";
import { appendFile, cp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ageDecryption } from "../../../../cli/conversations/age";
import { newFolder } from "../../../../emulator/test/support/folder";
import { BackupReader } from "../../../../provider/conversations/file/backup-reader";
import { BackupWriter } from "../../../../provider/conversations/file/backup-writer";
import { Journal } from "../../../../provider/conversations/file/journal";
import { parseLossless } from "../../../../provider/conversations/lossless-json";
import { Folder } from "../../../../provider/conversations/place/folder";
import { PARTS, restoreBackup } from "../../../../provider/conversations/restore";
import { ConversationServer, type Probe } from "../../../../provider/conversations/server/conversation-server";
import type { Conversation } from "../../../../provider/conversations/thread/read-thread";
import type { Waiting } from "../../../../provider/conversations/thread/restore-thread";
import { verifyBackup } from "../../../../provider/conversations/verify-backup";
import { all } from "../support/servers";

const RECORDED = join(__dirname, "../../../old-backups");
const NAMES = ["python-0.16.7", "python-0.16.7-encrypted", "javascript-1.5.1"];

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

async function open(name: string): Promise<BackupReader> {
  await cp(join(RECORDED, name), folder, { recursive: true });
  return reopen(name);
}

async function reopen(name: string): Promise<BackupReader> {
  const lines = (await readFile(join(RECORDED, "key.txt"), "utf8")).trimEnd().split("\n");
  const decryption = name.endsWith("encrypted") ? ageDecryption([lines.at(-1) ?? ""]) : undefined;
  return BackupReader.open(new Folder(folder), decryption);
}

/** Opens a backup, what a restore notes beside it, and a server that receives it. */
async function prepare(name: string, rejected?: RegExp) {
  const [reader, isPython] = [await open(name), name.startsWith("python")];
  const [target, journal] = [targetOf(await conversationsIn(reader), isPython, rejected), await openJournal()];
  opened.push(reader, journal);
  return { reader, isPython, target, journal };
}

const opened: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

async function conversationsIn(reader: BackupReader): Promise<Conversation[]> {
  return Promise.all(reader.entries.map(async (entry) => parseLossless(await reader.read(entry)) as Conversation));
}

async function linesOf(reader: BackupReader, of: "assistants" | "store" | "crons"): Promise<Record<string, unknown>[]> {
  return (await all(reader.lines(of))).map((line) => parseLossless(line) as Record<string, unknown>);
}

/** Answers as a server that has written what was sent, and shows it as the backup does. */
function targetOf(conversations: readonly Conversation[], isPython: boolean, rejected = /^$/) {
  const threads = new Set<string>();
  const respond = (method: string, path: string, body: Record<string, unknown>): [number, unknown] => {
    const [, id = ""] = /^\/threads\/([\da-f-]{36})/.exec(path) ?? [];
    if (rejected.test(path)) return [404, { detail: "no such assistant" }];
    if (method === "POST" && path === "/threads") threads.add(String(body.thread_id));
    if (path === "/assistants/search") return [200, [{ assistant_id: `assistant of ${body.graph_id}` }]];
    if (path.endsWith("/search")) return [200, path.startsWith("/store") ? { items: [] } : []];
    if (path.endsWith("/history")) {
      const conversation = conversations.find(({ thread }) => thread.thread_id === id);
      const { checkpoint_ns: namespace = "" } = (body.checkpoint ?? {}) as { checkpoint_ns?: string };
      const history = conversation?.children.find((child) => child.namespace === namespace)?.history;
      const states = namespace === "" ? conversation?.history : history;
      const { configurable, ...before } = Object(body.before);
      const last =
        configurable?.checkpoint_id ?? (typeof body.before === "string" ? body.before : before.checkpoint_id);
      const index = states?.findIndex(({ checkpoint }) => checkpoint.checkpoint_id === last) ?? -1;
      return threads.has(id) ? [200, states?.slice(index + 1, index + 1 + Number(body.limit)) ?? []] : [404, {}];
    }
    if (path.startsWith("/assistants/") && method === "GET") return [404, {}];
    return [200, { cron_id: "new", thread_id: body.thread_id ?? id }];
  };
  const probe: Probe = async ({ method, path, body }) => {
    const [status, json] = respond(method, path, Object(body));
    return { status, json, text: JSON.stringify(json) };
  };
  return new ConversationServer(probe, isPython);
}

const URL = "http://localhost:1/";
const openJournal = () => Journal.open(new Folder(folder), URL);

const restore = (reader: BackupReader, journal: Journal, target: ConversationServer, waiting: Waiting = "leave") =>
  restoreBackup({
    ...{ reader, journal, target, targetUrl: URL, parts: new Set(PARTS), waiting, isCrossLanguage: false },
    ...{ onProgress: () => undefined, isDeclared: () => waiting === "skip" },
  });

describe.each(NAMES)("the recorded backup %s", (name) => {
  it("contains the texts, the memory of a subgraph, the question, the versions, the item and the crons", async () => {
    const reader = await open(name);
    const conversations = await conversationsIn(reader);
    const contents = conversations.map(({ graphId, history, children }) => [
      ...[graphId, history.length],
      children.map(({ namespace, history: states }) => `${namespace} ${states.length > 0}`),
    ]);
    expect(contents.toSorted()).toEqual([
      ["ask", 3, []],
      ["chat", 6, []],
      ["mem2", 8, ["inner true"]],
      ["steps", 5, []],
    ]);
    expect(JSON.stringify(conversations)).toContain("two é 😀");
    if (!name.endsWith("encrypted"))
      expect(conversations.map(({ digest }) => digest)).toEqual(reader.entries.map(({ digest }) => digest));
    const versions = (await linesOf(reader, "assistants")).map((line) => (line.versions as object[]).length);
    expect(versions.toSorted().slice(-2)).toEqual([1, 2]);
    expect(await linesOf(reader, "store")).toMatchObject([{ namespace: ["users", "1"], key: "k/é", value: { a: 1 } }]);
    const crons = name.startsWith("python") ? [{ schedule: "0 5 1 1 *" }] : [];
    expect(await linesOf(reader, "crons")).toMatchObject(crons);
    await reader.close();
  });

  it("is not restored to a server in the other language, but to one in its own, and then equal", async () => {
    const { reader, isPython, target, journal } = await prepare(name);
    await expect(restore(reader, journal, targetOf([], !isPython))).rejects.toThrow("pass --cross-language");
    const restored = await restore(reader, journal, target);
    expect(restored).toMatchObject({ counts: { whole: 4, latest: 0, none: 0 }, failed: [], assistants: 1, items: 1 });
    expect(restored.crons).toBe(isPython ? 1 : 0);
    expect(await verifyBackup(reader, target, () => undefined)).toMatchObject({ whole: 4, different: [] });
  });

  it("is restored with all but the thread whose question cannot be asked, which is named", async () => {
    const { reader, isPython, target, journal } = await prepare(name, /\/wait$/);
    const restored = await restore(reader, journal, target, "ask-again");
    expect(restored).toMatchObject({ counts: { whole: 3, none: 1 }, crons: isPython ? 1 : 0 });
    expect(restored.failed).toMatchObject([{ reason: expect.stringContaining("/runs/wait: 404") }]);
  });

  it("is restored without the cron that a program declares, which would fire twice", async () => {
    const { reader, isPython, target, journal } = await prepare(name);
    const { crons, notes } = await restore(reader, journal, target, "skip");
    const left = notes.filter((note) => /cron \S+ was left out/.test(note));
    expect([crons, left.length]).toEqual([0, isPython ? 1 : 0]);
  });

  it("is restored by one command at a time, and the other one writes nothing", async () => {
    const { reader, target, journal } = await prepare(name);
    const other = await openJournal();
    await other.begin();
    await expect(restore(reader, journal, target)).rejects.toThrow("Another command has written");
    await expect(target.readHistory(reader.entries[0]?.id ?? "")).rejects.toThrow("404");
    await other.close();
  });

  it("is brought up to date without a key, and keeps its threads", async () => {
    await (await open(name)).close();
    const encryption = { encrypt: () => Promise.reject(new Error("nothing new is encrypted here")) };
    const writer = await BackupWriter.open(new Folder(folder), { isUpdated: true, encryption });
    const { server } = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
    await writer.begin(server.url, undefined);
    expect(writer.find("00000000-0000-4000-8000-000000000001")).toMatchObject({ graphId: "chat" });
    await writer.close();
  });
});

describe("a damaged backup", () => {
  const [part, index] = ["threads-0001-0001.ndjson.zst", "index-0001.ndjson"];
  const inManifest = async (change: (manifest: string) => string) => {
    const path = join(folder, "manifest.json");
    await writeFile(path, change(await readFile(path, "utf8")));
  };
  const flip = async (file: string) => {
    const bytes = await readFile(join(folder, file));
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    await writeFile(join(folder, file), bytes);
  };

  it.each<[string, () => Promise<unknown>, string]>([
    ["with a part that is cut off", () => truncate(join(folder, part), 100), `${part} is not the file`],
    ["with a part that is longer", () => appendFile(join(folder, part), "x"), `${part} is not the file`],
    ["with a changed byte in a part", () => flip(part), `${part} is not the file`],
    ["with a changed byte in a list", () => flip("store-0001.ndjson.zst"), "store-0001.ndjson.zst is not the file"],
    ["with half a line in its index", () => truncate(join(folder, index), 1000), `${index} is not the file`],
    ["without a part", () => rm(join(folder, part)), `${part} is missing.`],
    ["without its index", () => rm(join(folder, index)), `${index} is missing.`],
    ["without its manifest", () => rm(join(folder, "manifest.json")), "contains no complete backup"],
    ["whose manifest is empty", () => inManifest(() => ""), "is not the manifest of a backup"],
    ["whose manifest is cut off", () => inManifest((text) => text.slice(0, 500)), "is not the manifest of a backup"],
    ["of a later version", () => inManifest((text) => text.replace("backup/1", "backup/2")), "by a later version"],
    ["that leaves its folder", () => inManifest((text) => text.replaceAll(part, `../${part}`)), "is not the manifest"],
    ["that is not complete", () => inManifest((text) => text.replace("true", "false")), "is not the manifest"],
    ["with a wrong count", () => inManifest((text) => text.replace('"threads": 4', '"threads": 5')), "lacks lines"],
  ])("%s is refused", async (_what, damage, message) => {
    const name = "python-0.16.7";
    await (await open(name)).close();
    await damage();
    await expect(reopen(name)).rejects.toThrow(message);
    const left = (await readdir(folder)).filter((file) => file.startsWith("restored-to"));
    expect(left).toEqual([]);
  });

  it("has an index with a wrong position, and is refused when that is read", async () => {
    await (await open("python-0.16.7")).close();
    const saved = await readFile(join(folder, index), "utf8");
    const text = saved.replaceAll('"offset":0', '"offset":1');
    await writeFile(join(folder, index), text);
    const digestOf = (content: string) => createHash("sha256").update(content).digest("hex");
    await inManifest((manifest) => manifest.replace(digestOf(saved), digestOf(text)));
    const reader = await reopen("python-0.16.7");
    const [entry] = reader.entries;
    await expect(entry && reader.read(entry)).rejects.toThrow(`${part} is not the file that the backup wrote`);
    await reader.close();
  });
});
