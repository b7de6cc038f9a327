/**
 * What git stores about the files of a folder. On Windows, the file system has no executable bits, and git may check
 * out text with other line ends and symbolic links as files. The index still has what a checkout on Linux contains.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface IndexedFile {
  executable: boolean;
  /** Whether it is a symbolic link, whose target a checkout may contain as text. */
  isLink: boolean;
  /** Whether git replaces LF with CRLF in a checkout on Windows only. */
  isConverted: boolean;
}

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Mode, line ends in the index, line ends in the folder, attributes, and path. */
const RECORD = /^(\d{6}) \S+ \d\ti\/(\S*) +w\/(\S*) +attr\/([^\t]*)\t(.*)$/s;

/** Returns the tracked files by path, relative to the folder, with slashes. Without git or a repository, none. */
export async function readGitIndex(folder: string): Promise<Map<string, IndexedFile>> {
  const options = { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES };
  const listing = promisify(execFile)("git", ["ls-files", "--stage", "--eol", "-z"], options);
  const { stdout } = await listing.catch(() => ({ stdout: "" }));
  const files = new Map<string, IndexedFile>();
  for (const record of stdout.split("\0")) {
    const [, mode, inIndex, inFolder = "", attributes = "", path = ""] = RECORD.exec(record) ?? [];
    if (mode === undefined) continue;
    const isConverted = inIndex === "lf" && ["crlf", "mixed"].includes(inFolder) && !/-text|eol=crlf/.test(attributes);
    files.set(path, { executable: mode === "100755", isLink: mode === "120000", isConverted });
  }
  return files;
}
