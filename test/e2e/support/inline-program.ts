/** Runs a program as an inline program of the Automation API, for what only newer language hosts of the CLI support. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { compile } from "../../support/run/typescript.cjs";
import type { CliStack } from "./cli-stack";

/** Runs `pulumi up` for the stack named by its argument. */
const RUN = `const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { project, stack: stackName, config } = JSON.parse(process.argv[2]);
(async () => {
  const program = async () => require("./index.js");
  const stack = await LocalWorkspace.selectStack({ stackName, projectName: project, program }, { workDir: __dirname });
  if (config) await stack.setAllConfig(config);
  await stack.up({ onOutput: (text) => process.stdout.write(text), color: "never" });
})().catch((error) => {
  console.error(error.name);
  process.exitCode = 1;
});
`;

/** Compiles the program and runs `pulumi up`. */
export async function upInline(
  stack: CliStack,
  config?: Record<string, { value: string }>,
): Promise<{ code: number; output: string }> {
  const { folder } = stack.program;
  for (const name of (await readdir(folder)).filter((name) => name.endsWith(".ts"))) {
    const { code } = compile(await readFile(join(folder, name), "utf8"), join(folder, name));
    await stack.program.file(name.replace(/ts$/, "js"), code);
  }
  await stack.program.file("run.cjs", RUN);
  const args = ["run.cjs", JSON.stringify({ ...stack.location, config })];
  const env = { ...stack.environment(), PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true" };
  const options = { cwd: folder, env };
  return promisify(execFile)(process.execPath, args, options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}
