/** Runs `agentgraph doctor` in a temporary folder, against an emulator. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../../../cli/shared/check";
import { defaultTenantId, type Emulator, type EmulatorOptions, startEmulator } from "../../../emulator/src";
import { newFolder } from "../../../emulator/test/support/folder";
import { agentgraph } from "./command";
import { readReport } from "./doctor-report";

export const KEY = "the-key-of-doctor";

/** What the Pulumi CLI prints about itself and its backend, as cases of a shell script. */
export const ANSWERS = `version) echo v3.259.0;; whoami) echo '{"user":"me","url":"file:///state"}';;`;

export let folder: string;
let running: Emulator | undefined;

beforeEach(() => {
  folder = newFolder();
  // The CLI of the machine may be missing or logged in, so a fake one prints a version and a configuration.
  tool("pulumi", `case "$1" in ${ANSWERS} *) cat "$PULUMI_CONFIG_OF_TEST";; esac`);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

export function tool(name: string, script: string): void {
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

export async function emulator(options: EmulatorOptions = {}): Promise<Emulator> {
  await running?.stop();
  running = await startEmulator({ apiKey: KEY, ...options });
  return running;
}

export const settings = (url = running?.urls.controlPlane ?? "") => ({
  ...{ AGENTGRAPH_CONTROL_PLANE_URL: url, AGENTGRAPH_TRACING_API_URL: url },
  ...{ AGENTGRAPH_TENANT_ID: defaultTenantId, AGENTGRAPH_API_KEY: KEY },
});

export const call = (env: Record<string, string>, ...args: string[]) =>
  agentgraph({ args: ["doctor", ...args], cwd: folder, env: { ...env, PATH: `${folder}/bin:${process.env.PATH}` } });

/** Returns the exit code and the checks of each group. */
export async function runDoctor(env: Record<string, string> = settings()) {
  const { code, stdout, stderr } = await call(env, "--json");
  expect(stderr).toBe("");
  expect(stdout).not.toContain(KEY);
  const { groups } = readReport(stdout);
  const of = (title: string) => groups.find((group) => group.title.startsWith(title))?.checks ?? [];
  const [installation, settings] = [of("Installation"), of("Settings")];
  return { code, installation, settings, control: of("Control"), tracing: of("Tracing") };
}

export const byId = (checks: Check[], id: string) => checks.find((check) => check.id === id);
