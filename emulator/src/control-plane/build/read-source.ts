import { posix } from "node:path";
import { gunzipSync } from "node:zlib";
import { errorCode } from "../../runtime/errors";
import { limits } from "../../runtime/limits";
import { findJsonError } from "../../runtime/validation/json";
import { isObject } from "../../runtime/validation/validator";
import { readTar, TarError } from "./tar";

/** What an uploaded source says about its build. */
export interface SourceFacts {
  /** Names of the graphs that its configuration lists. */
  graphs: string[];
  /** Has a package.json, at its root or beside the configuration, or a Node version in the configuration. */
  javascript: boolean;
  /** The file at its root that says how JS dependencies are installed, if there is one. */
  installFile: string | null;
}

/** Why a source cannot be built, and the step of the build that finds it out. */
export class SourceError extends Error {
  constructor(
    readonly step: "fetching" | "configuration",
    message: string,
  ) {
    super(message);
  }
}

/** How dependencies are installed, by the file at the root that says so; the first that is there counts. */
export const installCommands: Readonly<Record<string, string>> = {
  "yarn.lock": "yarn install --frozen-lockfile",
  "pnpm-lock.yaml": "pnpm install --frozen-lockfile",
  "package-lock.json": "npm ci",
  "bun.lock": "bun install --frozen-lockfile",
  "bun.lockb": "bun install --frozen-lockfile",
  "package.json": "npm install",
};

/** Unpacks a tarball and reads the graph configuration in it; throws SourceError where it is broken. */
export function readSource(tarball: Buffer, configPath: string): SourceFacts {
  const files = unpack(tarball);
  const path = posix.normalize(configPath).replace(/^\/+/, "");
  const content = files.get(path);
  if (content === undefined)
    throw new SourceError("configuration", explainMissing(configPath, path, [...files.keys()]));
  const config = parse(configPath, content.toString("utf8"));
  const graphs = isObject(config) && isObject(config.graphs) ? Object.keys(config.graphs) : [];
  if (graphs.length === 0) {
    const message = `The graph configuration ${configPath} has no graphs: "graphs" must be an object with one at least`;
    throw new SourceError("configuration", message);
  }
  const beside = posix.join(posix.dirname(path), "package.json");
  const javascript = files.has("package.json") || files.has(beside) || (isObject(config) && "node_version" in config);
  return { graphs, javascript, installFile: Object.keys(installCommands).find((name) => files.has(name)) ?? null };
}

function unpack(tarball: Buffer): Map<string, Buffer> {
  try {
    return readTar(gunzipSync(tarball, { maxOutputLength: limits.tarball.maxUnpackedBytes }));
  } catch (error) {
    if (error instanceof TarError) {
      throw new SourceError("fetching", `What was uploaded is gzip, but no tar archive is in it: ${error.message}`);
    }
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") throw new SourceError("fetching", tooLarge);
    const reason = zlibReasons[errorCode(error) ?? ""];
    if (reason === undefined) throw error;
    throw new SourceError("fetching", `What was uploaded is not gzip: ${reason}`);
  }
}

const zlibReasons: Readonly<Record<string, string>> = {
  Z_DATA_ERROR: "its data cannot be read",
  Z_BUF_ERROR: "it ends too early",
};

const tooLarge = `The tarball unpacks to more than ${limits.tarball.maxUnpackedBytes / 1024 / 1024} MiB`;

function explainMissing(configPath: string, path: string, files: readonly string[]): string {
  const sameName = files.filter((file) => posix.basename(file) === posix.basename(path));
  const instead = sameName.length > 0 ? sameName.slice(0, 3).join(", ") : `${files.length} files`;
  return `The graph configuration ${configPath} is not in the tarball, which has ${instead}`;
}

function parse(configPath: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    const { message, position } = findJsonError(json);
    const where = `line ${json.slice(0, position).split("\n").length}`;
    throw new SourceError(
      "configuration",
      `The graph configuration ${configPath} is no valid JSON: ${message}, ${where}`,
    );
  }
}
