/** Provides programs of the Go modules in toolchain/, with their own source or that of others: cached, or built. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { digestOf, inCache } from "../setup/cache.mjs";
import { buildTool, goProgram } from "../setup/go.mjs";
import { PLATFORM, toolchainOf } from "../setup/paths.mjs";
import { step } from "../setup/step.mjs";

interface GoProgram {
  /** Its module in toolchain/, and its file name. */
  name: string;
  /** As the beginning of a sentence. */
  title: string;
  /** What requires it. */
  purpose: string;
}

/** Returns the path of the generator of SDKs; its arguments: a language, the schema file, the target folder. */
export const ensureSdkGenerator = (env: NodeJS.ProcessEnv) =>
  ensureProgram({ name: "sdk-generator", title: "SDK generator", purpose: "Generating SDKs requires" }, env);

/** Returns the path of a program that signs programs for macOS; its arguments are the file and its identifier. */
export const ensureMacSigner = (env: NodeJS.ProcessEnv) => {
  const purpose = "Building the executables for macOS requires";
  return ensureProgram({ name: "mac-signer", title: "Signer of programs for macOS", purpose }, env);
};

/** Returns the path of a provider that accepts the resources of other providers, and creates nothing. */
export const ensureStandIn = (env: NodeJS.ProcessEnv) => {
  const purpose = "Running the examples with other providers requires";
  return ensureProgram({ name: "stand-in", title: "Stand-in for other providers", purpose }, env);
};

/** Returns the path of versitygw, an independent S3 server for the tests of bucket clients. */
export const ensureVersitygw = (env: NodeJS.ProcessEnv) => {
  const purpose = "Tests against another S3 server require";
  return ensureProgram({ name: "versitygw", title: "S3 server", purpose }, env);
};

async function ensureProgram(program: GoProgram, env: NodeJS.ProcessEnv) {
  const { name, title } = program;
  const sources = ["main.go", "go.mod"].map((file) => join(toolchainOf(name), file)).filter(existsSync);
  const folder = `${name}-${await digestOf(...sources)}-${PLATFORM}`;
  return join(await inCache(folder, title, (draft) => build(draft, program, env)), name);
}

async function build(draft: string, { name, title, purpose }: GoProgram, env: NodeJS.ProcessEnv) {
  const go = goProgram(purpose, env);
  await step(title, "building it with Go (minutes, once)", () =>
    buildTool({ go, module: name, output: join(draft, name), env, failed: `Building ${name} with Go failed` }),
  );
}
