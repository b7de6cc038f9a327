/** The processes of the operating system that a command started. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { waitUntil } from "../wait-until";

/**
 * What a process does for a run. "host" is the engine's host of dynamic resources, and "launcher" the script that
 * starts it.
 */
export type Role = "program" | "language host" | "host" | "launcher" | "plugin" | "other";

export interface ProcessInfo {
  pid: number;
  parent: number;
  role: Role;
  args: string;
}

const ROLES: readonly [RegExp, Role][] = [
  [/cmd\/dynamic-provider/, "host"],
  [/pulumi-resource-pulumi-nodejs/, "launcher"],
  [/pulumi-resource-agentgraph|\/build\/plugin\//, "plugin"],
  [/@pulumi\/pulumi\/cmd\/run|pulumi-language-python-exec/, "program"],
  [/pulumi-language-/, "language host"],
];

/** Returns all processes that a process started, directly and indirectly, each after its parent; none without `ps`. */
export async function descendantsOf(pid = 0): Promise<ProcessInfo[]> {
  const table = await processTable();
  const childrenOf = (parent: number): ProcessInfo[] =>
    table.filter((process) => process.parent === parent).flatMap((child) => [child, ...childrenOf(child.pid)]);
  return childrenOf(pid);
}

/** Returns those of the processes that have not ended. */
export async function stillRunning(processes: readonly ProcessInfo[]): Promise<ProcessInfo[]> {
  const table = new Map((await processTable()).map(({ pid, args }) => [pid, args]));
  return processes.filter(({ pid, args }) => table.get(pid) === args);
}

/** @throws When one of the processes does not end. */
export const waitUntilEnded = (processes: readonly ProcessInfo[]): Promise<void> =>
  waitUntil(
    async () => (await stillRunning(processes)).length === 0,
    () => `the end of ${processes.map(({ role }) => role).join(", ")}`,
  );

/** Sends SIGKILL to each process, and to its process group if it leads one. */
export function killAll(processes: readonly ProcessInfo[]): void {
  for (const pid of processes.flatMap(({ pid }) => [-pid, pid])) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has already ended, or leads no group.
    }
  }
}

/** Returns the processes of this machine, except those that ended and whose parent has not noticed it. */
async function processTable(): Promise<ProcessInfo[]> {
  const columns = ["-A", "-ww", "-o", "pid=,ppid=,stat=,args="];
  const { stdout } = await promisify(execFile)("ps", columns, { maxBuffer: 1e8 }).catch(() => ({ stdout: "" }));
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, args = ""] = line.match(/^\s*(\d+)\s+(\d+)\s+[^Z\s]\S*\s+(.*)$/) ?? [];
    const role = ROLES.find(([pattern]) => pattern.test(args))?.[1] ?? "other";
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), role, args }];
  });
}
