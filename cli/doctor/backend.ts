/** Checks whether the Pulumi backend of a program responds, and whether the CLI is logged in. */
import type { Check } from "../shared/check";
import { findProjectFolder } from "../shared/pulumi/project";
import { runPulumi } from "../shared/pulumi/pulumi";
import type { CommandContext } from "../shared/subcommand";

const id = "backend";
/** Longer than the CLI retries a host that refuses connections. */
const TIMEOUT_MS = 20_000;
/** What older and newer versions of the CLI say. */
const NOT_LOGGED_IN = /PULUMI_ACCESS_TOKEN must be set|requires logging in/;
const CHECK_URL = "Check the URL of the backend, its credentials, the network and proxies: `pulumi whoami --verbose`.";

export async function checkBackend(
  { folder, env }: Pick<CommandContext, "folder" | "env">,
  timeoutMs = TIMEOUT_MS,
): Promise<Check> {
  if (findProjectFolder(folder) === undefined)
    return { id, status: "skipped", message: "no Pulumi backend was checked, because there is no Pulumi.yaml" };
  const args = ["whoami", "--json", "--verbose", "--non-interactive"];
  const { outcome, stdout, stderr } = await runPulumi(args, folder, env, { timeoutMs });
  if (outcome === "ok") return { id, status: "ok", message: `Pulumi backend ${withoutCredentials(urlIn(stdout))}` };
  if (outcome === "missing")
    return { id, status: "skipped", message: "no Pulumi backend was checked, because the Pulumi CLI is not on PATH" };
  if (outcome === "timeout") {
    const message = `the Pulumi backend did not respond within ${timeoutMs / 1000} s`;
    return { id, status: "fix", message, remedy: CHECK_URL };
  }
  if (NOT_LOGGED_IN.test(stderr)) {
    const remedy = "Run `pulumi login`, or set PULUMI_BACKEND_URL or PULUMI_ACCESS_TOKEN.";
    return { id, status: "fix", message: "the Pulumi CLI is not logged in to a backend", remedy };
  }
  const message = `the Pulumi backend is not available: ${withoutCredentials(errorIn(stderr))}`;
  return { id, status: "fix", message, remedy: CHECK_URL };
}

/** Returns the backend's URL in the output of `pulumi whoami --json --verbose`. */
function urlIn(output: string): string {
  try {
    return (JSON.parse(output) as { url?: string }).url ?? "";
  } catch {
    return "";
  }
}

/** The CLI may print other lines first. */
const errorIn = (output: string) => /^error: (.*)/m.exec(output)?.[1] ?? output.trim();

/** Removes the user, the password and the query of URLs: any of them may contain credentials. */
const withoutCredentials = (text: string) =>
  text.replace(/(\w:\/\/)[^\s/"@]*@/g, "$1").replace(/(\w:\/\/[^\s"?]*)\?[^\s"]*/g, "$1");
