import { posix } from "node:path";
import { gunzipSync } from "node:zlib";
import { errorCode } from "../../runtime/errors";
import { limits } from "../../runtime/limits";
import { findJsonError } from "../../runtime/validation/json";
import { isObject } from "../../runtime/validation/validator";
import { readTar, TarError, type TarFile } from "./tar";

/** Facts about an uploaded source that affect its build. */
export interface SourceFacts {
  /** Names of the graphs in its graph configuration. */
  graphs: string[];
  /** Has a package.json at its root or beside the configuration, or a Node.js version in the configuration. */
  javascript: boolean;
  /** The file at its root that determines how JavaScript dependencies are installed; null without one. */
  installFile: string | null;
}

/** Why a source cannot be built, and the build step that fails. */
export class SourceError extends Error {
  constructor(
    readonly step: "fetching" | "configuration",
    message: string,
  ) {
    super(message);
  }
}

/** Install commands by the file at the root that selects them; the first existing file wins. */
export const installCommands: Readonly<Record<string, string>> = {
  "yarn.lock": "yarn install --frozen-lockfile",
  "pnpm-lock.yaml": "pnpm install --frozen-lockfile",
  "package-lock.json": "npm ci",
  "bun.lock": "bun install --frozen-lockfile",
  "bun.lockb": "bun install --frozen-lockfile",
  "package.json": "npm install",
};

/** Unpacks a tarball and reads its graph configuration. @throws SourceError if either is invalid. */
export function readSource(tarball: Buffer, configPath: string): SourceFacts {
  const files = unpackSource(tarball);
  const path = posix.normalize(configPath).replace(/^\/+/, "");
  const content = files.get(path);
  if (content === undefined)
    throw new SourceError("configuration", explainMissing(configPath, path, [...files.keys()]));
  const config = parse(configPath, content.content.toString("utf8"));
  const graphs = isObject(config) && isObject(config.graphs) ? Object.keys(config.graphs) : [];
  if (graphs.length === 0) {
    const expected = '"graphs" must be an object with at least one entry';
    const message = `The graph configuration ${configPath} has no graphs; ${expected}`;
    throw new SourceError("configuration", message);
  }
  const packageJsonPath = posix.join(posix.dirname(path), "package.json");
  const javascript =
    files.has("package.json") || files.has(packageJsonPath) || (isObject(config) && "node_version" in config);
  return { graphs, javascript, installFile: Object.keys(installCommands).find((name) => files.has(name)) ?? null };
}

/** Returns the files of a tarball. @throws SourceError */
export function unpackSource(tarball: Buffer): Map<string, TarFile> {
  try {
    return readTar(gunzipSync(tarball, { maxOutputLength: limits.tarball.maxUnpackedBytes }));
  } catch (error) {
    if (error instanceof TarError) {
      throw new SourceError("fetching", `The uploaded file is gzip but not a valid tar archive: ${error.message}`);
    }
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") throw new SourceError("fetching", tooLarge);
    const reason = zlibReasons[errorCode(error) ?? ""];
    if (reason === undefined) throw error;
    throw new SourceError("fetching", `The uploaded file is not gzip: ${reason}`);
  }
}

const zlibReasons: Readonly<Record<string, string>> = {
  Z_DATA_ERROR: "invalid data",
  Z_BUF_ERROR: "unexpected end of file",
};

const tooLarge = `The tarball unpacks to more than ${limits.tarball.maxUnpackedBytes / 1024 / 1024} MiB`;

function explainMissing(configPath: string, path: string, files: readonly string[]): string {
  const sameName = files.filter((file) => posix.basename(file) === posix.basename(path));
  const contents = sameName.length > 0 ? sameName.slice(0, 3).join(", ") : `${files.length} files`;
  return `The graph configuration ${configPath} is not in the tarball, which contains ${contents}`;
}

function parse(configPath: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    const { message, position } = findJsonError(json);
    const location = `line ${json.slice(0, position).split("\n").length}`;
    throw new SourceError(
      "configuration",
      `The graph configuration ${configPath} is not valid JSON: ${message}, ${location}`,
    );
  }
}
