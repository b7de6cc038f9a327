/** `agentgraph doctor` against the emulator: it names problems and remedies, changes nothing and prints no API key. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckJson } from "../../../cli/doctor/check";
import { defaultTenantId, type Emulator, type EmulatorOptions, startEmulator } from "../../../emulator/src";
import { agentgraph } from "../support/command";
import { readReport } from "../support/doctor-report";

/** Each test runs the command, some of them several times. */
jest.setTimeout(60_000);

const ROOT = join(__dirname, "../../..");
const KEY = "the-key-of-doctor";

/** What the Pulumi CLI prints about itself and its backend, as cases of a shell script. */
const ANSWERS = `version) echo v3.259.0;; whoami) echo '{"user":"me","url":"file:///state"}';;`;

let folder: string;
let running: Emulator | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentgraph-doctor-"));
  // The CLI of the machine may be missing or logged in, so a fake one prints a version and a configuration.
  tool("pulumi", `case "$1" in ${ANSWERS} *) cat "$PULUMI_CONFIG_OF_TEST";; esac`);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true });
});

function tool(name: string, script: string): void {
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

async function emulator(options: EmulatorOptions = {}): Promise<Emulator> {
  running = await startEmulator({ apiKey: KEY, ...options });
  return running;
}

const settings = (url = running?.urls.controlPlane ?? "") => ({
  ...{ AGENTGRAPH_CONTROL_PLANE_URL: url, AGENTGRAPH_TRACING_API_URL: url },
  ...{ AGENTGRAPH_TENANT_ID: defaultTenantId, AGENTGRAPH_API_KEY: KEY },
});

const call = (env: Record<string, string>, ...args: string[]) =>
  agentgraph({
    args: ["doctor", ...args],
    cwd: folder,
    env: { ...env, PATH: `${join(folder, "bin")}:${process.env.PATH}` },
  });

/** Returns the exit code and the checks of each group. */
async function runDoctor(env: Record<string, string> = settings()) {
  const { code, stdout, stderr } = await call(env, "--json");
  expect(stderr).toBe("");
  expect(stdout).not.toContain(KEY);
  const { groups } = readReport(stdout);
  const of = (title: string) => groups.find((group) => group.title.startsWith(title))?.checks ?? [];
  return {
    code,
    installation: of("Installation"),
    settings: of("Settings"),
    control: of("Control"),
    tracing: of("Tracing"),
  };
}
const byId = (checks: CheckJson[], id: string) => checks.find((check) => check.id === id);

test("without problems doctor exits with code 0, and has sent only GET and OPTIONS requests", async () => {
  const { journal } = await emulator();
  const { code, stdout } = await call(settings());
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toMatch(/\nNothing to fix\.\n$/);
  expect(code).toBe(0);
  expect(stdout).toContain("API key from the environment variable AGENTGRAPH_API_KEY");
  expect(stdout).toContain("0 of 200 active schedules");
  expect(stdout).toContain("0 of 250 exports created in the last hour");
  expect(stdout).toContain("supports all 9 optional routes");
  expect(stdout).toContain("supports all 8 optional routes");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character of colors, which a pipe must not get.
  expect(stdout).not.toMatch(/\u001b/);
  expect(new Set(journal.entries().map(({ method }) => method))).toEqual(new Set(["GET", "OPTIONS"]));
});

test("an invalid API key is reported with its source, and never printed", async () => {
  await emulator();
  const { code, control, tracing } = await runDoctor({ ...settings(), AGENTGRAPH_API_KEY: "a-wrong-key" });
  expect(code).toBe(1);
  for (const [check] of [control, tracing]) {
    expect(check).toMatchObject({ id: "answers", status: "fix", says: expect.stringContaining("API key rejected") });
    expect(check?.todo).toMatch(/API key +from the environment variable AGENTGRAPH_API_KEY/);
    expect(JSON.stringify(check)).not.toContain("a-wrong-key");
  }
});

test("an expired API key is reported as expired", async () => {
  const { seed } = await emulator({ apiKey: undefined });
  await seed({ keys: [{ key: KEY, workspaces: [defaultTenantId], expires_at: "2020-01-01T00:00:00Z" }] });
  const { code, control } = await runDoctor();
  expect(code).toBe(1);
  expect(control).toMatchObject([
    { says: "API key rejected: The API key has expired", todo: expect.stringMatching(/Create a new one/) },
  ]);
});

test("each missing setting is reported with the command that sets it", async () => {
  const { code, settings: found } = await runDoctor({});
  expect(code).toBe(1);
  expect(byId(found, "key")).toMatchObject({
    status: "fix",
    todo: expect.stringContaining("pulumi config set --secret agentgraph:apiKey <key>"),
  });
  expect(byId(found, "controlPlaneUrl")).toMatchObject({
    status: "fix",
    todo: expect.stringContaining("AGENTGRAPH_CONTROL_PLANE_URL"),
  });
});

test("an unreachable server is reported without retries", async () => {
  const { code, control } = await runDoctor(settings("http://127.0.0.1:1"));
  expect(code).toBe(1);
  expect(control).toMatchObject([
    {
      status: "fix",
      says: expect.stringContaining("no response"),
      todo: expect.stringContaining("Nothing is listening"),
    },
  ]);
});

test("a workspace that the API key cannot access is a problem", async () => {
  const { seed } = await emulator({ apiKey: undefined });
  await seed({ keys: [{ key: KEY, workspaces: [defaultTenantId] }] });
  const { code, tracing } = await runDoctor({
    ...settings(),
    AGENTGRAPH_TENANT_ID: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
  });
  expect(code).toBe(1);
  expect(tracing).toMatchObject([{ status: "fix", says: expect.stringContaining("API key rejected") }]);
});

test("a plan without exports is a note, since a program may declare none", async () => {
  await emulator({ plan: "developer" });
  const { code, tracing } = await runDoctor();
  expect(code).toBe(0);
  expect(byId(tracing, "limits")).toMatchObject({
    status: "note",
    says: expect.stringContaining("no access to exports"),
    todo: expect.stringContaining("require the Plus or Enterprise plan"),
  });
});

test("missing routes are reported with their consequences", async () => {
  await emulator({ without: ["delete", "redeploy", "logs", "build-logs-v1", "export-cancel", "sessions"] });
  const { code, control, tracing } = await runDoctor();
  expect(code).toBe(0);
  const missing = [...control, ...tracing].filter(({ id }) => id === "missing-route").map(({ says }) => says);
  expect(missing).toEqual([
    expect.stringMatching(
      /^has no route to delete deployments \(DELETE \/v2\/deployments\/<id>\): a destroy removes them from state only/,
    ),
    expect.stringMatching(/^has no route to redeploy a revision/),
    expect.stringMatching(/^has no route to read logs/),
    expect.stringMatching(/^has no route to list projects/),
    expect.stringMatching(/^has no route to cancel exports .*forget: true/),
  ]);
  expect(byId(control, "routes")?.says).toMatch(/^supports 6 of 9 optional routes: /);
});

test("clock skew is reported in minutes", async () => {
  const { clock } = await emulator();
  await clock.advance(20 * 60_000);
  const { code, control } = await runDoctor();
  expect(code).toBe(0);
  expect(byId(control, "clock")).toMatchObject({
    status: "note",
    says: "clock is 20 minutes ahead of the clock of this machine",
    todo: expect.stringContaining("Ignore this if you moved the clock of an emulator"),
  });
});

describe("in the folder of a program", () => {
  beforeEach(() => {
    writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\nmain: program\n");
    mkdirSync(join(folder, "program", "node_modules", "@pulumi"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules/@pulumi/pulumi"), join(folder, "program/node_modules/@pulumi/pulumi"));
  });

  /** Installs the package and configures the selected stack. @returns The environment of the command. */
  async function configure(config: (url: string) => object): Promise<Record<string, string>> {
    const { urls } = await emulator();
    symlinkSync(ROOT, join(folder, "program/node_modules/pulumi-agentgraph"));
    const file = join(folder, "config.json");
    writeFileSync(file, JSON.stringify(config(urls.controlPlane)));
    return { PULUMI_CONFIG_OF_TEST: file };
  }

  test("doctor uses the configuration of the stack, and prints no secrets", async () => {
    const env = await configure((url) => ({
      "agentgraph:apiKey": { value: KEY, secret: true },
      "agentgraph:controlPlaneUrl": { value: url },
    }));
    const found = await runDoctor(env);
    expect(found.code).toBe(0);
    expect(byId(found.settings, "key")?.says).toContain("API key from stack configuration agentgraph:apiKey");
    expect(byId(found.installation, "package")).toMatchObject({
      status: "ok",
      says: expect.stringContaining(join(folder, "program")),
    });
    expect(byId(found.installation, "sdk")).toMatchObject({ status: "ok" });
    // The program may declare no exports, so settings that only exports need are not required.
    for (const id of ["tracingApiUrl", "tenantId"]) {
      expect(byId(found.settings, id)).toMatchObject({ status: "skipped" });
      expect(byId(found.settings, id)).not.toHaveProperty("todo");
    }
  });

  test("an unknown setting, an API key in plain text and an unknown variable are reported with remedies", async () => {
    const config = await configure((url) => ({
      "agentgraph:apiKey": { value: KEY, secret: false },
      "agentgraph:controlPlaneUrl": { value: url },
      "agentgraph:tenantID": { value: defaultTenantId },
    }));
    const env = { ...config, AGENTGRAPH_TENANTID: "t" };
    const found = await runDoctor(env);
    expect(found.code).toBe(1);
    expect(byId(found.settings, "unknown-setting")).toMatchObject({
      status: "fix",
      todo: expect.stringContaining("Did you mean agentgraph:tenantId?"),
    });
    expect(byId(found.settings, "plain-text-secret")).toMatchObject({
      status: "note",
      todo: expect.stringContaining("pulumi config set --secret agentgraph:apiKey"),
    });
    expect(byId(found.settings, "unknown-variable")).toMatchObject({
      status: "note",
      todo: "Did you mean AGENTGRAPH_TENANT_ID?",
    });
    // In a project of this name, the namespace is its own.
    writeFileSync(join(folder, "Pulumi.yaml"), "runtime:\n  name: nodejs\nname: agentgraph\nmain: program\n");
    expect(byId((await runDoctor(env)).settings, "unknown-setting")).toMatchObject({ status: "note" });
  });

  test("an unreadable stack of --stack is a problem even if the environment has all settings", async () => {
    await emulator();
    symlinkSync(ROOT, join(folder, "program/node_modules/pulumi-agentgraph"));
    const env = { ...settings(), PULUMI_CONFIG_OF_TEST: join(folder, "nothing") };
    expect((await call(env)).code).toBe(0);
    const { code, stdout } = await call(env, "--stack", "production");
    expect(code).toBe(1);
    expect(stdout).toMatch(/FIX {3}cannot read the configuration of stack production/);
  });

  test("no selected stack is a note", async () => {
    const output = "error: no stack selected; please use `pulumi stack select` or `pulumi stack init` to choose one";
    tool("pulumi", `case "$1" in ${ANSWERS} *) echo '${output}' >&2; exit 1;; esac`);
    await emulator();
    const { settings: checks } = await runDoctor();
    expect(byId(checks, "config")).toEqual({
      id: "config",
      status: "note",
      says: "no stack is selected, so only environment variables are used",
      todo: "To use the configuration of a stack, run `pulumi stack select` or pass --stack.",
    });
  });

  test("a package that only another package depends on is a problem, with the dependency to add", async () => {
    const found = await runDoctor({ PULUMI_CONFIG_OF_TEST: join(folder, "nothing") });
    expect(found.code).toBe(1);
    expect(byId(found.installation, "package")).toMatchObject({
      status: "fix",
      todo: expect.stringContaining('Add "pulumi-agentgraph" to the dependencies'),
    });
    expect(byId(found.settings, "config")).toMatchObject({
      status: "note",
      says: expect.stringContaining("cannot read"),
    });
  });
});
