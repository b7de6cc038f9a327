/** Finds out whether a Node program uses the native provider. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCE_FILE = /\.[cm]?[jt]sx?$/;
const NATIVE_FORM = /["']pulumi-agentgraph\/native["']/;
/** Bounds the files that are read of a program, in case its folder contains much else. */
const MAX_FILES = 2000;

/** Whether a source file in the folder of a program, or in its subfolders, imports `pulumi-agentgraph/native`. */
export function importsNative(program: string): boolean {
  let count = 0;
  const search = (folder: string): boolean =>
    unlessUnreadable(() => readdirSync(folder, { withFileTypes: true }), []).some((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name !== "node_modules" && !entry.name.startsWith(".") && search(path);
      if (!entry.isFile() || !SOURCE_FILE.test(entry.name) || ++count > MAX_FILES) return false;
      return NATIVE_FORM.test(unlessUnreadable(() => readFileSync(path, "utf8"), ""));
    });
  return search(program);
}

/** Folders of data often belong to others, and the one of the program may be missing: neither ends the report. */
function unlessUnreadable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
