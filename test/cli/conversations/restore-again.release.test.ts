/** `agentgraph restore` where an earlier one was killed, or the server rejected a part of it. */
import { appendFile } from "node:fs/promises";
import { human, Rehearsal } from "../support/rehearsal";

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await Rehearsal.start();
});
afterEach(() => rehearsal.emulator.stop());

/** Backs two equal crons up. */
async function backUpEqualCrons() {
  await rehearsal.createThread();
  const cron = { assistant_id: "echo", schedule: "0 5 1 1 *", input: {}, enabled: false };
  for (const _ of [1, 2]) await rehearsal.call(0, "/runs/crons", cron);
  await rehearsal.backup();
}

/** What a restore notes before it writes an object: a killed one has noted nothing else. */
const forgetEnd = async (id: string) =>
  appendFile(await rehearsal.journal(), `${JSON.stringify({ id, state: "begin" })}\n`);

const crons = () => rehearsal.call(1, "/runs/crons/search", {});

it("What the server rejects of a restore is named with its cause, and the rest is restored and runs", async () => {
  const id = await rehearsal.createThread("interrupt");
  const cron = { assistant_id: "echo", input: {} };
  await rehearsal.call(0, `/threads/${id}/runs/crons`, { ...cron, schedule: "0 5 1 1 *" });
  await rehearsal.call(0, "/runs/crons", { ...cron, schedule: "0 6 1 1 *" });
  await rehearsal.call(0, "/assistants", { graph_id: "echo" });
  await rehearsal.call(0, "/store/items", { namespace: ["a"], key: "k", value: {} }, { method: "PUT" });
  await rehearsal.backup();
  for (const path of ["/assistants", "/store/items"])
    await rehearsal.emulator.faults.add({ path: `/agents/*${path}`, status: 422, times: 1 });
  const { code, stdout } = await rehearsal.restore("--waiting", "skip");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Restored 0 threads, 0 assistants, 0 stored items, 1 cron\./);
  expect(stdout).toMatch(/\n1 thread is not restored:\n {2}.*skipped\n3 other objects are not restored:\n/);
  expect(stdout).toMatch(/\n {2}stored item k in a: PUT \/store\/items: 422/);
  expect(stdout).toMatch(/\n {2}assistant \S+: POST \/assistants: 422/);
  expect(stdout).toMatch(/\n {2}cron \S+: POST \S+: 404: .*not found/);
  expect(await crons()).toMatchObject([{ schedule: "0 6 1 1 *", enabled: true }]);
  const again = await rehearsal.restore("--waiting", "skip");
  expect(again.stdout).toMatch(/^Restored 0 threads, 1 assistant, 1 stored item, 0 crons\./);
  expect(await crons()).toHaveLength(1);
});

it("The first of two equal crons is restored, too, after the server rejected it once", async () => {
  await backUpEqualCrons();
  await rehearsal.emulator.faults.add({ method: "POST", path: "/agents/*/runs/crons", status: 500, times: 1 });
  expect((await rehearsal.restore()).code).toBe(1);
  expect(await rehearsal.restore()).toMatchObject({ code: 0 });
  expect(await crons()).toHaveLength(2);
});

it("A killed restore, and a newer backup, replace what was written, but no thread that was used since", async () => {
  const id = await rehearsal.createThread();
  await rehearsal.backup();
  await rehearsal.restore();
  await rehearsal.say(0, id, "echo", { input: human("later") });
  await rehearsal.backup("--since-backup");
  await rehearsal.restore();
  const read = async () =>
    (await rehearsal.call<{ values: { messages: object[] } }>(1, `/threads/${id}`)).values.messages;
  expect(await read()).toHaveLength(4);
  await forgetEnd(id);
  expect(await rehearsal.restore()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored 1 thread/) });
  await rehearsal.say(1, id, "echo", { input: human("after the move") });
  await forgetEnd(id);
  const { code, stdout } = await rehearsal.restore();
  expect([code, stdout]).toEqual([1, expect.stringContaining(`${id}: a run has written to the thread since`)]);
  expect(await read()).toHaveLength(6);
});

it("What users have deleted since a restore stays deleted when it is repeated", async () => {
  const threads = [await rehearsal.createThread(), await rehearsal.createThread()];
  await rehearsal.call(0, "/runs/crons", { assistant_id: "echo", schedule: "0 5 1 1 *", input: {} });
  const { assistant_id: assistant } = await rehearsal.call(0, "/assistants", { graph_id: "echo" });
  await rehearsal.backup();
  await rehearsal.restore();
  const [cron] = Object.values(await crons()) as { cron_id: string }[];
  const [thread, other] = threads.map((id) => `/threads/${id}`) as [string, string];
  const deleteAt = (path: string) => rehearsal.call(1, path, undefined, { method: "DELETE" });
  for (const path of [thread, `/assistants/${assistant}`, `/runs/crons/${cron?.cron_id}`]) await deleteAt(path);
  const { code, stdout } = await rehearsal.restore();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Restored 2 threads, 0 assistants, .* 0 crons\./)]);
  expect(await rehearsal.call(1, thread)).toEqual({ detail: expect.any(String) });
  expect(await rehearsal.call(1, other)).toMatchObject({ status: "idle" });
  expect(await crons()).toEqual([]);
  // Without any of the threads, it may be another server.
  await deleteAt(other);
  expect((await rehearsal.restore()).stdout).toMatch(/^Restored 2 threads, 1 assistant, .* 1 cron\.\nNote: the server/);
});
