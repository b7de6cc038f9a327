import { execFile } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { runCommand as commandOf, type RunningEmulator, startCommand } from "../support/cli/command";
import { docker, githost, request } from "../support/emulator";
import { newFolder } from "../support/folder";
import { internalSource, putTarball, tarball } from "../support/tarballs";

async function runOutput(...args: string[]): Promise<{ code: number; output: string }> {
  const { code, output } = await commandOf(args);
  return { code, output };
}

/** Returns what a command prints with `--json`. */
async function runJson(...args: string[]): Promise<object> {
  return JSON.parse((await commandOf([...args, "--json"])).stdout);
}

/** Returns the status of a request with this Host header. */
function statusOfHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const answered = get(`${url}/_emulator/health`, { headers: { host } }, (response) => {
      resolve(response.resume().statusCode);
    });
    answered.on("error", reject);
  });
}

describe("kill -9", () => {
  test("loses no data, and the queue resumes", async () => {
    const data = newFolder();
    const first = await startCommand("--data", data);
    await first.send("POST", "/_emulator/clock", { frozen: true });
    const { id } = (await first.send("POST", "/v2/deployments", docker("agent"))).body;
    await first.send("POST", "/_emulator/clock", { advance_ms: 1500 });
    await first.send("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "x:2" } });
    await first.send("POST", "/_emulator/clock", { advance_ms: 500 });
    await first.send("POST", "/_emulator/faults", { method: "PUT", status: 500 });
    const readAll = async (emulator: RunningEmulator) => [
      (await emulator.send("GET", `/v2/deployments/${id}/revisions`)).body,
      ...["clock", "faults", "projects"].map(async (name) => (await emulator.send("GET", `/_emulator/${name}`)).body),
    ];
    const before = await Promise.all(await readAll(first));
    expect(before[0]).toMatchObject({ resources: [{ status: "QUEUED" }, { status: "DEPLOYING" }] });
    await first.kill();

    const second = await startCommand("--data", data);
    expect(await Promise.all(await readAll(second))).toEqual(before);
    expect((await second.send("GET", "/_emulator/request-log?method=PATCH")).body.count).toBe(1);
    await second.send("POST", "/_emulator/clock", { advance_ms: 10_000 });
    const { resources } = (await second.send("GET", `/v2/deployments/${id}/revisions`)).body;
    expect(resources.map((revision) => revision.status)).toEqual(["DEPLOYED", "DEPLOYED"]);
  });

  test("keeps tarballs, upload tokens, commits and namespaces", async () => {
    const data = newFolder();
    const first = await startCommand("--data", data);
    await first.send("POST", "/_emulator/clock", { frozen: true });
    await first.send("POST", "/_emulator/seed", { namespaces: [{ listener_id: null, name: "elsewhere" }] });
    const { id } = (await first.send("POST", "/v2/deployments", internalSource("agent"))).body;
    const { upload_url, object_path } = (await first.send("POST", `/deployments/${id}/upload-url`)).body;
    expect(await putTarball(upload_url, tarball())).toBe(200);
    const later = (await first.send("POST", `/deployments/${id}/upload-url`)).body;
    const commit_sha = "b".repeat(40);
    await first.send("POST", "/_emulator/pushes", { repo_url: "https://git.example/team/agent", commit_sha });
    await first.kill();

    const second = await startCommand("--data", data);
    expect(await putTarball(later.upload_url.replace(first.url, second.url), tarball())).toBe(200);
    const change = { source_revision_config: { source_tarball_path: object_path } };
    await second.send("PATCH", `/v2/deployments/${id}`, change);
    const pushed = (await second.send("POST", "/v2/deployments", githost("pushed"))).body;
    expect(pushed.source_revision_config.repo_commit_sha).toBe(commit_sha);
    const unscheduled = (await second.send("POST", "/v2/deployments", docker("lost"))).body;
    await second.send("POST", "/_emulator/clock", { advance_ms: 10_000 });
    const status = async (one: string) =>
      (await second.send("GET", `/v2/deployments/${one}/revisions`)).body.resources[0]?.status;
    expect([await status(id), await status(unscheduled.id)]).toEqual(["DEPLOYED", "DEPLOY_FAILED"]);
  });

  test("during requests keeps every acknowledged deployment with its revision", async () => {
    const data = newFolder();
    const first = await startCommand("--data", data);
    const acknowledged: string[] = [];
    const sendRequests = async (lane: number) => {
      for (let index = 0; index < 1000; index++) {
        const response = await first
          .send("POST", "/v2/deployments", docker(`agent-${lane}-${index}`))
          .catch(() => undefined);
        if (response === undefined) return;
        acknowledged.push(response.body.id);
        if (acknowledged.length === 40) void first.kill();
      }
    };
    await Promise.all([1, 2, 3, 4].map(sendRequests));
    expect(acknowledged.length).toBeGreaterThanOrEqual(40);

    const second = await startCommand("--data", data);
    for (const id of acknowledged) {
      const { status, body } = await second.send("GET", `/v2/deployments/${id}`);
      expect(status).toBe(200);
      expect((await second.send("GET", `/v2/deployments/${id}/revisions/${body.latest_revision_id}`)).status).toBe(200);
    }
  });
});

describe("the command", () => {
  test("starts in the background, prints its URL, and stops", async () => {
    const data = newFolder();
    const options = ["--allow-host", "a.test", "--allow-host", "b.test,c.test", "--graphs", "a=echo,b=counter"];
    const started = await runOutput("start", "--data", data, "--port", "0", "--strict", ...options);
    expect(started).toMatchObject({ code: 0, output: expect.stringMatching(/running at http:\/\/127\.0\.0\.1:\d+/) });
    const url = /http:\S+/.exec(started.output)?.[0] ?? "";
    expect((await request(url, "GET", "/_emulator/health", undefined, {})).body).toMatchObject({ mode: "strict" });
    const namedHosts = ["a.test", "c.test:80", "d.test"].map((host) => statusOfHost(url, host));
    expect(await Promise.all(namedHosts)).toEqual([200, 200, 403]);
    const saying = (text: string) => ({ code: 0, output: expect.stringContaining(text) });
    expect(await runOutput("start", "--data", data)).toMatchObject(saying("already"));
    const facts = await runJson("status", "--data", data);
    const bucket = {
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      access_key_id: expect.stringMatching(/^\w{8,}$/),
      secret_access_key: expect.stringMatching(/^[a-z\d]{40}$/),
    };
    expect(facts).toEqual({ version: 1, running: true, url, pid: expect.any(Number), data, bucket });
    expect(await runJson("start", "--data", data)).toEqual({ ...facts, started: false });
    expect(await runOutput("status", "--data", data)).toMatchObject(saying(url));
    expect(await runOutput("stop", "--data", data)).toMatchObject(saying("Stopped"));
    expect(await runOutput("status", "--data", data)).toMatchObject({ code: 1 });
    expect(await runJson("status", "--data", data)).toEqual({ version: 1, running: false, data });
    expect(await runJson("stop", "--data", data)).toEqual({ version: 1, stopped: false, data });
    expect(await runOutput("stop", "--data", data)).toMatchObject(saying("No emulator"));
  });

  test("reports a port in use in one message, in the foreground and the background", async () => {
    const { url, bucket } = await startCommand();
    const [port, bucketPort] = [url, bucket].map((address) => new URL(address).port) as [string, string];
    const message =
      `Port ${port} on 127.0.0.1 is already in use. Stop the process that is using it, or choose another ` +
      "port with --port.\n";
    for (const start of [[], ["start", "--data", newFolder()], ["--bucket-port", bucketPort]])
      expect(await runOutput(...start, "--port", port)).toEqual({ code: 1, output: message });
  });

  test("stops without an error while a delayed request is pending", async () => {
    const emulator = await startCommand();
    await emulator.send("POST", "/_emulator/faults", { delay_ms: 60_000 });
    const delayed = emulator.send("GET", "/v2/deployments").catch((error: Error) => error.message);
    while ((await emulator.send("GET", "/_emulator/faults")).body.faults.length > 0);
    expect(await emulator.terminate()).toBe(0);
    expect(await delayed).toBe("fetch failed");
    expect(emulator.stderr()).toBe("");
  });

  test("stops the same way in another process, and keeps no process alive", async () => {
    const program = `
      const { startEmulator } = require(${JSON.stringify(join(__dirname, "../../dist/index.js"))});
      startEmulator().then(async (emulator) => {
        await emulator.faults.add({ delay_ms: 60_000 });
        const url = emulator.urls.controlPlane + "/v2/deployments";
        const pending = fetch(url).catch((error) => console.log(error.message));
        while (emulator.faults.list().length > 0) await new Promise(setImmediate);
        await emulator.stop();
        await pending;
      });`;
    const nodeOption = "--disable-warning=ExperimentalWarning";
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [nodeOption, "-e", program]);
    expect([stdout, stderr]).toEqual(["fetch failed\n", ""]);
  });

  test.each([[[]], [["start"]]])(
    "with %j reports in one message that the data folder cannot be created",
    async (start) => {
      const file = join(newFolder(), "file");
      writeFileSync(file, "");
      const { code, output } = await runOutput(...start, "--data", file, "--port", "0");
      expect(code).toBe(1);
      expect(output).toMatch(
        /^Could not create the data folder .*file: EEXIST.* Choose another folder with --data\.\n$/,
      );
    },
    20_000,
  );

  test("protects its data from other users, and from another emulator", async () => {
    const data = join(newFolder(), "data");
    await startCommand("--data", data);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    const { code, output } = await runOutput("--data", data, "--port", "0");
    expect(code).toBe(1);
    expect(output).toMatch(/^Another emulator is using the data folder .*\n$/);
  });

  test.each([
    [["--speed", "0"], "--speed"],
    [["--without", "nothing"], "--without"],
    [["--vocabulary", "x"], "--vocabulary"],
    [["strat"], 'did you mean "start"'],
  ])("explains a mistake in %j", async (args, word) => {
    const { code, output } = await runOutput(...args, "--port", "0");
    expect(code).toBe(1);
    expect(output).toContain(word);
    expect(output.trim().split("\n")).toHaveLength(1);
  });
});
