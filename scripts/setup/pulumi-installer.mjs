/** Runs the official Pulumi installer in the cache folder, without changing ~/.pulumi or a shell profile. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attempt } from "./run.mjs";

const INSTALLER = "https://get.pulumi.com/install.sh";
const RESPONSE_MS = 20_000;
/** For the download of the CLI, which is about 150 MB. */
const INSTALLATION_MS = 300_000;

/** Installs into `folder`/bin. Returns undefined, or why it failed. */
export async function installOfficially(folder, version, env) {
  const scratch = join(folder, "scratch");
  try {
    const script = await download(INSTALLER);
    await mkdir(scratch);
    await writeFile(join(scratch, "install.sh"), script);
    const args = [join(scratch, "install.sh"), "--no-edit-path", "--install-root", folder, "--version", version];
    const stop = AbortSignal.timeout(INSTALLATION_MS);
    const { code } = await attempt("sh", args, { cwd: scratch, env: { ...env, TMPDIR: scratch }, stop });
    if (code === 0) return undefined;
    return stop.aborted ? "did not end within 5 min" : "failed";
  } catch (error) {
    if (error.code === "ENOSPC") throw error;
    return error.name === "TimeoutError" ? "did not respond for 20 s" : "is unreachable";
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function download(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_MS) });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return response.text();
}
