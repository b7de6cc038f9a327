import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A socket that listens on this machine, as Linux describes it. */
interface ListeningSocket {
  port: number;
  inode: string;
}

/** A file descriptor of a process that belongs to a listening socket: a path in /proc and what it leads to. */
export interface Descriptor {
  path: string;
  socket: string;
}

/** Who listens at a port: processes of the agent only, nobody, or another process as well. */
export type PortOwner = { descriptors: readonly Descriptor[] } | "nobody" | "another process";

/**
 * Finds out whether all sockets that listen at a port belong to an agent, whose processes are in the session that it
 * began. Returns undefined on systems without /proc, where that cannot be known.
 */
export function portOwner(port: number, session: number): PortOwner | undefined {
  const sockets = listeningSockets()?.filter((socket) => socket.port === port);
  if (sockets === undefined) return undefined;
  if (sockets.length === 0) return "nobody";
  const descriptors = descriptorsOf(session);
  const own = sockets.map(({ inode }) => descriptors.find(({ socket }) => socket === `socket:[${inode}]`));
  return own.every((descriptor) => descriptor !== undefined) ? { descriptors: own } : "another process";
}

/** Whether the sockets of an agent are still open. As long as they are, no other process can take their port. */
export function stillListens(descriptors: readonly Descriptor[]): boolean {
  return descriptors.every(({ path, socket }) => readLink(path) === socket);
}

/** Returns the ports at which the processes of an agent listen, in ascending order; empty on systems without /proc. */
export function portsOf(session: number): number[] {
  const sockets = listeningSockets() ?? [];
  const own = new Set(sockets.length === 0 ? [] : descriptorsOf(session).map(({ socket }) => socket));
  const ports = sockets.filter(({ inode }) => own.has(`socket:[${inode}]`)).map(({ port }) => port);
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** The state LISTEN in /proc/net/tcp. */
const LISTEN = "0A";

function listeningSockets(): ListeningSocket[] | undefined {
  const tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(readText);
  if (tables.every((table) => table === undefined)) return undefined;
  return tables.flatMap((table = "") =>
    table.split("\n").flatMap((line) => {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      return state === LISTEN ? [{ port: Number.parseInt(local.split(":")[1] ?? "", 16), inode }] : [];
    }),
  );
}

/** Returns the sockets of all processes of a session. */
function descriptorsOf(session: number): Descriptor[] {
  return processesOf(session).flatMap((pid) => {
    const folder = `/proc/${pid}/fd`;
    return list(folder).flatMap((name) => {
      const socket = readLink(`${folder}/${name}`);
      return socket?.startsWith("socket:") ? [{ path: `${folder}/${name}`, socket }] : [];
    });
  });
}

function processesOf(session: number): string[] {
  return list("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    // "PID (NAME) STATE PARENT GROUP SESSION …", where the name may contain anything.
    const stat = readText(`/proc/${pid}/stat`) ?? "";
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(fields[3]) === session;
  });
}

// A process may end while it is looked at.
const orUndefined = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const readText = (path: string) => orUndefined(() => readFileSync(path, "utf8"));
const readLink = (path: string) => orUndefined(() => readlinkSync(path));
const list = (path: string) => orUndefined(() => readdirSync(path)) ?? [];
