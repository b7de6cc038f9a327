/**
 * Backups and restores of published servers that are killed again and again, also while others write: nothing is lost
 * or written twice.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { newFolder } from "../../../../emulator/test/support/folder";
import { COMMAND, outputOf } from "../../../cli/support/command";
import { type PublishedServer, SERVERS, startPublished } from "../../../support/agent-servers/published";
import { startProxy } from "../../../support/servers/proxy";

/** Returns whole numbers below a limit, the same ones in each run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const message = (role: string, turn: number, count: number) => ({
  role,
  content: `${count}.${turn}`,
  id: `${role}${turn}`,
});

/** 21 checkpoints, as three for each question and its answer. */
const conversation = (count: number) =>
  Array.from({ length: 7 }, (_, turn) => {
    const asked = { messages: [message("user", turn, count)] };
    const answered = { messages: [message("assistant", turn, count)], total: 1, last: String(turn) };
    return [
      { updates: [{ as_node: "__input__", values: asked }] },
      { updates: [{ as_node: "__start__", values: asked }] },
      { updates: [{ as_node: "reply", values: answered }] },
    ];
  }).flat();

/** Runs tasks, six at a time. */
async function times(count: number, task: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) await task(index);
  };
  await Promise.all(Array.from({ length: 6 }, work));
}

/** Requests that read, although their method is that of a write. */
const READS = /\/(search|count|history|versions)$/;

