/** Chooses the code that packs a source, and loads it only for programs that have one. */
import { statSync } from "node:fs";
import type { RunScope } from "../../../definition/context";
import { FileDigests } from "./digests";

export function loadSourceModule(
  path: string,
): Pick<typeof import("./source-folder"), "computeDigest" | "assertFits" | "withTarball"> {
  const isTarball = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isTarball
    ? (require("./source-tarball") as typeof import("./source-tarball"))
    : (require("./source-folder") as typeof import("./source-folder"));
}

/** Returns the digest that is compared instead of the path. */
export const computeDigest = (path: string, scope: RunScope): Promise<string> =>
  loadSourceModule(path).computeDigest(path, scope.get(FileDigests));
