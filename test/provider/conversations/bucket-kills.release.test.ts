/**
 * An encrypted backup in the bucket of an independent server, and its restore, killed again and again: nothing is lost
 * or written twice.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { startEmulator } from "../../../emulator/src";
import { listKeys } from "../../../emulator/test/support/bucket/client";
import { describeWithForeignBucket, startForeignBucket } from "../../../emulator/test/support/bucket/foreign-bucket";
import { agentgraph } from "../../cli/support/command";
import { runEnvironment } from "../../support/run/environment";

const CLI = join(__dirname, "../../../dist/cli/main.js");
const KEY = "the-key-of-kills";
const THREADS = 80;
const KILLS = 8;

describeWithForeignBucket("a command that is killed", () => {
  it("leaves a bucket from which the next one continues", async () => {
    const folder = await mkdtemp(join(tmpdir(), "agentgraph-bucket-kills-"));
    const emulator = await startEmulator({ apiKey: KEY, speed: "instant" });
    const bucket = await startForeignBucket();
    try {
      bucket.createBucket("exports");
      const identity = await generateIdentity();
      await writeFile(join(folder, "key"), identity);
      const env = {
        AGENTGRAPH_URL: emulator.urls.controlPlane,
        AGENTGRAPH_API_KEY: KEY,
        AWS_ACCESS_KEY_ID: bucket.accessKeyId,
        AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
        AWS_ENDPOINT_URL_S3: bucket.url,
      };
      const config = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
      await emulator.seed({ deployments: ["first", "second"].map((name) => ({ name, ...config })) });
      const call = async <T>(path: string, body?: object): Promise<T> => {
        const headers = { "x-api-key": KEY, ...(body && { "content-type": "application/json" }) };
        const request = body ? { method: "POST", body: JSON.stringify(body) } : {};
        return (await fetch(emulator.urls.controlPlane + path, { headers, ...request })).json() as Promise<T>;
      };
      const { resources } = await call<{ resources: { id: string; name: string }[] }>("/v2/deployments");
      const agent = (name: string) => `/agents/${resources.find((one) => one.name === name)?.id}`;
      for (let count = 0; count < THREADS; count++) {
        const { thread_id: id } = await call<{ thread_id: string }>(`${agent("first")}/threads`, {});
        const input = { messages: [{ role: "user", content: `question ${count}` }] };
        await call(`${agent("first")}/threads/${id}/runs/wait`, { assistant_id: "echo", input });
      }
      const killed = async (args: readonly string[], afterMs: number) => {
        const environment = { ...runEnvironment(), ...env };
        const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env: environment, stdio: "ignore" });
        const ended = once(child, "exit");
        await Promise.race([ended, setTimeout(afterMs)]);
        child.kill("SIGKILL");
        await ended;
      };
      const at = "s3://exports/killed";
      const recipient = await identityToRecipient(identity);
      const backup = ["backup", "--deployment", "first", "--to", at, "--encrypt-to", recipient];
      const restore = ["restore", "--from", at, "--identity", "key", "--deployment", "second"];
      for (let kill = 1; kill <= KILLS; kill++) await killed(backup, 250 + 60 * kill);
      // One of them may have completed it.
      const whole = await agentgraph({ args: [...backup, "--since-backup"], cwd: folder, env });
      expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining(`Backed up ${THREADS} threads`) });
      for (let kill = 1; kill <= KILLS; kill++) await killed(restore, 250 + 100 * kill);
      const restored = await agentgraph({ args: restore, cwd: folder, env });
      expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining(`Restored ${THREADS} threads`) });
      expect(await call(`${agent("second")}/threads/count`, {})).toBe(THREADS);
      const verify = ["verify", "--from", at, "--identity", "key", "--deployment", "second", "--json"];
      const verified = await agentgraph({ args: verify, cwd: folder, env });
      expect(JSON.parse(verified.stdout)).toMatchObject({ whole: THREADS, different: [] });
      const names = (await listKeys(bucket)).map((key) => key.replace("killed/", "").replace(/-\d{4}.*/, ""));
      // A kill may have ended between two parts.
      const kinds = new Set(names.filter((name) => !name.startsWith("restored-to-")));
      expect([...kinds].sort()).toEqual([...["assistants", "crons", "index", "manifest.json", "store", "threads"]]);
    } finally {
      await Promise.all([emulator.stop(), bucket.stop()]);
      await rm(folder, { recursive: true, force: true });
    }
  }, 240_000);
});
