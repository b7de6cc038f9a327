import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  agentEntry,
  ask,
  deploy,
  logOf,
  redeploy,
  secret,
  server,
  startDeployed,
  startWith,
  until,
  untilEnded,
} from "../support/agents/agents";
import { createDeployment, githost, rolloutMs, statuses } from "../support/emulator";
import { newFolder } from "../support/folder";
import { graphConfig, internalSource, tar, uploadSource } from "../support/tarballs";

/** Paths that lead out of the folder into which they are unpacked. */
const hostile = {
  ...{ "../escaped.txt": "x", "../../../escaped.txt": "x", "/escaped.txt": "x" },
  ...{ "a/../../escaped.txt": "x", "..\\escaped.txt": "x" },
};
const zipped = (files: Record<string, string>) => gzipSync(tar({ "agentgraph.json": graphConfig, ...files }));

describe("the rollout of an agent", () => {
  it("starts a process with its secrets and nothing of the emulator's environment, also a late one", async () => {
    const own = { MODE: "late", LEVEL: "debug" };
    const { client, id } = await startDeployed([agentEntry("", { environment: own, inherit: ["TZ"] })]);
    expect(await statuses(client, id)).toEqual(["DEPLOYED"]);
    const environment = (await ask(client, id, "/environment")) as unknown as Record<string, string>;
    const { graphs } = (await client.admin("GET", `/agents/${id}`)).body as unknown as { graphs: object };
    expect(graphs).toEqual({ support: "process", sales: "process" });
    const PORT = expect.stringMatching(/^\d+$/);
    expect(environment).toEqual({ ...own, TZ: process.env.TZ, SECRET: secret, PORT });
    expect(await logOf(client, id)).toContain("starting version 1");
  });

  it("builds an uploaded source in a folder, which no path leaves and which goes with the deployment", async () => {
    const data = newFolder();
    const build = [process.execPath, "-e", "fs.writeFileSync('built.txt', 'yes'); console.log('built {name}')"];
    const start = [process.execPath, "server.mjs", "{config}"];
    const client = await startWith([{ source: "internal_source", build, start }], { data });
    const deployment = await createDeployment(client, internalSource("uploaded"));
    const code = `import { createServer } from "node:http"; import { readFileSync } from "node:fs";
      const version = readFileSync("built.txt", "utf8");
      createServer((_, response) => response.end(JSON.stringify({ version }))).listen(process.env.PORT);`;
    await uploadSource(client, deployment, zipped({ ...hostile, "server.mjs": code }));
    await client.advance(rolloutMs);
    expect(await statuses(client, deployment.id)).toEqual(["DEPLOYED"]);
    expect(await ask(client, deployment.id)).toEqual({ version: "yes" });
    const unpacked = readdirSync(data, { recursive: true, encoding: "utf8" });
    expect(unpacked.filter((path) => path.includes("escaped") && !/^agents\/[^/]+\/source\//.test(path))).toEqual([]);
    expect(existsSync("/escaped.txt")).toBe(false);
    expect(await logOf(client, deployment.id, "build")).toContain("built uploaded");
    await client.remove(`/v2/deployments/${deployment.id}`);
    await client.advance(rolloutMs);
    await until(() => !existsSync(join(data, "agents")) || readdirSync(join(data, "agents")).length === 0);
  });

  it("fails with the output of a build that fails", async () => {
    const build = [process.execPath, "-e", "console.error('no compiler'); process.exit(2)"];
    const client = await startWith([{ source: "internal_source", build, start: `${process.execPath} server.mjs` }]);
    const deployment = await createDeployment(client, internalSource("broken"));
    await uploadSource(client, deployment, zipped({}));
    const contradictory = await createDeployment(client, internalSource("contradictory"));
    await uploadSource(client, contradictory, zipped({ a: "", "a/b": "" }));
    await client.advance(rolloutMs);
    const lastLines = async (id: string) => (await logOf(client, id, "build")).slice(-2);
    expect((await lastLines(contradictory.id))[1]).toMatch(/^Could not unpack the source: .*(EEXIST|ENOTDIR)/);
    expect(await statuses(client, deployment.id)).toEqual(["BUILD_FAILED"]);
    expect(await lastLines(deployment.id)).toEqual(["no compiler", '"build" exited with code 2']);
  });
});

it("a repository on this machine is cloned at the branch of the revision, whose commit is recorded", async () => {
  const repository = newFolder();
  const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" }).trim();
  git("init", "--quiet", "--initial-branch", "main");
  const code = `(_, response) => response.end('{"version":"cloned"}')`;
  const program = `require("node:http").createServer(${code}).listen(process.env.PORT)`;
  writeFileSync(join(repository, "server.cjs"), program);
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "First");
  const client = await startWith([{ source: "githost", start: [process.execPath, "server.cjs"] }]);
  const repo_url = `file://${repository}`;
  const cloned = await createDeployment(client, githost("cloned", { repo_url }));
  const missing = await createDeployment(client, githost("missing", { repo_url }, { repo_ref: "--help" }));
  const remote = await createDeployment(client, githost("remote"), rolloutMs);
  expect(await ask(client, cloned.id)).toEqual({ version: "cloned" });
  const { latest_revision_id } = (await client.get(`/v2/deployments/${cloned.id}`)).body;
  const revision = await client.get(`/v2/deployments/${cloned.id}/revisions/${latest_revision_id}`);
  expect(revision.body.source_revision_config.repo_commit_sha).toBe(git("rev-parse", "HEAD"));
  expect((await logOf(client, missing.id, "build")).at(-1)).toMatch(/has no branch, tag or commit "--help"$/);
  expect((await logOf(client, remote.id, "build")).at(-1)).toContain(
    "Only repositories with a file:/// URL are cloned",
  );
});

// No network: Git also reads a repository whose file system never responds, as a pipe does.
it("A repository that does not respond fails the build within its time, and leaves no process", async () => {
  const repository = newFolder();
  execFileSync("git", ["-C", repository, "init", "--quiet", "--bare"]);
  execFileSync("mkfifo", [join(repository, "packed-refs")]);
  const timeouts = { clone: 0.2, stop: 0.1 };
  const client = await startWith([{ source: "githost", start: [process.execPath, "-e", "0"], timeouts }]);
  const { id } = await createDeployment(client, githost("silent", { repo_url: `file://${repository}` }), rolloutMs);
  expect(await statuses(client, id)).toEqual(["BUILD_FAILED"]);
  const reason = `The repository file://${repository} was not cloned within 0.2 s`;
  expect((await logOf(client, id, "build")).at(-1)).toBe(reason);
  expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(repository);
});

describe("a new revision", () => {
  it("ends all others if ten are created at once", async () => {
    const { client, id } = await startDeployed([agentEntry()]);
    const old = await ask(client, id);
    const versions = Array.from({ length: 10 }, (_, index) => String(index + 2));
    const patch = (value: string) => client.patch(`/v2/deployments/${id}`, { secrets: [{ name: "VERSION", value }] });
    await Promise.all(versions.map(patch));
    await client.advance(rolloutMs);
    expect((await statuses(client, id)).filter((status) => status === "DEPLOYED").length).toBeGreaterThanOrEqual(2);
    expect((await ask(client, id))?.pid).not.toBe(old?.pid);
    await untilEnded(old?.pid ?? 0);
  });

  it("is live when it is healthy, and the old one ends after its open requests", async () => {
    const { client, id } = await startDeployed([agentEntry()]);
    const old = await ask(client, id);
    const response = await fetch(`${client.emulator.urls.controlPlane}/agents/${id}/wait`);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("begin ");
    await redeploy(client, id, "2");
    expect(await ask(client, id)).toMatchObject({ version: "2" });
    process.kill(old?.pid ?? 0, "SIGUSR2");
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("end 1");
    await reader?.read();
    await untilEnded(old?.pid ?? 0);
  });

  it("leaves the old one with its own command, also when the emulator is started with another one", async () => {
    const data = newFolder();
    const first = await startWith([agentEntry("", { environment: { VERSION: "1" } })], { data });
    const id = await deploy(first);
    await first.emulator.stop();
    const second = await startWith([agentEntry("exit", { environment: { VERSION: "2", MODE: "exit" } })], { data });
    const { version, pid } = await until(() => ask(second, id));
    expect(version).toBe("1");
    await second.patch(`/v2/deployments/${id}`, { secrets: [{ name: "ANY", value: "1" }] });
    await second.advance(rolloutMs);
    expect(await statuses(second, id)).toEqual(["DEPLOYED", "DEPLOY_FAILED"]);
    expect(await ask(second, id)).toMatchObject({ version: "1", pid });
    expect((await logOf(second, id)).join()).not.toContain("is not healthy");
    const { revisions } = (await second.admin("GET", `/deployments/${id}`)).body as unknown as { revisions: object[] };
    const command = [process.execPath, server, "{image}"].join(" ");
    expect(revisions).toMatchObject([
      { command, agent: null },
      { command, agent: { status: "healthy" } },
    ]);
  });

  it("says in the log of a revision that fails that the live one is not healthy either", async () => {
    const { client, id } = await startDeployed([agentEntry("", { restart: { pause: 60, longest: 60 } })]);
    await ask(client, id, "/crash");
    await until(async () => (await logOf(client, id)).some((line) => line.startsWith("The agent exited with code 7.")));
    await client.patch(`/v2/deployments/${id}`, { secrets: [{ name: "MODE", value: "exit" }] });
    await client.advance(rolloutMs);
    const line = /^The live revision .* is not healthy: its agent exited with code 7\./;
    expect((await logOf(client, id)).at(-2)).toMatch(line);
  });
});

describe("a running agent", () => {
  it("is started again after a crash and a kill, with growing pauses, as its log and the admin API show", async () => {
    const { client, id } = await startDeployed([agentEntry("", { restart: { pause: 0.01, longest: 60 } })]);
    const before = await ask(client, id);
    await ask(client, id, "/crash");
    const after = await until(() => ask(client, id));
    expect(after.pid).not.toBe(before?.pid);
    await until(async () => (await logOf(client, id)).some((line) => line.startsWith("The agent exited with code 7.")));
    process.kill(after.pid, "SIGKILL");
    const { pid } = await until(async () => {
      const answer = await ask(client, id).catch(() => undefined);
      return answer?.pid === after.pid ? undefined : answer;
    });
    const log = await logOf(client, id);
    expect(log.filter((line) => line.includes("It is started again"))).toEqual([
      "The agent exited with code 7. It is started again in 0.01 s",
      "The agent was ended by SIGKILL. It is started again in 0.02 s",
    ]);
    const { revisions } = (await client.admin("GET", `/deployments/${id}`)).body as unknown as { revisions: object[] };
    const command = [process.execPath, server, "{image}"].join(" ");
    expect(revisions).toMatchObject([
      { agent: { status: "healthy", pid, restarts: 2, last_exit: "was ended by SIGKILL", command } },
    ]);
  });

  it.each(["ignore-sigterm", "fork"])("ends with all its children when its deployment is deleted: %s", async (mode) => {
    const { client, id } = await startDeployed([agentEntry(mode, { timeouts: { start: 20, stop: 0.2 } })]);
    const pid = (await ask(client, id))?.pid ?? 0;
    const child = await until(async () => mode !== "fork" || /child (\d+)/.exec((await logOf(client, id)).join())?.[1]);
    await client.remove(`/v2/deployments/${id}`);
    await untilEnded(pid);
    if (mode === "fork") await untilEnded(Number(child));
  });

  it("runs again after a restart of the emulator, and requests wait until it is ready", async () => {
    const data = newFolder();
    const first = await startWith([agentEntry("late")], { data });
    const id = await deploy(first);
    const pid = (await ask(first, id))?.pid ?? 0;
    await first.emulator.stop();
    await untilEnded(pid);
    const second = await startWith([agentEntry("late")], { data });
    const answer = await ask(second, id, "/", { method: "POST", body: "kept" });
    expect(answer).toMatchObject({ body: "kept", pid: expect.any(Number) });
    expect(answer?.pid).not.toBe(pid);
  });
});

describe("an emulator with agents", () => {
  it("responds with the built-in graphs for deployments without a command", async () => {
    const client = await startWith([agentEntry("", { name: "real-*" })]);
    const id = await deploy(client, "other");
    const response = await fetch(`${client.emulator.urls.controlPlane}/agents/${id}/info`);
    expect(await response.json()).toHaveProperty("flags");
  });

  it("keeps the newest lines of a log, and refuses more processes, as the limits of the agents file say", async () => {
    const client = await startWith([agentEntry("log")], { limits: { processes: 1, log_lines: 3 } });
    const first = await deploy(client, "first");
    for (const path of ["/1", "/2", "/3", "/4"]) await ask(client, first, path);
    await until(async () => (await logOf(client, first)).at(-1)?.includes("/4"));
    expect((await logOf(client, first)).length).toBeLessThanOrEqual(3);
    const id = await deploy(client, "second");
    expect((await logOf(client, id)).at(-1)).toBe("1 agents are running, which is the limit of the agents file");
  });
});
