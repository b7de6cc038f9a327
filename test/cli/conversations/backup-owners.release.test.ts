/**
 * `agentgraph backup`, `restore` and `verify` of agents that authenticate users: threads keep their owners, or nothing
 * is written.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Rehearsal } from "../support/rehearsal";

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await Rehearsal.start({ agentAuth: "custom" });
});
afterEach(() => rehearsal.emulator.stop());

/** Creates a thread of a user with one run. */
async function createThread(user: string, graph = "echo"): Promise<string> {
  const { thread_id: id } = await rehearsal.call<{ thread_id: string }>(0, "/threads", {}, { user });
  const input = { messages: [{ role: "user", content: `I am ${user}` }] };
  await rehearsal.call(0, `/threads/${id}/runs/wait`, { assistant_id: graph, input }, { user });
  return id;
}

const as = (user: string) => ["--header", `Authorization=Bearer ${user}`];

it("A header is in no file and no output", async () => {
  await createThread("ann-is-secret");
  const header = ["--header", "X-Other=a-secret-value"];
  const backup = await rehearsal.backup(...header, ...as("ann-is-secret"));
  const restore = await rehearsal.restore(...header);
  for (const { stdout, stderr } of [backup, restore]) expect(stdout + stderr).not.toContain("a-secret-value");
  const folder = join(rehearsal.folder, "backup");
  for (const name of await readdir(folder))
    expect((await readFile(join(folder, name))).includes("a-secret-value")).toBe(false);
});

it("With --latest-only, the latest state of finished threads is restored, and the summary says so", async () => {
  const id = await createThread("ann");
  const waiting = await createThread("ann", "interrupt");
  await rehearsal.backup(...as("ann"));
  const { code, stdout } = await rehearsal.restore(...as("ann"), "--latest-only");
  expect([code, stdout]).toEqual([1, expect.stringContaining(`  ${waiting}: it has not finished`)]);
  expect(stdout).toMatch(/^Restored 1 thread, 1 of them with their latest state only, /);
  const state = await rehearsal.call(1, `/threads/${id}/state`, undefined, { user: "ann" });
  expect(state).toMatchObject({ values: { messages: [{ content: "I am ann" }, {}] }, next: [] });
});

it.each([
  [["--header", "Authorization: Bearer s3cr3t"], "--header: it must be NAME=VALUE."],
  [["--as-owner-header", "Authorization=Bearer s3cr3t"], "name a key of the metadata of threads in braces"],
])("The header %j is refused, and not repeated", async (args, message) => {
  const { code, stderr } = await rehearsal.run("verify", "--from", "x", "--deployment", "second", ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).not.toContain("s3cr3t");
});
