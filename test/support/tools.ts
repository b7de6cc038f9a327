import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "../..");

const paths = new Map<string, string | undefined>();

/**
 * Returns the path of a tool of scripts/tools/, which is installed unless it is cached; undefined if it is unavailable.
 */
function toolPath(name: string): string | undefined {
  if (!paths.has(name)) paths.set(name, install(name));
  return paths.get(name);
}

/** Describes tests that require tools. Skips them with a warning if a tool is unavailable, except in CI. */
export function describeWithTools<Name extends string>(
  title: string,
  names: readonly Name[],
  tests: (paths: Record<Name, string>) => void,
): void {
  const found = names.map((name) => [name, toolPath(name)] as const);
  const isComplete = found.every(([, path]) => path !== undefined);
  (isComplete ? describe : describe.skip)(title, () => tests(Object.fromEntries(found) as Record<Name, string>));
}

function install(name: string): string | undefined {
  try {
    const script = join(ROOT, "scripts/run.mjs");
    const output = execFileSync(process.execPath, [script, "tool", name], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return output.trim().split("\n").at(-1);
  } catch (error) {
    if (process.env.CI) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    console.warn(`SKIPPED: tests that require ${name}, which is not available here.\n${reason}`);
    return undefined;
  }
}
