/** The files of a backup: what they contain, who reads them, and what of an interrupted one is kept. */
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BackupReader } from "../../../provider/conversations/file/backup-reader";
import { BackupWriter } from "../../../provider/conversations/file/backup-writer";
import type { Manifest } from "../../../provider/conversations/file/manifest";
import { Folder } from "../../../provider/conversations/place/folder";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentgraph-backup-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const place = () => new Folder(folder);

const time = "2026-11-27T00:00:00.000Z";
const about: Manifest["server"] = { url: "https://agent.example/", language: "python", version: "0.16.7" };
const end = { server: about, startedAt: time, finishedAt: time, counts: { assistants: 0, items: 0, crons: 0 } };
const entry = (id: string, latest = "c1") => ({ id, latest, digest: `digest of ${id}`, thread: "", status: "idle" });

async function begin(isUpdated = false): Promise<BackupWriter> {
  const writer = await BackupWriter.open(place(), { isUpdated });
  await writer.begin(about.url, undefined);
  return writer;
}

async function writeLists(writer: BackupWriter): Promise<void> {
  for (const list of ["assistants", "store", "crons"] as const) await writer.writeLines(list, ["1", "2"]);
}

async function writeBackup(ids: readonly string[], isUpdated = false): Promise<void> {
  const writer = await begin(isUpdated);
  await Promise.all(ids.map((id) => writer.append(entry(id), JSON.stringify({ id, text: "x".repeat(1000) }))));
  await writeLists(writer);
  await writer.finish(({ id }) => ids.includes(id), end);
}

describe("a backup in a folder", () => {
  it("returns each thread and each line that was written, and only its owner can read it", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `thread-${index}`);
    await writeBackup(ids);
    const reader = await BackupReader.open(place());
    expect(reader.manifest).toMatchObject({
      format: "agentgraph-backup/1",
      counts: { threads: 20, byStatus: { idle: 20 } },
    });
    const texts = await Promise.all(reader.entries.map(async (one) => JSON.parse(await reader.read(one)).id));
    expect(texts.toSorted()).toEqual(ids.toSorted());
    const lines: string[] = [];
    for await (const line of reader.lines("store")) lines.push(line);
    expect(lines).toEqual(["1", "2"]);
    await reader.close();
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  });

  it("is not complete without its manifest, which names no key", async () => {
    await writeBackup(["a"]);
    const text = await readFile(join(folder, "manifest.json"), "utf8");
    expect(Object.keys(JSON.parse(text).server)).toEqual(["url", "language", "version"]);
    await rm(join(folder, "manifest.json"));
    await expect(BackupReader.open(place())).rejects.toThrow("contains no complete backup");
  });

  it.each([
    ["changed", (path: string) => appendFile(path, "x")],
    ["cut off", (path: string) => truncate(path, 10)],
    ["missing", (path: string) => rm(path)],
  ])("is refused where a file is %s", async (_what, damage) => {
    await writeBackup(["a"]);
    await damage(join(folder, "threads-0001-0001.ndjson.zst"));
    await expect(BackupReader.open(place())).rejects.toThrow("is damaged: threads-0001-0001.ndjson.zst");
  });

  it("of a later version is refused as such", async () => {
    await writeBackup(["a"]);
    const path = join(folder, "manifest.json");
    await writeFile(path, (await readFile(path, "utf8")).replace("agentgraph-backup/1", "agentgraph-backup/2"));
    await expect(BackupReader.open(place())).rejects.toThrow("written by a later version of agentgraph");
  });

  it("that was interrupted keeps the threads that it has written, also where its last line is half of one", async () => {
    const writer = await begin();
    await writer.append(entry("a"), "{}");
    await writer.close();
    await appendFile(join(folder, "index.partial.ndjson"), '{"id":"b","digest":"d","part":"thr');
    const next = await begin();
    expect(next.find("a")).toMatchObject({ latest: "c1", part: "threads-0001-0001.ndjson.zst" });
    expect(next.find("b")).toBeUndefined();
    await next.append(entry("b"), '{"id":"b"}');
    await writeLists(next);
    await next.finish(() => true, end);
    const reader = await BackupReader.open(place());
    expect(reader.entries.map(({ id, part }) => [id, part])).toEqual([
      ["a", "threads-0001-0001.ndjson.zst"],
      ["b", "threads-0002-0001.ndjson.zst"],
    ]);
    await reader.close();
  });

  it("is not overwritten unless it is brought up to date, and then forgets what no longer exists", async () => {
    await writeBackup(["a", "b"]);
    await expect(BackupWriter.open(place(), { isUpdated: false })).rejects.toThrow(
      "pass --since-backup to bring it up to date",
    );
    const writer = await begin(true);
    await writer.append(entry("b", "c2"), '{"id":"b2"}');
    // Until it has ended, the earlier one is complete.
    await (await BackupReader.open(place())).close();
    await writeLists(writer);
    await writer.finish(({ id }) => id === "b", end);
    const reader = await BackupReader.open(place());
    expect(reader.entries).toMatchObject([{ id: "b", latest: "c2" }]);
    expect(await reader.read(reader.entries[0] as (typeof reader.entries)[number])).toBe('{"id":"b2"}');
    expect(
      (await readdir(folder)).filter((name) => name.includes("0001.ndjson") && !name.startsWith("threads")),
    ).toEqual([]);
    await reader.close();
  });

  it("ends the one of two commands that began earlier, and contains what the other wrote", async () => {
    const first = await begin();
    await first.append(entry("a"), '"first"');
    const second = await begin();
    await expect(first.append(entry("b"), '"first"')).rejects.toThrow("Another command has written");
    await first.close();
    await second.append(entry("b"), '"second"');
    await writeLists(second);
    await expect(first.finish(() => true, end)).rejects.toThrow("Another command has written");
    await second.finish(() => true, end);
    const reader = await BackupReader.open(place());
    const texts = await Promise.all(reader.entries.map(async (one) => [one.id, JSON.parse(await reader.read(one))]));
    expect(texts).toEqual([
      ["a", "first"],
      ["b", "second"],
    ]);
    await reader.close();
  });

  it.each([
    ["is a file", "file", "a part of its path is a file, not a folder (ENOTDIR)"],
    ["has a file where another folder is expected", "folder", "manifest.json: it is a folder (EISDIR)"],
  ])("names a path that cannot be used because it %s", async (_what, kind, message) => {
    const path = join(folder, "taken");
    if (kind === "file") await writeFile(path, "");
    else await mkdir(join(path, "manifest.json"), { recursive: true });
    await expect(BackupWriter.open(new Folder(path), { isUpdated: false })).rejects.toThrow(message);
  });
});
