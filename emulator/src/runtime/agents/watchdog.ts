import { createInterface } from "node:readline";
import { killGroup } from "./kill-group";

/** Milliseconds between SIGTERM and SIGKILL after the emulator has ended. */
const graceMs = 2000;

/**
 * Ends the agents of an emulator that was killed. It reads "add PID" and "remove PID" from its standard input, which
 * the system closes however the emulator ends.
 */
function watch(): void {
  const groups = new Set<number>();
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const [verb, pid] = line.split(" ");
    if (verb === "add") groups.add(Number(pid));
    else groups.delete(Number(pid));
  });
  lines.on("close", () => {
    if (groups.size === 0) process.exit();
    for (const pid of groups) killGroup(pid, "SIGTERM");
    setTimeout(() => {
      for (const pid of groups) killGroup(pid, "SIGKILL");
      process.exit();
    }, graceMs);
  });
}

watch();
