/** The files of a backup: what they contain, who reads them, and what of an interrupted one is kept. */
import { appendFile, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newFolder } from "../../../../emulator/test/support/folder";
import { BackupReader } from "../../../../provider/conversations/file/backup-reader";
import { BackupWriter } from "../../../../provider/conversations/file/backup-writer";
import { Folder } from "../../../../provider/conversations/place/folder";
import { begin, entry, finish, threadsIn } from "../support/backups";
import { all } from "../support/servers";

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const place = () => new Folder(folder);

async function writeBackup(ids: readonly string[]): Promise<void> {
  const writer = await begin(place());
  await Promise.all(ids.map((id) => writer.append(entry(id), JSON.stringify({ id, text: "x".repeat(1000) }))));
  await finish(writer);
}

describe("a backup in a folder", () => {
  const onLinux = process.platform === "linux" ? it : it.skip;
  onLinux("in a file system that creates no folder ends with an error", async () => {
    await expect(begin(new Folder("/proc/none/backup"))).rejects.toThrow("it does not exist (ENOENT)");
  });

  it("creates the folders above it", async () => {
    await (await begin(new Folder(join(folder, "a", "b")))).close();
    expect((await stat(join(folder, "a"))).mode & 0o077).toBe(0);
  });

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
    expect(await all(reader.lines("store"))).toEqual(["1", "2"]);
    await reader.close();
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  });

  it("that was interrupted keeps the threads that it has written, also before half a line", async () => {
    const writer = await begin(place());
    await writer.append(entry("a"), "{}");
    await writer.close();
    await appendFile(join(folder, "index.partial.ndjson"), '{"id":"b","digest":"d","part":"thr');
    const next = await begin(place());
    expect(next.find("a")).toMatchObject({ latest: "c1", part: "threads-0001-0001.ndjson.zst" });
    expect(next.find("b")).toBeUndefined();
    await next.append(entry("b"), '{"id":"b"}');
    await finish(next);
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
    const writer = await begin(place(), { isUpdated: true });
    await writer.append(entry("b", "c2"), '{"id":"b2"}');
    // Until it has ended, the earlier one is complete.
    await (await BackupReader.open(place())).close();
    await finish(writer, (id) => id === "b");
    const reader = await BackupReader.open(place());
    expect(reader.entries).toMatchObject([{ id: "b", latest: "c2" }]);
    expect(await reader.read(reader.entries[0] as (typeof reader.entries)[number])).toBe('{"id":"b2"}');
    expect(
      (await readdir(folder)).filter((name) => name.includes("0001.ndjson") && !name.startsWith("threads")),
    ).toEqual([]);
    await reader.close();
  });

  it("ends the one of two commands that began earlier, and contains what the other wrote", async () => {
    const first = await begin(place());
    await first.append(entry("a"), '"first"');
    const second = await begin(place());
    await expect(first.append(entry("b"), '"first"')).rejects.toThrow("Another command has written");
    await first.close();
    await second.append(entry("b"), '"second"');
    await expect(finish(first)).rejects.toThrow("Another command has written");
    await finish(second);
    expect(await threadsIn(place())).toEqual({ a: '"first"', b: '"second"' });
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
