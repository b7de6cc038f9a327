/**
 * Ends what the tests of one run have started and left behind: `node reaper.mjs <id of the run>`. It waits for the end
 * of its standard input, which the system closes with the process that holds the other end, however that one ends.
 * Every process of the run has the ID in its environment. A number on standard input is how many milliseconds they may
 * take to end by themselves. Prints what it ended, one process a line.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const mark = `TEST_RUN_ID=${process.argv[2]}`;

let patienceMs = 0;
process.stdin.setEncoding("utf8").on("data", (text) => {
  patienceMs = Number(text);
});
process.stdin.on("end", async () => {
  for (const end = Date.now() + patienceMs; leftBehind().length > 0 && Date.now() < end; ) await sleep(100);
  const ended = new Set();
  // What is ended may just have started something.
  for (let left = leftBehind(); left.length > 0; left = leftBehind()) {
    for (const { pid, command } of left) {
      if (!ended.has(pid)) process.stdout.write(`${pid} ${command}\n`);
      ended.add(pid);
      kill(pid);
    }
    await sleep(10);
  }
});
// Nobody reads it when the run was killed.
process.stdout.on("error", () => {});

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function leftBehind() {
  return process.platform === "linux" ? inProc() : byPs();
}

function inProc() {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const read = (file) => {
      try {
        return readFileSync(`/proc/${name}/${file}`, "latin1").split("\0");
      } catch {
        return []; // Another user's, or ended meanwhile. One that ended and waits for its parent has no environment.
      }
    };
    if (!read("environ").includes(mark)) return [];
    return [{ pid: Number(name), command: read("cmdline").join(" ").trim() }];
  });
}

function byPs() {
  const lines = execFileSync("ps", ["-A", "-E", "-ww", "-o", "pid=,command="], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return lines.split("\n").flatMap((line) => {
    const [, pid, command = ""] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return pid && ` ${command} `.includes(` ${mark} `) ? [{ pid: Number(pid), command: command.slice(0, 200) }] : [];
  });
}
