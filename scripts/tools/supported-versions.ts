/** Provides the oldest and the newest supported versions, and another processor, for `npm run compatibility`. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inCache } from "../setup/cache.mjs";
import { ensureNodeRelease } from "../setup/node.mjs";
import { PLATFORM, ROOT, which } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt, run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";
import { NEWEST_CLI, versionOf } from "./go-programs.ts";

/** Newest major version of Node that the package is tested with. */
const NEWEST_NODE = "26";
const SDK = "@pulumi/pulumi";
/** The newest major version of TypeScript that the oldest SDK supports. */
const TYPESCRIPT = "typescript@5";

const manifest = async () => JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
const versionIn = (range: string) => range.replace(/^[^\d]+/, "");

/** Returns the path of the Node that `engines` in package.json names. */
export const ensureOldestNode = async () =>
  ensureNodeRelease("the oldest supported version", versionIn((await manifest()).engines.node));

/** Returns the path of the newest Node. */
export const ensureNewestNode = () => ensureNodeRelease("the newest supported version", NEWEST_NODE);

/** Returns the folder of the Pulumi SDK that `peerDependencies` in package.json names. */
export async function ensureOldestSdk(env: NodeJS.ProcessEnv) {
  const version = versionIn((await manifest()).peerDependencies[SDK]);
  return ensureSdk(version, "the oldest supported version", TYPESCRIPT, env);
}

/** Returns the folder of the Pulumi SDK of the version of the newest CLI. */
export async function ensureNewestSdk(env: NodeJS.ProcessEnv) {
  const { typescript } = (await manifest()).devDependencies;
  return ensureSdk(await versionOf(NEWEST_CLI), "the newest version", `typescript@${typescript}`, env);
}

/** @param typescript The package that compiles programs with it. */
async function ensureSdk(version: string, why: string, typescript: string, env: NodeJS.ProcessEnv) {
  const home = await inCache(`pulumi-sdk-${version}`, "Pulumi SDK", (draft) =>
    step("Pulumi SDK", `installing ${version} from npm (${why})`, () => {
      const args = ["install", "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
      const failed = "npm could not install the SDK";
      return run("npm", [...args, `${SDK}@${version}`, typescript], { cwd: draft, env, failed });
    }),
  );
  return join(home, "node_modules", SDK);
}

/** The libraries of Debian for programs of arm64 on other processors. */
const LIBRARIES = "/usr/aarch64-linux-gnu";
const EMULATOR = "qemu-aarch64-static";

/** Returns the path of a `node` for arm64 that runs under emulation on Linux x64. */
export async function ensureArm64Node(env: NodeJS.ProcessEnv) {
  const emulator = which(EMULATOR, env);
  if (PLATFORM !== "linux-x64" || !emulator || !existsSync(LIBRARIES)) {
    throw new Problem(
      "Tests on arm64 require Linux x64 with an emulator. Run `apt-get install qemu-user-static " +
        "libc6-arm64-cross libstdc++6-arm64-cross` and the same command again.",
    );
  }
  const node = await ensureNodeRelease("another processor", undefined, "linux-arm64");
  // Its name contains what it starts, since that may change.
  const name = `arm64-${createHash("sha256").update(`${emulator} ${node}`).digest("hex").slice(0, 12)}`;
  return join(await inCache(name, "Launcher of Node for arm64", write), "node");

  async function write(draft: string) {
    const file = join(draft, "node");
    await writeFile(file, `#!/bin/sh\nexec ${emulator} -L ${LIBRARIES} ${node} "$@"\n`);
    await chmod(file, 0o755);
    const { code, output } = await attempt(file, ["--version"], { env });
    if (code !== 0) throw new Problem("Node for arm64 does not run under emulation here.", output);
  }
}
