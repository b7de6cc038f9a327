/** Checks Python programs with pyright. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export const PYTHON_SDK = resolve(__dirname, "../../../sdk/python");

/** Returns the errors of pyright, which checks all programs of a folder strictly. */
export function pyright(folder: string, python: string): { line: number; message: string }[] {
  const configuration = {
    ...{ typeCheckingMode: "strict", extraPaths: [PYTHON_SDK] },
    reportMissingModuleSource: "error",
  };
  writeFileSync(join(folder, "pyrightconfig.json"), JSON.stringify(configuration));
  const { stdout } = spawnSync(
    process.execPath,
    [require.resolve("pyright"), "--project", folder, "--pythonpath", python, "--outputjson"],
    { encoding: "utf8", env: { ...process.env, PATH: `${dirname(python)}:${process.env.PATH}` } },
  );
  const { generalDiagnostics } = JSON.parse(stdout) as {
    generalDiagnostics: { severity: string; message: string; range: { start: { line: number } } }[];
  };
  return generalDiagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message, range }) => ({ line: range.start.line + 1, message }));
}
