/** Runs the official Pulumi installer in the cache folder, without changing ~/.pulumi or a shell profile. */
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { attempt } from "./run.mjs";

const INSTALLER = "https://get.pulumi.com/install.sh";
const TIMEOUT_MS = 20_000;
const NO_RESPONSE = "did not respond for 20 s";

/** Installs into `folder`/bin. Returns undefined, or why it failed. */
export async function installOfficially(folder, version, env) {
  const scratch = join(folder, "scratch");
  try {
    const script = await download(INSTALLER);
    await mkdir(scratch);
    await writeFile(join(scratch, "install.sh"), script);
    const args = [join(scratch, "install.sh"), "--no-edit-path", "--install-root", folder, "--version", version];
    const { code, stopped } = await whileProgressing(folder, (stop) =>
      attempt("sh", args, { cwd: scratch, env: { ...env, TMPDIR: scratch }, stop }),
    );
    if (code === 0) return undefined;
    return stopped ? NO_RESPONSE : "failed";
  } catch (error) {
    if (error.code === "ENOSPC") throw error;
    return error.name === "TimeoutError" ? NO_RESPONSE : "is unreachable";
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function download(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return response.text();
}

/** Runs work that writes into `folder`, and stops it if nothing was written for 20 s. */
async function whileProgressing(folder, work) {
  const stop = new AbortController();
  const watch = new AbortController();
  const watching = (async () => {
    let size = -1;
    let since = Date.now();
    while (Date.now() - since < TIMEOUT_MS) {
      await sleep(1000, undefined, { signal: watch.signal });
      const now = await sizeOf(folder);
      if (now !== size) [size, since] = [now, Date.now()];
    }
    stop.abort();
  })().catch(() => {});
  try {
    return { ...(await work(stop.signal)), stopped: stop.signal.aborted };
  } finally {
    watch.abort();
    await watching;
  }
}

async function sizeOf(folder) {
  let size = 0;
  for (const name of await readdir(folder, { recursive: true }))
    size += await stat(join(folder, name)).then(
      (file) => file.size,
      () => 0,
    );
  return size;
}
