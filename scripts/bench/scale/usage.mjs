/** What a command costs: wall clock, and processor time and memory of the processes that it starts. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 100;
/** In the command line of the process that hosts dynamic resources. */
const HOST = "dynamic-provider";

/**
 * Runs a command and returns its costs: wall clock and processor time in seconds, and of the host of dynamic resources,
 * which is sampled, processor time and memory.
 * @param folder Where the program of the command is.
 */
export async function costOf(folder, command) {
  let host = { seconds: 0, megabytes: 0 };
  const sample = () => {
    for (const pid of hostsIn(folder)) host = costOfProcess(pid) ?? host;
  };
  const timer = setInterval(sample, SAMPLE_MS);
  const [begin, cpu] = [performance.now(), childSeconds()];
  try {
    await command();
  } finally {
    clearInterval(timer);
  }
  return { seconds: (performance.now() - begin) / 1000, cpu: childSeconds() - cpu, host };
}

/** Returns the processor seconds and the maximum resident megabytes of a process; undefined after its end. */
export function costOfProcess(pid) {
  try {
    const [user, system] = statOf(pid).slice(11, 13).map(Number);
    const kilobytes = Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
    return { seconds: (user + system) / TICKS_PER_SECOND, megabytes: kilobytes / 1024 };
  } catch {
    return undefined;
  }
}

/** Returns the processor seconds of all child processes that ended, with those of their own children. */
function childSeconds() {
  const [user, system] = statOf("self").slice(13, 15).map(Number);
  return (user + system) / TICKS_PER_SECOND;
}

/** Returns the fields of `stat` after the name of the program, which may contain spaces. */
const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop().split(" ");

const hostsIn = (folder) =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(HOST) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false; // It ended, or belongs to another user.
    }
  });
