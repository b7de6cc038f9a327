/**
 * `agentgraph backup`, `restore` and `verify` between two agents of the emulator: what they print, refuse and leave
 * behind.
 */
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { startEmulator } from "../../emulator/src";
import { newFolder } from "../../emulator/test/support/folder";
import { agentgraph } from "./support/command";

const KEY = "the-key-of-backups";
let folder: string;
let emulator: Awaited<ReturnType<typeof startEmulator>>;
let agents: string[];

async function call<T = Record<string, unknown>>(path: string, body?: object, method = "POST"): Promise<T> {
  const headers = { "x-api-key": KEY, ...(body && { "content-type": "application/json" }) };
  const url = emulator.urls.controlPlane + path;
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function run(...args: string[]) {
  const { accessKeyId, secretAccessKey, url } = emulator.bucket;
  const bucket = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_ENDPOINT_URL: url };
  const settings = { AGENTGRAPH_URL: emulator.urls.controlPlane, AGENTGRAPH_API_KEY: KEY, ...bucket };
  const ended = await agentgraph({ args, cwd: folder, env: settings });
  const output = ended.stdout + ended.stderr;
  for (const secret of [KEY, accessKeyId, secretAccessKey, IDENTITY]) expect(output).not.toContain(secret);
  return ended;
}

/** Returns the ID of a thread of the first agent in which a run has ended. */
async function createThread(): Promise<string> {
  const metadata = { owner: "ann" };
  const { thread_id: id } = await call<{ thread_id: string }>(`/agents/${agents[0]}/threads`, { metadata });
  await say(agents[0] ?? "", id, "echo", { input: human("hello") });
  return id;
}

const human = (content: string) => ({ messages: [{ role: "user", content }] });

/** Runs a graph on a thread. Returns its values. */
const say = (agent: string, id: string, assistant_id: string, request: object) =>
  call<{ messages?: { content: string }[] }>(`/agents/${agent}/threads/${id}/runs/wait`, { assistant_id, ...request });

beforeEach(async () => {
  folder = newFolder();
  emulator = await startEmulator({ apiKey: KEY, speed: "instant" });
  const config = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
  const seeded = await emulator.seed({
    deployments: ["first", "second", "third"].map((name) => ({ name, ...config })),
  });
  agents = seeded.deployments ?? [];
});
afterEach(() => emulator.stop());

it("A backup is restored to another agent under the same IDs, and a second restore writes nothing", async () => {
  const id = await createThread();
  const backup = await run("backup", "--deployment", "first", "--to", "backup");
  expect(backup.stdout).toMatch(
    /^Backed up 1 thread, \d+ assistants, 0 stored items, 0 crons of http.* to .*backup\.\n/,
  );
  const restore = await run("restore", "--from", "backup", "--deployment", "second");
  expect(restore).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored 1 thread/) });
  expect(restore.stdout).toContain(
    "Not the same: IDs of checkpoints and questions, times, runs; 1 AI message without token counts (1 thread).",
  );
  const { values, metadata } = await call<{ values: { messages: object[] }; metadata: object }>(
    `/agents/${agents[1]}/threads/${id}`,
    undefined,
    "GET",
  );
  expect(metadata).toMatchObject({ owner: "ann", graph_id: "echo" });
  expect(values.messages).toMatchObject([{ content: "hello" }, { content: "Echo: hello" }]);
  const again = await run("restore", "--from", "backup", "--deployment", "second", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ assistants: 0, crons: 0, failed: [] });
  const verified = await run("verify", "--from", "backup", "--deployment", "second", "--json");
  expect(JSON.parse(verified.stdout)).toMatchObject({ version: 1, different: [] });
});

it("A restored agent remembers, asks its question again, continues with the answer, and has the items", async () => {
  const [first = "", second = ""] = agents;
  const start = async (graph: string) => {
    const { thread_id: id } = await call<{ thread_id: string }>(`/agents/${first}/threads`, {});
    await say(first, id, graph, { input: human("one") });
    return id;
  };
  const [memory, question] = [await start("memory"), await start("interrupt")];
  const item = { namespace: ["users", "1"], key: "k", value: { a: 1 } };
  await call(`/agents/${first}/store/items`, item, "PUT");
  await run("backup", "--deployment", "first", "--to", "backup");
  const refused = await run("restore", "--from", "backup", "--deployment", "second");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("1 thread of the backup waits for an")]);
  const { stdout } = await run("restore", "--from", "backup", "--deployment", "second", "--waiting", "ask-again");
  expect(stdout).toMatch(/^Restored 2 threads, 0 assistants, 1 stored item, 0 crons.\n1 thread asks again.\n/);
  const { messages } = await say(second, memory, "memory", { input: human("two") });
  expect(messages?.at(-1)?.content).toBe("I have heard: one, two");
  const { interrupts } = await call<{ interrupts: object }>(`/agents/${second}/threads/${question}`, undefined, "GET");
  expect(Object.values(interrupts)).toMatchObject([[{ value: "Shall I finish?" }]]);
  expect(await say(second, question, "interrupt", { command: { resume: "yes" } })).toMatchObject({ resumed: "yes" });
  const found = await call(`/agents/${second}/store/items?namespace=users.1&key=k`, undefined, "GET");
  expect(found).toMatchObject(item);
});

