/** Finds the packages that are installed for a Python program. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readVirtualenv } from "../shared/project";

/** Returns the folder of the virtual environment of a program, which may not exist. @param project Folder of the project file. */
export const virtualenvOf = (project: string): string => resolve(project, readVirtualenv(project) ?? "venv");

/** Returns the version of a package in a virtual environment; undefined if it is missing. @param name With hyphens. */
export function installedPythonVersion(name: string, virtualenv: string): string | undefined {
  const prefix = `${name.replaceAll("-", "_")}-`;
  const folder = packageFolders(virtualenv).find((one) => one.startsWith(prefix) && one.endsWith(".dist-info"));
  return folder?.slice(prefix.length, -".dist-info".length);
}

/** Returns the names in the folders of packages of a virtual environment. */
function packageFolders(virtualenv: string): string[] {
  const lib = join(virtualenv, "lib");
  const folders = [join(virtualenv, "Lib"), ...namesIn(lib).map((name) => join(lib, name))];
  return folders.flatMap((folder) => namesIn(join(folder, "site-packages")));
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