describe.each(SERVERS)("a command that is killed, on the published server in %s", (kind) => {
  let [source, target]: [PublishedServer?, PublishedServer?] = [];
  let folder = "";
  const from = () => source as PublishedServer;
  const to = () => target as PublishedServer;

  beforeEach(async () => {
    folder = newFolder();
    [source, target] = await Promise.all([1, 2].map(() => startPublished(kind, "conversations")));
  }, 300_000);
  afterEach(async () => {
    await Promise.all([source?.stop(), target?.stop()]);
  });

  const command = async (...args: string[]) => JSON.parse(await outputOf({ args: [...args, "--json"], cwd: folder }));
  const start = (...args: string[]) => spawn(process.execPath, [COMMAND, ...args], { cwd: folder, stdio: "ignore" });
  const count = async (server: PublishedServer) => (await server.call<number>("POST", "/threads/count", {})).body;

  /** A proxy before the target, which counts writes, and kills a command with one of them: the server still gets it. */
  async function startKiller() {
    const state = { writes: 0, left: Number.POSITIVE_INFINITY, child: undefined as ChildProcess | undefined };
    const url = await startProxy(to().url, ({ method, path }) => {
      if (method === "GET" || READS.test(path)) return undefined;
      state.writes += 1;
      state.left -= 1;
      if (state.left === 0) state.child?.kill("SIGKILL");
      return undefined;
    });
    /** Returns whether the command was killed, with its n-th write. */
    const killAt = async (write: number, ...args: string[]): Promise<boolean> => {
      state.child = start(...args);
      state.left = write;
      const [code] = await once(state.child, "exit");
      state.left = Number.POSITIVE_INFINITY;
      return code === null;
    };
    return { url, killAt, writes: () => state.writes };
  }

  test("has backed up and restored 1,000 threads after 20 kills each, and writes nothing again", async () => {
    await times(1000, (index) =>
      from().call("POST", "/threads", { metadata: { graph_id: "chat" }, supersteps: conversation(index) }),
    );
    const random = numbers(1);
    const backup = ["backup", "--url", from().url, "--to", "backup"];
    for (let kill = 0; kill < 20; kill++) {
      const child = start(...backup);
      await Promise.race([setTimeout(300 + random(2000)), once(child, "exit")]);
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      if (child.exitCode === 0) break;
    }
    const isComplete = await readFile(join(folder, "backup", "manifest.json")).then(Boolean, () => false);
    if (!isComplete) expect(await command(...backup)).toMatchObject({ missing: [] });
    const { url, killAt, writes } = await startKiller();
    const restore = ["restore", "--from", "backup", "--url", url, "--only", "threads"];
    for (let kill = 0; kill < 20; kill++) expect(await killAt(1 + random(80), ...restore)).toBe(true);
    expect(await command(...restore)).toMatchObject({ failed: [], counts: { none: 0 } });
    const done = writes();
    expect(await command(...restore)).toMatchObject({ failed: [] });
    expect(writes()).toBe(done);
    const verified = await command("verify", "--from", "backup", "--url", to().url);
    expect(verified).toMatchObject({ whole: 1000, different: [] });
    expect(await count(to())).toBe(1000);
  }, 900_000);

  test("doubles no assistant, version, item or cron, whichever write it is killed with", async () => {
    for (let index = 0; index < 5; index++) {
      const first = { graph_id: "steps", name: "v1" };
      const { body } = await from().call<{ assistant_id: string }>("POST", "/assistants", first);
      const path = `/assistants/${body.assistant_id}`;
      for (const name of ["v2", "v3"]) await from().call("PATCH", path, { name });
      await from().call("POST", `${path}/latest`, { version: 2 });
      await from().call("PUT", "/store/items", { namespace: ["users", String(index)], key: "k", value: { index } });
      const cron = { assistant_id: "steps", schedule: `${index} 5 1 1 *`, input: { log: [] } };
      if (kind === "python") await from().call("POST", "/runs/crons", cron);
    }
    await command("backup", "--url", from().url, "--to", "backup", "--empty-is-right");
    const { url, killAt, writes } = await startKiller();
    const restore = ["restore", "--from", "backup", "--url", url];
    const random = numbers(2);
    let kills = 0;
    while (await killAt(1 + random(3), ...restore)) kills += 1;
    expect(kills).toBeGreaterThan(8);
    const done = writes();
    await command(...restore);
    expect(writes()).toBe(done);
    type Assistant = { assistant_id: string; name: string; version: number; metadata: { created_by?: string } };
    const { body: all } = await to().call<Assistant[]>("POST", "/assistants/search", { limit: 100 });
    const own = all.filter(({ metadata }) => metadata.created_by !== "system");
    expect(own.map(({ name, version }) => [name, version])).toEqual(Array.from({ length: 5 }, () => ["v2", 2]));
    for (const { assistant_id: id } of own) {
      const { body } = await to().call<object[]>("POST", `/assistants/${id}/versions`, { limit: 10 });
      expect(body).toMatchObject([{ name: "v3" }, { name: "v2" }, { name: "v1" }]);
    }
    const { body: items } = await to().call("POST", "/store/items/search", { namespace_prefix: ["users"], limit: 100 });
    expect(items.items).toHaveLength(5);
    if (kind === "javascript") return;
    type Cron = { schedule: string; enabled: boolean };
    const { body: crons } = await to().call<Cron[]>("POST", "/runs/crons/search", { limit: 100 });
    const schedules = crons.map(({ schedule, enabled }) => `${schedule} ${enabled}`).sort();
    expect(schedules).toEqual(Array.from({ length: 5 }, (_, index) => `${index} 5 1 1 * true`));
  }, 600_000);

  test("misses none of 3,000 threads while others create, change and delete some", async () => {
    const ids: string[] = [];
    await times(3000, async () => {
      ids.push((await from().call<{ thread_id: string }>("POST", "/threads", { metadata: { n: 1 } })).body.thread_id);
    });
    const random = numbers(4);
    const deletable = ids.splice(0, 300);
    let isOver = false;
    let written = 0;
    const write = async () => {
      for (; !isOver; written++) {
        const [id = "", gone] = [ids[random(ids.length)], random(3) === 0 ? deletable.pop() : undefined];
        await from().call("PATCH", `/threads/${id}`, { metadata: { written } });
        await from().call("POST", "/threads", { metadata: { created: "while" } });
        if (gone !== undefined) await from().call("DELETE", `/threads/${gone}`);
        await setTimeout(50);
      }
    };
    const writers = [write(), write()];
    const { missing } = await command("backup", "--url", from().url, "--to", "backup").finally(() => {
      isOver = true;
    });
    await Promise.all(writers);
    expect(written).toBeGreaterThan(50);
    const index = await readFile(join(folder, "backup", "index-0001.ndjson"), "utf8");
    const saved = new Set(index.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).id])));
    expect(ids.filter((id) => !saved.has(id))).toEqual([]);
    expect(missing).toEqual([]);
  }, 600_000);
});