/** Written by age-keygen for this test. */
const IDENTITY = "AGE-SECRET-KEY-16K8NL69CKDNLYEMH0PVWXRVA4LRFL47KFQLJXYWQL677H2AFUZGQ73UWAS";
const RECIPIENT = "age1rmgruzmtx3w74ydlvelnz0s9jardrtg6un3l7zdz0q2aakaake2qcc9e3a";

it("An encrypted backup in a bucket is updated, restored and compared as one in a folder", async () => {
  await createThread();
  const at = "s3://exports/conversations/first";
  await writeFile(join(folder, "recipients"), `# of this test\n${RECIPIENT}\n`);
  await writeFile(join(folder, "key"), `# public key: ${RECIPIENT}\n${IDENTITY}\n`);
  const written = await run("backup", "--deployment", "first", "--to", at, "--encrypt-to", "recipients");
  expect(written.stdout).toContain(`The content is encrypted to ${RECIPIENT}.`);
  await createThread();
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
  await createThread();
  const cron = {
    assistant_id: "echo",
    schedule: "0 5 1 1 *",
    input: {},
    webhook: "https://hooks.example.com/?key=s3cr3t",
  };
  await call(`/agents/${agents[0]}/runs/crons`, cron);
  await run("backup", "--deployment", "first", "--to", "backup");
  const saved = await readFile(join(folder, "backup", "crons-0001.ndjson.zst"));
  const text = zstdDecompressSync(saved.subarray(12)).toString();
  expect(text).toContain("0 5 1 1 *");
  expect(text).not.toContain("s3cr3t");
  const { stdout } = await run("restore", "--from", "backup", "--deployment", "second");
  expect(stdout).toMatch(
    /Restored 1 thread, .* 1 cron\.\n(.*\n)*Note: cron .* has no webhook: a backup contains none\./,
  );
});

it("What the server rejects of a restore is named with its cause, and the rest is restored and runs", async () => {
  const [first = "", second = ""] = agents;
  const { thread_id: id } = await call<{ thread_id: string }>(`/agents/${first}/threads`, {});
  await say(first, id, "interrupt", { input: human("one") });
  const cron = { assistant_id: "echo", input: {} };
  await call(`/agents/${first}/threads/${id}/runs/crons`, { ...cron, schedule: "0 5 1 1 *" });
  await call(`/agents/${first}/runs/crons`, { ...cron, schedule: "0 6 1 1 *" });
  await call(`/agents/${first}/assistants`, { graph_id: "echo" });
  await call(`/agents/${first}/store/items`, { namespace: ["a"], key: "k", value: {} }, "PUT");
  await run("backup", "--deployment", "first", "--to", "backup");
  for (const path of ["/assistants", "/store/items"])
    await emulator.faults.add({ path: `/agents/*${path}`, status: 422, times: 1 });
  const restore = ["restore", "--from", "backup", "--deployment", "second", "--waiting", "skip"];
  const { code, stdout } = await run(...restore);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Restored 0 threads, 0 assistants, 0 stored items, 1 cron\./);
  expect(stdout).toMatch(/\n1 thread is not restored:\n {2}.*skipped\n3 others are not restored:\n/);
  expect(stdout).toMatch(/\n {2}stored item k in a: PUT \/store\/items: 422/);
  expect(stdout).toMatch(/\n {2}assistant \S+: POST \/assistants: 422/);
  expect(stdout).toMatch(/\n {2}cron \S+: POST \S+: 404: .*not found/);
  const crons = `/agents/${second}/runs/crons/search`;
  expect(await call(crons, {})).toMatchObject([{ schedule: "0 6 1 1 *", enabled: true }]);
  expect((await run(...restore)).stdout).toMatch(/^Restored 0 threads, 1 assistant, 1 stored item, 0 crons\./);
  expect(await call(crons, {})).toHaveLength(1);
});

