/** Finds the program of a command. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, extname, isAbsolute, resolve } from "node:path";
import { UserError } from "../../../text/user-error";

const isWindows = process.platform === "win32";

/** Returns the path of a program: a relative one, or a name in Pulumi's own PATH. @throws UserError for none. */
export async function findProgram(name: string, { PATH = "", PATHEXT = ".EXE;.COM" } = process.env): Promise<string> {
  const isPath = isWindows ? /[\\/]/.test(name) : name.includes("/");
  const folders = isPath ? [""] : PATH.split(delimiter).filter(isAbsolute);
  const endings = isWindows && extname(name) === "" ? PATHEXT.split(";") : [""];
  for (const folder of folders)
    for (const ending of endings) {
      const path = resolve(folder, name + ending);
      if (await isExecutable(path)) return assertNoScript(path);
    }
  const where = isPath ? "is not an executable file in the program's folder" : "is not in the PATH of Pulumi";
  throw new UserError(
    `The program of a command in verify cannot be run: ${JSON.stringify(name)} ${where}. Correct the ` +
      "path, or install the program.",
  );
}

const isExecutable = (path: string): Promise<boolean> =>
  Promise.all([stat(path), access(path, constants.X_OK)]).then(
    ([found]) => found.isFile(),
    () => false,
  );

/** Windows runs batch files only in a shell. */
function assertNoScript(path: string): string {
  if (!isWindows || !/\.(bat|cmd)$/i.test(path)) return path;
  throw new UserError(
    `The program of a command in verify cannot be run: ${path} needs a shell. Name a program instead.`,
  );
}
