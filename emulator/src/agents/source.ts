import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SourceError, unpackSource } from "../control-plane/build/read-source";
import type { DeploymentRecord, RevisionRecord } from "../control-plane/model/records";
import { referenceName } from "../control-plane/sources/commits";
import { uploadedTarball } from "../control-plane/sources/uploads";
import { type AgentCommands, CommandError } from "../runtime/agents/commands";
import { Redactor } from "../runtime/agents/output";
import { describeExit, type Processes } from "../runtime/agents/processes";
import type { Context } from "../runtime/context";

/** Where the source goes, and what ends its fetch. */
interface Fetch {
  folder: string;
  signal: AbortSignal;
  timeouts: AgentCommands["timeouts"];
}

/**
 * Puts the source of a revision into a new folder: the uploaded files or a clone; empty for an image. Returns the
 * commit of a clone. @throws CommandError
 */
export async function fetchSource(
  context: Context,
  deployment: DeploymentRecord,
  revision: RevisionRecord,
  fetch: Fetch,
): Promise<string | undefined> {
  const { folder } = fetch;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { source_tarball_path: tarball, repo_ref } = revision.source_revision_config;
  if (deployment.source === "internal_source") return unpack(context, tarball ?? "", folder);
  if (deployment.source !== "githost") return undefined;
  const url = deployment.source_config.repo_url ?? "";
  return clone(url, referenceName(context, url, repo_ref), fetch, context.agents.processes);
}

async function unpack(context: Context, tarball: string, folder: string): Promise<undefined> {
  const content = uploadedTarball(context, tarball);
  if (!content) throw new CommandError(`No tarball was uploaded to ${tarball}`);
  try {
    for (const [path, file] of unpackSource(content)) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, file.content, { mode: file.isExecutable ? 0o755 : 0o644 });
    }
  } catch (error) {
    if (error instanceof SourceError) throw new CommandError(error.message);
    throw new CommandError(`Could not unpack the source: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Git runs without any configuration of the user or the system, which can name programs (filters, hooks, credential
 * helpers). It asks nothing, and uses no transport but local files.
 */
const gitEnvironment = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  GIT_ALLOW_PROTOCOL: "file",
};

async function clone(url: string, ref: string, fetch: Fetch, processes: Processes): Promise<string> {
  // A URL with a host would send the credentials of this user to that host on Windows.
  if (!url.startsWith("file:///")) {
    const help =
      'Only repositories with a file:/// URL are cloned. Set "folder" in the agents file to use a folder instead';
    throw new CommandError(`The repository ${url} is not on this machine. ${help}`);
  }
  if (url.includes("\0")) throw new CommandError("The URL of the repository contains a NUL character");
  // A path of a request may be a pipe or a network drive that never responds.
  const timeout = AbortSignal.timeout(fetch.timeouts.clone);
  const git = (...args: string[]) => runGit(args, { url, timeout, ...fetch }, processes);
  await git("clone", "--quiet", "--no-checkout", "--no-hardlinks", "--template=", "--", url, fetch.folder);
  // The name of a branch, or that of a tag or a commit.
  const find = (name: string) => git("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
  const commit = await find(`refs/remotes/origin/${ref}`)
    .catch(() => find(ref))
    .catch((error) => {
      if (timeout.aborted || fetch.signal.aborted) throw error;
      throw new CommandError(`The repository ${url} has no branch, tag or commit "${ref}"`);
    });
  await git("checkout", "--quiet", "--detach", commit);
  return commit;
}

type Git = Fetch & { url: string; timeout: AbortSignal };

/** Runs Git in the folder, and returns its output. All of its processes end with it. @throws CommandError */
async function runGit(
  args: readonly string[],
  { url, folder, signal, timeout, timeouts }: Git,
  processes: Processes,
): Promise<string> {
  const output = { INFO: "", problems: "" };
  const environment = { ...gitEnvironment, PATH: process.env.PATH ?? "" };
  const argv = ["git", "-c", "core.hooksPath=/dev/null", ...args];
  const running = await processes.start({ argv, folder, environment }, new Redactor([]), ({ level, message }) => {
    output[level === "INFO" ? "INFO" : "problems"] += `${message}\n`;
  });
  const exit = await running.exitBefore(AbortSignal.any([signal, timeout]));
  if (exit === undefined) await running.end(timeouts.stop);
  signal.throwIfAborted();
  if (exit === undefined)
    throw new CommandError(`The repository ${url} was not cloned within ${timeouts.clone / 1000} s`);
  if (exit.code !== 0) throw new CommandError(`git ${args[0]} failed: ${output.problems.trim() || describeExit(exit)}`);
  return output.INFO.trim();
}