it("Two equal crons are two after a restore that was killed before it created the second", async () => {
  const [first = "", second = ""] = agents;
  await createThread();
  const cron = { assistant_id: "echo", schedule: "0 5 1 1 *", input: {}, enabled: false };
  for (const _ of [1, 2]) await call(`/agents/${first}/runs/crons`, cron);
  await run("backup", "--deployment", "first", "--to", "backup");
  const restore = ["restore", "--from", "backup", "--deployment", "second"];
  await run(...restore);
  const [name = ""] = (await readdir(join(folder, "backup"))).filter((file) => file.startsWith("restored-to-"));
  const journal = join(folder, "backup", name);
  const { id, created } = JSON.parse((await readFile(journal, "utf8")).trim().split("\n").at(-1) ?? "");
  await appendFile(journal, `${JSON.stringify({ id, state: "begin" })}\n`);
  await call(`/agents/${second}/runs/crons/${created}`, undefined, "DELETE");
  expect((await run(...restore)).stdout).toMatch(/ 1 cron\./);
  expect(await call(`/agents/${second}/runs/crons/search`, {})).toHaveLength(2);
});

it("A comparison names a thread that is missing, and its exit code is 1", async () => {
  const id = await createThread();
  await run("backup", "--deployment", "first", "--to", "backup");
  const { code, stdout } = await run("verify", "--from", "backup", "--deployment", "second");
  expect([code, stdout]).toEqual([1, expect.stringContaining(`1 thread is different:\n  ${id}: it does not exist`)]);
});

it("A restore writes nothing over a thread of someone else, nor to the agent of the backup", async () => {
  const id = await createThread();
  await run("backup", "--deployment", "first", "--to", "backup");
  await call(`/agents/${agents[1]}/threads`, { thread_id: id });
  const taken = await run("restore", "--from", "backup", "--deployment", "second");
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(`already has thread ${id} of the backup`)]);
  const same = await run("restore", "--from", "backup", "--deployment", "first");
  expect([same.code, same.stderr]).toEqual([1, expect.stringContaining("Restore it to another agent server.")]);
});

it("A killed restore, and a newer backup, replace what was written, but no thread that was used since", async () => {
  const id = await createThread();
  await run("backup", "--deployment", "first", "--to", "backup");
  const restore = ["restore", "--from", "backup", "--deployment", "second"];
  await run(...restore);
  await say(agents[0] ?? "", id, "echo", { input: human("later") });
  await run("backup", "--deployment", "first", "--to", "backup", "--since-backup");
  await run(...restore);
  const path = `/agents/${agents[1]}/threads/${id}`;
  const read = async () => (await call<{ values: { messages: object[] } }>(path, undefined, "GET")).values.messages;
  expect(await read()).toHaveLength(4);
  const [journal = ""] = (await readdir(join(folder, "backup"))).filter((name) => name.startsWith("restored-to-"));
  const forgetEnd = () => appendFile(join(folder, "backup", journal), `${JSON.stringify({ id, state: "begin" })}\n`);
  await forgetEnd();
  expect(await run(...restore)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored 1 thread/) });
  await say(agents[1] ?? "", id, "echo", { input: human("after the move") });
  await forgetEnd();
  const { code, stdout } = await run(...restore);
  expect([code, stdout]).toEqual([1, expect.stringContaining(`${id}: a run has written to the thread since`)]);
  expect(await read()).toHaveLength(6);
});

it("Two agents at one address are restored apart", async () => {
  const id = await createThread();
  await run("backup", "--deployment", "first", "--to", "backup");
  for (const name of ["second", "third"])
    expect((await run("restore", "--from", "backup", "--deployment", name)).stdout).toMatch(/^Restored 1 thread/);
  for (const agent of agents)
    expect(await call(`/agents/${agent}/threads/${id}`, undefined, "GET")).toMatchObject({ thread_id: id });
});

it.each([
  ["counts its threads", []],
  ["does not count them", [{ path: "/agents/*/threads/count", status: 404, times: 9 }]],
])("A backup of a server that shows no thread and %s is refused, unless that is right", async (_server, faults) => {
  for (const fault of faults) await emulator.faults.add(fault);
  const { code, stderr } = await run("backup", "--deployment", "first", "--to", "backup");
  expect([code, stderr]).toEqual([1, expect.stringContaining("shows no thread to this API key")]);
  expect((await run("backup", "--deployment", "first", "--to", "backup", "--empty-is-right")).code).toBe(0);
  const manifest = JSON.parse(await readFile(join(folder, "backup", "manifest.json"), "utf8"));
  expect(manifest.counts).toMatchObject({ threads: 0 });
});

it.each([
  [["backup", "--to", "x"], "pass either --deployment or --url"],
  [["backup", "--deployment", "first"], "pass --to"],
  [["restore", "--deployment", "first"], "pass --from"],
  [["restore", "--from", "x", "--waiting", "maybe"], "must be one of ask-again, leave, skip"],
  [["verify", "--deployment", "first"], "pass --from"],
])("The arguments %j are refused", async (args, message) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
