/** Backups in buckets, the same on every server: what is stored, and what others see meanwhile. */
import { randomBytes } from "node:crypto";
import { BackupWriter } from "../../../../provider/conversations/file/backup-writer";
import { Journal } from "../../../../provider/conversations/file/journal";
import { openBucket } from "../../../../provider/conversations/place/bucket/bucket";
import type { Place } from "../../../../provider/conversations/place/place";
import { begin, entry, environmentOf, finish, threadsIn } from "./backups";

type Access = Parameters<typeof environmentOf>[0] & { stop(): Promise<void> };

/** Describes backups in the bucket `exports` of a server. */
export const describeBackups = (server: string, start: () => Promise<Access>) =>
  describe(`a backup in a bucket of ${server}`, () => {
    let access: Access;
    let count = 0;
    let place: Place;
    beforeAll(async () => {
      access = await start();
    });
    afterAll(() => access.stop());
    beforeEach(() => {
      place = openBucket(`s3://exports/backups/b (${++count})+é`, environmentOf(access));
    });
    afterEach(() => place.close());

    it("contains each thread, also one that is larger than what a request sends", async () => {
      const large = randomBytes(6_000_000).toString("base64");
      const writer = await begin(place);
      await Promise.all([writer.append(entry("a"), large), writer.append(entry("b"), '"b"')]);
      await finish(writer);
      expect(await threadsIn(place)).toEqual({ a: large, b: '"b"' });
      const names = ["assistants-0001.ndjson.zst", "crons-0001.ndjson.zst", "index-0001.ndjson", "manifest.json"];
      expect((await place.files()).sort()).toEqual([...names, "store-0001.ndjson.zst", "threads-0001-0001.ndjson.zst"]);
    });

    it("that ended early keeps its threads, and its update replaces it at once", async () => {
      const first = await begin(place);
      await first.append(entry("a"), '"a"');
      await first.close();
      const second = await begin(place);
      expect(second.find("a")).toMatchObject({ part: "threads-0001-0001.ndjson.zst" });
      await second.append(entry("b"), '"b"');
      await finish(second);
      const update = await begin(place, { isUpdated: true });
      await update.append(entry("b"), '"b2"');
      expect(await threadsIn(place)).toEqual({ a: '"a"', b: '"b"' });
      await finish(update);
      expect(await threadsIn(place)).toEqual({ a: '"a"', b: '"b2"' });
      await expect(begin(place)).rejects.toThrow("Choose another bucket, or pass --since-backup");
    });

    it("leaves nothing of a killed command that had begun to send a large part", async () => {
      const killed = await begin(place);
      await killed.append(entry("a"), randomBytes(6_000_000).toString("base64"));
      const next = await begin(place);
      expect(next.find("a")).toBeUndefined();
      await next.append(entry("b"), '"b"');
      await finish(next);
      expect(await threadsIn(place)).toEqual({ b: '"b"' });
      await expect(killed.append(entry("c"), "").then(() => finish(killed))).rejects.toThrow();
      expect(await threadsIn(place)).toEqual({ b: '"b"' });
    });

    it("notes what a restore writes before it does, in few objects", async () => {
      const journal = await Journal.open(place, "https://agent.example");
      const ids = Array.from({ length: 3000 }, (_, index) => `thread-${index}`);
      for (let at = 0; at < ids.length; at += 100)
        await Promise.all(
          ids.slice(at, at + 100).map((id) => journal.note({ id, state: "begin", digest: "d".repeat(64) })),
        );
      const [first, second] = [
        await Journal.open(place, "https://agent.example"),
        await place.openLog("restored-to-agent.example-745cf503.ndjson"),
      ];
      expect(ids.filter((id) => first.get(id)?.state !== "begin")).toEqual([]);
      expect((await place.files()).length).toBeLessThan(8);
      await second.append("{}");
      await expect(journal.note({ id: "late", state: "begin" })).rejects.toThrow("Another command has written");
    });

    it("is not continued in another object of a log where someone has changed the one before", async () => {
      const log = await place.openLog("log");
      await log.append("x".repeat(70_000));
      await place.write("log.000001", Buffer.from("of another program\n"));
      await expect(log.append("y")).rejects.toThrow("Another command has written");
    });

    it("lists the places below one, and reads a range", async () => {
      await place.at("one/two").write("file", Buffer.from("0123456789"));
      await place.at("other").write("file", Buffer.from(""));
      expect([await place.places(), await place.files()]).toEqual([["one", "other"], []]);
      expect((await place.at("one").places()).concat(await place.at("one/two").files())).toEqual(["two", "file"]);
      expect((await place.at("one/two").readRange("file", 3, 4)).toString()).toBe("3456");
      await expect(place.at("one/two").readRange("file", 8, 4)).rejects.toThrow("file: its end is missing.");
      const content = await place.at("one/two").read("file");
      await expect(place.at("one/two").write("file", Buffer.from(""), "absent")).rejects.toThrow("Another command");
      await place.at("one/two").write("file", Buffer.from("new"), { version: content?.version ?? "" });
      await expect(
        place.at("one/two").write("file", Buffer.from(""), { version: content?.version ?? "" }),
      ).rejects.toThrow("Another command");
    });

    it.each([
      ["a bucket that does not exist", "s3://absent-bucket/x", {}, /There is no bucket absent-bucket\./],
      ["another secret", "s3://exports/x", { AWS_SECRET_ACCESS_KEY: "wrong-wrong" }, /403 SignatureDoesNotMatch/],
      ["another key", "s3://exports/x", { AWS_ACCESS_KEY_ID: "AKIAUNKNOWN" }, /InvalidAccessKeyId|XAdminUserNotFound/],
    ])("is refused with %s", async (_what, at, env, message) => {
      const refused = openBucket(at, { ...environmentOf(access), ...env });
      const error = await BackupWriter.open(refused, { isUpdated: false }).catch((thrown: Error) => thrown);
      expect(String((error as Error).message)).toMatch(message);
      expect((error as Error).message).not.toMatch(/wrong-wrong|AKIAUNKNOWN/);
      await refused.close();
    });
  });
