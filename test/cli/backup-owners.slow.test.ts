/**
 * `agentgraph backup`, `restore` and `verify` of agents that authenticate users: threads keep their owners, or nothing
 * is written.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startEmulator } from "../../emulator/src";
import { newFolder } from "../../emulator/test/support/folder";
import { agentgraph } from "./support/command";

const KEY = "the-key-of-owners";
const TOKEN = "ann";
const OWNER = "agentgraph_auth_user_id";
let folder: string;
let emulator: Awaited<ReturnType<typeof startEmulator>>;
let agents: string[];

async function call<T = Record<string, unknown>>(path: string, user: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${user}`, ...(body && { "content-type": "application/json" }) };
  const url = emulator.urls.controlPlane + path;
  const method = body ? "POST" : "GET";
  return (await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json() as Promise<T>;
}

async function run(...args: string[]) {
  const env = { AGENTGRAPH_URL: emulator.urls.controlPlane, AGENTGRAPH_API_KEY: KEY };
  return agentgraph({ args, cwd: folder, env });
}

/** Creates a thread of a user with one run. */
async function createThread(user: string, graph = "echo"): Promise<string> {
  const { thread_id: id } = await call<{ thread_id: string }>(`/agents/${agents[0]}/threads`, user, {});
  const input = { messages: [{ role: "user", content: `I am ${user}` }] };
  await call(`/agents/${agents[0]}/threads/${id}/runs/wait`, user, { assistant_id: graph, input });
  return id;
}

beforeEach(async () => {
  folder = newFolder();
  emulator = await startEmulator({ apiKey: KEY, speed: "instant", agentAuth: "custom" });
  const config = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
  const seeded = await emulator.seed({ deployments: ["first", "second"].map((name) => ({ name, ...config })) });
  agents = seeded.deployments ?? [];
});
afterEach(() => emulator.stop());

const asAnn = ["--header", `Authorization=Bearer ${TOKEN}`];

it("A thread that would get another owner is not written, unless it is restored as its owner", async () => {
  const id = await createThread("ann");
  const hidden = await run("backup", "--deployment", "first", "--to", "backup");
  expect([hidden.code, hidden.stderr]).toEqual([
    1,
    expect.stringContaining("so pass the --header of an administrator"),
  ]);
  expect(await run("backup", "--deployment", "first", "--to", "backup", ...asAnn)).toMatchObject({ code: 0 });
  const restore = ["restore", "--from", "backup", "--deployment", "second"];
  const refused = await run(...restore, "--header", "Authorization=Bearer ops");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(
      `writes "ops" into ${OWNER} of each thread, so thread ${id} and others would get another owner`,
    ),
  ]);
  const wrong = await run(...restore, "--as-owner-header", `Authorization=Bearer x-{${OWNER}}`);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining(`writes "x-ann" into ${OWNER}`) });
  for (const user of ["ann", "ops", "x-ann"])
    expect(await call(`/agents/${agents[1]}/threads/search`, user, { limit: 10 })).toEqual([]);
  const asOwner = ["--as-owner-header", `Authorization=Bearer {${OWNER}}`];
  const restored = await run(...restore, "--header", "Authorization=Bearer ops", ...asOwner);
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("A thread of 1 owner was read as its owner"),
  });
  expect(await call(`/agents/${agents[1]}/threads/${id}`, "ann")).toMatchObject({
    metadata: { [OWNER]: "ann" },
    values: { messages: [{ content: "I am ann" }, {}] },
  });
  const verify = ["verify", "--from", "backup", "--deployment", "second", "--header", "Authorization=Bearer ops"];
  expect(await run(...verify)).toMatchObject({ code: 1, stdout: expect.stringContaining("it does not exist") });
  expect(await run(...verify, ...asOwner)).toMatchObject({ code: 0 });
});

it("A header is in no file and no output", async () => {
  await createThread("ann-is-secret");
  const header = ["--header", "X-Other=a-secret-value", "--header", "Authorization=Bearer ann-is-secret"];
  const backup = await run("backup", "--deployment", "first", "--to", "backup", ...header);
  const restore = await run(
    "restore",
    "--from",
    "backup",
    "--deployment",
    "second",
    "--header",
    "X-Other=a-secret-value",
  );
  for (const { stdout, stderr } of [backup, restore]) expect(stdout + stderr).not.toContain("a-secret-value");
  for (const name of await readdir(join(folder, "backup")))
    expect((await readFile(join(folder, "backup", name))).includes("a-secret-value")).toBe(false);
});

it("With --latest-only, the latest state of finished threads is restored, and the summary says so", async () => {
  const id = await createThread("ann");
  const waiting = await createThread("ann", "interrupt");
  await run("backup", "--deployment", "first", "--to", "backup", ...asAnn);
  const restore = ["restore", "--from", "backup", "--deployment", "second", ...asAnn, "--latest-only"];
  const { code, stdout } = await run(...restore);
  expect([code, stdout]).toEqual([1, expect.stringContaining(`  ${waiting}: it has not finished`)]);
  expect(stdout).toMatch(/^Restored 1 thread, 1 of them with their latest state only, /);
  const path = `/agents/${agents[1]}/threads/${id}/state`;
  expect(await call(path, "ann")).toMatchObject({ values: { messages: [{ content: "I am ann" }, {}] }, next: [] });
});

it.each([
  [["--header", "Authorization: Bearer s3cr3t"], "--header: it must be NAME=VALUE."],
  [["--as-owner-header", "Authorization=Bearer s3cr3t"], "name a key of the metadata of threads in braces"],
])("The header %j is refused, and not repeated", async (args, message) => {
  const { code, stderr } = await run("verify", "--from", "x", "--deployment", "second", ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).not.toContain("s3cr3t");
});
