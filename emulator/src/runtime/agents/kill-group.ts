import { spawnSync } from "node:child_process";

/** Signals a process and all that it started. Returns false if none is left. */
export function killGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    if (process.platform !== "win32") return process.kill(-pid, signal);
    // Windows has no process groups; a process cannot be asked to end.
    if (signal === 0) return process.kill(pid, 0);
    return spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { windowsHide: true }).status === 0;
  } catch {
    return false;
  }
}
