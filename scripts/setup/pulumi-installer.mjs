/** Runs the official Pulumi installer in the cache folder, without changing ~/.pulumi or a shell profile. */
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { attempt } from "./run.mjs";

const INSTALLER = "https://get.pulumi.com/install.sh";
const PATIENCE = 20_000;
const SILENT = "did not respond for 20 s";

/** Installs into `folder`/bin. Returns undefined, or why it failed. */
export async function installOfficially(folder, version, env) {
  const scratch = join(folder, "scratch");
  try {
    const script = await download(INSTALLER);
    await mkdir(scratch);
    await writeFile(join(scratch, "install.sh"), script);
    const args = [join(scratch, "install.sh"), "--no-edit-path", "--install-root", folder, "--version", version];
    const { code, stopped } = await whileItMoves(folder, (stop) =>
      attempt("sh", args, { cwd: scratch, env: { ...env, TMPDIR: scratch }, stop }),
    );
    if (code === 0) return undefined;
    return stopped ? SILENT : "failed";
  } catch (error) {
    if (error.code === "ENOSPC") throw error;
    return error.name === "TimeoutError" ? SILENT : "is unreachable";
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function download(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) throw new Error(`${url} responded with ${answer.status}`);
  return answer.text();
}

/** Runs work that writes into `folder`, and stops it if nothing was written for 20 s. */
async function whileItMoves(folder, work) {
  const stop = new AbortController();
  const watch = new AbortController();
  const watching = (async () => {
    let size = -1;
    let since = Date.now();
    while (Date.now() - since < PATIENCE) {
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
  for (const name of await readdir(folder, { recursive: true })) {
    size += await stat(join(folder, name)).then(
      (file) => file.size,
      () => 0,
    );
  }
  return size;
}
