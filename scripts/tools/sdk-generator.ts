/** Provides the program that generates SDKs from the package schema: cached, or built with Go. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inCache } from "../setup/cache.mjs";
import { buildTool, moduleOf } from "../setup/go.mjs";
import { PLATFORM, which } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { step } from "../setup/step.mjs";

const NAME = "sdk-generator";

/** Returns the path of the program; its arguments are a language, the schema file and the folder to write to. */
export async function ensureSdkGenerator(env: NodeJS.ProcessEnv) {
  const digest = createHash("sha256");
  for (const file of ["main.go", "go.mod"]) digest.update(await readFile(join(moduleOf(NAME), file)));
  const name = `${NAME}-${digest.digest("hex").slice(0, 12)}-${PLATFORM}`;
  return join(await inCache(name, "SDK generator", (draft) => build(draft, env)), NAME);
}

async function build(draft: string, env: NodeJS.ProcessEnv) {
  const go = which("go", env);
  if (!go) {
    throw new Problem(
      "Generating SDKs requires Go, which is not installed. Install Go (https://go.dev/dl) and run the same command again.",
    );
  }
  await step("SDK generator", "building it with Go (minutes, once)", () =>
    buildTool({
      go,
      module: NAME,
      output: join(draft, NAME),
      env,
      failed: "Building the SDK generator with Go failed",
    }),
  );
}
