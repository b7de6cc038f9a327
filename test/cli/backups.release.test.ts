/** `agentgraph backup`, `restore` and `verify` between two agents of the emulator: what they print and refuse. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { human, Rehearsal } from "./support/rehearsal";

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await Rehearsal.start();
});
afterEach(() => rehearsal.emulator.stop());

it("A backup is restored to another agent under the same IDs, and a second restore writes nothing", async () => {
  const id = await rehearsal.createThread();
  const { stdout } = await rehearsal.backup();
  expect(stdout).toMatch(/^Backed up 1 thread, \d+ assistants, 0 stored items, 0 crons of http.* to .*backup\.\n/);
  const restore = await rehearsal.restore();
  expect(restore).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored 1 thread/) });
  expect(restore.stdout).toContain(
    "Not the same: IDs of checkpoints and questions, times, runs; 1 AI message without token counts (1 thread).",
  );
  expect(await rehearsal.call(1, `/threads/${id}`)).toMatchObject({
    metadata: { owner: "ann", graph_id: "echo" },
    values: { messages: [{ content: "hello" }, { content: "Echo: hello" }] },
  });
  const again = await rehearsal.restore("--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ assistants: 0, crons: 0, failed: [] });
  const verified = await rehearsal.run("verify", "--from", "backup", "--deployment", "second", "--json");
  expect(JSON.parse(verified.stdout)).toMatchObject({ version: 1, different: [] });
});

it("A restored agent remembers, asks its question again, continues with the answer, and has the items", async () => {
  const [memory, question] = [await rehearsal.createThread("memory"), await rehearsal.createThread("interrupt")];
  const item = { namespace: ["users", "1"], key: "k", value: { a: 1 } };
  await rehearsal.call(0, "/store/items", item, { method: "PUT" });
  await rehearsal.backup();
  const refused = await rehearsal.restore();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("1 thread of the backup waits for an")]);
  const { stdout } = await rehearsal.restore("--waiting", "ask-again");
  expect(stdout).toMatch(/^Restored 2 threads, 0 assistants, 1 stored item, 0 crons.\n1 thread asks again.\n/);
  const { messages } = await rehearsal.say(1, memory, "memory", { input: human("two") });
  expect(messages?.at(-1)?.content).toBe("I have heard: hello, two");
  const { interrupts } = await rehearsal.call<{ interrupts: object }>(1, `/threads/${question}`);
  expect(Object.values(interrupts)).toMatchObject([[{ value: "Shall I finish?" }]]);
  const answer = { command: { resume: "yes" } };
  expect(await rehearsal.say(1, question, "interrupt", answer)).toMatchObject({ resumed: "yes" });
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

it("A comparison names a thread that is missing, and its exit code is 1", async () => {
  const id = await rehearsal.createThread();
  await rehearsal.backup();
  const { code, stdout } = await rehearsal.run("verify", "--from", "backup", "--deployment", "second");
  expect([code, stdout]).toEqual([1, expect.stringContaining(`1 thread is different:\n  ${id}: it does not exist`)]);
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
  [["restore", "--deployment", "first"], "pass --from"],
  [["restore", "--from", "x", "--waiting", "maybe"], "must be one of ask-again, leave, skip"],
  [["verify", "--deployment", "first"], "pass --from"],
])("The arguments %j are refused", async (args, message) => {
  const { code, stderr } = await rehearsal.run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
