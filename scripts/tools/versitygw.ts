/** Provides versitygw, an independent S3 server for the tests of bucket clients: cached, or built with Go. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inCache } from "../setup/cache.mjs";
import { buildTool, goProgram } from "../setup/go.mjs";
import { PLATFORM, toolchainOf } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";

const NAME = "versitygw";

/** Returns the path of the `versitygw` program. */
export async function ensureVersitygw(env: NodeJS.ProcessEnv) {
  const text = await readFile(join(toolchainOf(NAME), "go.mod"), "utf8");
  const version = /versity\/versitygw v(\S+)/.exec(text)?.[1] ?? "";
  const home = await inCache(`${NAME}-${version}-${PLATFORM}`, "S3 server", (draft) => bring(draft, version, env));
  return join(home, NAME);
}

async function bring(draft: string, version: string, env: NodeJS.ProcessEnv) {
  const go = goProgram(`Tests against another S3 server require ${NAME} ${version}, and building it requires`, env);
  await step("S3 server", `building ${NAME} ${version} with Go (about 90 s, once)`, async () => {
    const output = join(draft, NAME);
    await buildTool({ go, module: NAME, output, env, failed: `Building ${NAME} with Go failed` });
    const { code, output: versionOutput } = await attempt(output, ["--version"], { env });
    if (code !== 0) throw new Problem(`The built ${NAME} does not run on this system.`, versionOutput);
  });
}
