/** `agentgraph doctor` with the real Pulumi CLI: its backend, and a report without the secrets of the stack. */
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { checkBackend } from "../../../cli/doctor/backend";
import { readReport } from "../../cli/support/doctor-report";
import { listen } from "../../support/servers/listen";
import { Program } from "../support/programs/program";
import { API_KEY, World } from "../support/world";
import { agentgraph } from "./command";

const world = new World();

let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  ({ folder } = await Program.create(await world.createFolder("program"), "doctor"));
  environment = { PATH: process.env.PATH ?? "", PULUMI_HOME: await world.createFolder("home") };
});

/** Returns the check as `status: message`, with its remedy. */
async function backendCheck(env: Record<string, string>, timeoutMs?: number): Promise<string> {
  const check = await checkBackend({ folder, env: { ...environment, ...env } }, timeoutMs);
  return `${check.status}: ${check.message}${check.remedy ? ` -> ${check.remedy}` : ""}`;
}

test("a backend that is a folder is available", async () => {
  const url = `file://${await world.createFolder("another-state")}`;
  expect(await backendCheck({ PULUMI_BACKEND_URL: url })).toBe(`ok: Pulumi backend ${url}`);
});

test("a missing folder, and a database that refuses connections, are problems without credentials", async () => {
  expect(await backendCheck({ PULUMI_BACKEND_URL: "file:///missing-folder" })).toMatch(
    /^fix: .* not available: unable to open state directory "file:\/{3}missing-folder": .*no such file.* -> Check/,
  );
  const check = await backendCheck({ PULUMI_BACKEND_URL: "postgres://me:a-password@127.0.0.1:1/db?sslkey=a-secret" });
  expect(check).toMatch(/^fix: .*postgres:\/\/127\.0\.0\.1:1\/db".*connection refused/);
  expect(check).not.toMatch(/a-password|a-secret/);
});

test("a CLI without a login is a problem, with the commands that log in", async () => {
  expect(await backendCheck({})).toBe(
    "fix: the Pulumi CLI is not logged in to a backend -> Run `pulumi login`, or set PULUMI_BACKEND_URL or " +
      "PULUMI_ACCESS_TOKEN.",
  );
});

test("a backend that accepts connections and never responds is a problem after the timeout", async () => {
  const port = await listen(createServer());
  const env = { PULUMI_BACKEND_URL: `http://127.0.0.1:${port}`, PULUMI_ACCESS_TOKEN: "pul-0123456789abcdef" };
  expect(await backendCheck(env, 1000)).toMatch(/^fix: the Pulumi backend did not respond within 1 s -> Check the URL/);
});

test("the report contains no secret of the stack, of the environment or of the backend", async () => {
  const passphrase = "the-passphrase-of-the-report";
  const env = {
    ...{ ...environment, PULUMI_BACKEND_URL: `file://${await world.createFolder("state")}` },
    ...{ PULUMI_CONFIG_PASSPHRASE: passphrase, ACME_TOKEN: "a-token-of-acme" },
    AGENTGRAPH_CONTROL_PLANE_URL: world.url,
  };
  const pulumi = (...args: string[]) => promisify(execFile)("pulumi", args, { cwd: folder, env });
  await pulumi("stack", "init", "report");
  const secrets = { apiKey: API_KEY, "a-token-of-acme": "x", "agentHeaders.X-Team": "the-header-of-the-report" };
  const pairs = Object.entries(secrets).flatMap(([key, value]) => ["--secret", `agentgraph:${key}=${value}`]);
  await pulumi("config", "set-all", "--path", ...pairs);
  const { stdout, stderr } = await agentgraph({ args: ["doctor", "--json"], cwd: folder, env });
  const { groups, toFix } = readReport(stdout);
  const checks = groups.flatMap((group) => group.checks);
  expect(checks.find(({ id }) => id === "backend")).toMatchObject({ status: "ok" });
  expect(checks.find(({ id }) => id === "key")).toMatchObject({ status: "ok" });
  // The name of the unknown setting is what the variable contains.
  expect(toFix).toBe(1);
  expect(checks.find(({ id }) => id === "unknown-setting")?.message).toContain("[secret]");
  for (const secret of [API_KEY, passphrase, "a-token-of-acme", "the-header-of-the-report"])
    expect(stdout + stderr).not.toContain(secret);
});
