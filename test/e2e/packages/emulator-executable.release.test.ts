/** The emulator as one executable, which finds nothing else on its machine, and the commands of its container. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { defaultTenantId } from "../../../emulator/src";
import { isAlive } from "../../../emulator/src/runtime/storage/data-folder";
import { queryParquet } from "../../../emulator/test/support/bucket/client";
import { newFolder } from "../../../emulator/test/support/folder";
import { downloadObjects } from "../support/buckets";
import { ROOT } from "../support/packages/checkout";
import { emulatorExecutable } from "../support/packages/plugin";
import { waitUntil } from "../support/wait-until";

jest.setTimeout(300_000);
const run = promisify(execFile);
const headers = { "x-api-key": "any-key", "x-tenant-id": defaultTenantId, "content-type": "application/json" };

let executable: string;
let folder: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  executable = await emulatorExecutable();
});
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** An environment without Node. */
const env = () => ({ HOME: folder, PATH: "/usr/bin:/bin", TEST_RUN_ID: process.env.TEST_RUN_ID });

interface Facts {
  running: boolean;
  url: string;
  pid: number;
  bucket: { url: string; access_key_id: string; secret_access_key: string };
}

async function command(...args: string[]): Promise<Facts> {
  const { stdout } = await run(executable, [...args, "--json"], { cwd: folder, env: env() });
  return JSON.parse(stdout);
}

/** Starts it in the foreground, and waits until it responds. */
async function start(...args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(executable, ["--port", "0", ...args], { cwd: folder, env: env(), stdio: ["ignore", "pipe", 2] });
  started.push(child);
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await waitUntil(
    () => /bucket is at/.test(output) || child.exitCode !== null,
    () => "the emulator",
  );
  return { child, url: / at (\S+)/.exec(output)?.[1] ?? "" };
}

async function call<T>(url: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    method: body ? "POST" : "GET",
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

test("The executable runs in the background, serves the page, and writes exports in its threads", async () => {
  const { url, bucket } = await command("start", "--demo", "--port", "0");
  expect(await command("status")).toMatchObject({ running: true, url });
  const page = await fetch(url, { headers: { accept: "text/html" } });
  expect(await page.text()).toContain("<!doctype html>");

  const api = `${url}/api/v1`;
  const { access_key_id, secret_access_key } = bucket;
  const destination = await call<{ id: string }>(`${api}/bulk-exports/destinations`, {
    ...{ destination_type: "s3", display_name: "lake", credentials: { access_key_id, secret_access_key } },
    config: { bucket_name: "exports", endpoint_url: bucket.url },
  });
  const [session] = await call<{ id: string }[]>(`${api}/sessions?name=support-agent`);
  const now = Date.now();
  await call(`${api}/bulk-exports`, {
    ...{ bulk_export_destination_id: destination.id, session_id: session?.id },
    ...{ start_time: new Date(now - 4 * 86_400_000), end_time: new Date(now) },
  });
  await command("advance", "1h", "--url", url);
  const keys = { accessKeyId: access_key_id, secretAccessKey: secret_access_key };
  const files = await downloadObjects(folder, { url: bucket.url, ...keys });
  const [result] = await queryParquet(
    files.filter((file) => file.endsWith(".parquet")).map((file) => join(folder, file)),
    "SELECT count(*)::INT AS rows FROM {}",
  );
  expect(result?.rows).toBeGreaterThan(100);
  expect(await command("stop")).toMatchObject({ stopped: true });
});

test("An agent that the executable started ends when the executable is killed", async () => {
  writeFileSync(
    join(folder, "server.mjs"),
    `import { createServer } from "node:http";
    createServer((_, response) => response.end(String(process.pid))).listen(Number(process.argv[2]), "127.0.0.1");`,
  );
  const agent = ["--agent", folder, "--start", `${process.execPath} server.mjs {port}`];
  const { child, url } = await start("--speed", "50", ...agent);
  const { id } = await call<{ id: string }>(`${url}/v2/deployments`, {
    ...{ name: "agent", source: "external_docker", source_config: {}, secrets: [] },
    source_revision_config: { image_uri: "registry.example.com/agent:1" },
  });
  let pid = 0;
  await waitUntil(
    async () => {
      const response = await fetch(`${url}/agents/${id}/`);
      pid = response.ok ? Number(await response.text()) : 0;
      return pid > 0;
    },
    () => "the agent",
  );
  child.kill("SIGKILL");
  await waitUntil(
    () => !isAlive(pid),
    () => `the end of process ${pid}`,
  );
});

test("The container is healthy while the emulator runs, and SIGTERM stops it without losing data", async () => {
  const dockerfile = readFileSync(join(ROOT, "emulator/Dockerfile"), "utf8");
  const argsOf = (instruction: string): string[] => {
    const [, list = ""] = new RegExp(`^${instruction}.*?(\\[.*\\])$`, "m").exec(dockerfile) ?? [];
    return JSON.parse(list)
      .slice(1)
      .map((arg: string) => arg.replace("/data", folder).replace("0.0.0.0", "127.0.0.1"));
  };
  expect(dockerfile).toMatch(/^USER emulator$/m);
  const health = () =>
    run(executable, argsOf("HEALTHCHECK"), { env: env() }).then(
      () => 0,
      ({ code }) => code,
    );
  expect(await health()).toBe(1);
  const { child, url } = await start(...argsOf("ENTRYPOINT"));
  expect(await health()).toBe(0);
  const body = { name: "agent", source: "external_docker", source_config: {}, secrets: [] };
  const config = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
  const { id } = await call<{ id: string }>(`${url}/v2/deployments`, { ...body, ...config });
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await health()).toBe(1);
  const again = await start(...argsOf("ENTRYPOINT"));
  expect(await call(`${again.url}/v2/deployments/${id}`)).toMatchObject({ name: "agent" });
});
