/** `agentgraph backup`, `restore` and `verify` between two agents of the emulator: what they print and refuse. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { Rehearsal } from "../support/rehearsal";

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await Rehearsal.start();
});
afterEach(() => rehearsal.emulator.stop());

it("A thread that waits is not restored without a choice, and stored items are restored with it", async () => {
  await rehearsal.createThread("interrupt");
  const item = { namespace: ["users", "1"], key: "k", value: { a: 1 } };
  await rehearsal.call(0, "/store/items", item, { method: "PUT" });
  await rehearsal.backup("--json");
  const refused = await rehearsal.restore();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("1 thread of the backup waits for an")]);
  await rehearsal.restore("--waiting", "leave", "--json");
  expect(await rehearsal.call(1, "/store/items?namespace=users.1&key=k")).toMatchObject(item);
});

/** Written by age-keygen for this test. */
const IDENTITY = "AGE-SECRET-KEY-16K8NL69CKDNLYEMH0PVWXRVA4LRFL47KFQLJXYWQL677H2AFUZGQ73UWAS";
const RECIPIENT = "age1rmgruzmtx3w74ydlvelnz0s9jardrtg6un3l7zdz0q2aakaake2qcc9e3a";

it("An encrypted backup in a bucket is updated, restored and compared as one in a folder", async () => {
  const { folder } = rehearsal;
  const run = async (...args: string[]) => {
    const ended = await rehearsal.run(...args);
    expect(ended.stdout + ended.stderr).not.toContain(IDENTITY);
    return ended;
  };
  await rehearsal.createThread();
  const at = "s3://exports/conversations/first";
  await writeFile(join(folder, "recipients"), `# of this test\n${RECIPIENT}\n`);
  await writeFile(join(folder, "key"), `# public key: ${RECIPIENT}\n${IDENTITY}\n`);
  const written = await run("backup", "--deployment", "first", "--to", at, "--encrypt-to", "recipients");
  expect(written.stdout).toContain(`The content is encrypted to ${RECIPIENT}.`);
  await rehearsal.createThread();
  const updated = await run("backup", "--deployment", "first", "--to", at, "--since-backup");
  expect(updated.stdout).toContain(`to ${at}.\n1 thread had not changed since the last backup.\n`);
  const closed = await run("restore", "--from", at, "--deployment", "second");
  expect([closed.code, closed.stderr]).toEqual([1, expect.stringContaining("Pass --identity with the file of a key.")]);
  const wrong = await run("restore", "--from", at, "--deployment", "second", "--identity", "recipients");
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("is not a key of age")]);
  const restored = await run("restore", "--from", at, "--deployment", "second", "--identity", "key");
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored 2 threads/) });
  const verified = await run("verify", "--from", at, "--deployment", "second", "--identity", "key", "--json");
  expect(JSON.parse(verified.stdout)).toMatchObject({ whole: 2, different: [] });
  const refused = await run("backup", "--deployment", "first", "--to", "s3://exports");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("names no prefix in the bucket")]);
});

it("A backup contains no webhook of a cron, and the restore says so", async () => {
  await rehearsal.createThread();
  const webhook = "https://hooks.example.com/?key=s3cr3t";
  await rehearsal.call(0, "/runs/crons", { assistant_id: "echo", schedule: "0 5 1 1 *", input: {}, webhook });
  await rehearsal.backup();
  const saved = await readFile(join(rehearsal.folder, "backup", "crons-0001.ndjson.zst"));
  const text = zstdDecompressSync(saved.subarray(12)).toString();
  expect(text).toContain("0 5 1 1 *");
  expect(text).not.toContain("s3cr3t");
  const { stdout } = await rehearsal.restore();
  expect(stdout).toMatch(
    /Restored 1 thread, .* 1 cron\.\n(.*\n)*Note: cron .* has no webhook: a backup contains none\./,
  );
});

it("A restore writes nothing over a thread of someone else, nor to the agent of the backup", async () => {
  const id = await rehearsal.createThread();
  await rehearsal.backup();
  await rehearsal.call(1, "/threads", { thread_id: id });
  const taken = await rehearsal.restore();
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(`already has thread ${id} of the backup`)]);
  const same = await rehearsal.run("restore", "--from", "backup", "--deployment", "first");
  expect([same.code, same.stderr]).toEqual([1, expect.stringContaining("Restore it to another agent server.")]);
});

it("Two agents at one address are restored apart", async () => {
  const id = await rehearsal.createThread();
  await rehearsal.backup();
  for (const name of ["second", "third"])
    expect((await rehearsal.run("restore", "--from", "backup", "--deployment", name)).stdout).toMatch(/^Restored 1 /);
  for (const agent of [0, 1, 2]) expect(await rehearsal.call(agent, `/threads/${id}`)).toMatchObject({ thread_id: id });
});

it.each([
  ["counts its threads", []],
  ["does not count them", [{ path: "/agents/*/threads/count", status: 404, times: 9 }]],
])("A backup of a server that shows no thread and %s is refused, unless that is right", async (_server, faults) => {
  for (const fault of faults) await rehearsal.emulator.faults.add(fault);
  const { code, stderr } = await rehearsal.backup();
  expect([code, stderr]).toEqual([1, expect.stringContaining("shows no thread to this API key")]);
  expect((await rehearsal.backup("--empty-is-right")).code).toBe(0);
  const manifest = JSON.parse(await readFile(join(rehearsal.folder, "backup", "manifest.json"), "utf8"));
  expect(manifest.counts).toMatchObject({ threads: 0 });
});

it.each([
  [["backup", "--to", "x"], "pass either --deployment or --url"],
  [["backup", "--deployment", "first"], "pass --to"],
  [["restore", "--from", "x", "--waiting", "maybe"], "must be one of ask-again, leave, skip"],
])("The arguments %j are refused", async (args, message) => {
  const { code, stderr } = await rehearsal.run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
