import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";

const script = join(__dirname, "reaper.mjs");
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Starts a process that runs for a minute, in its own process group, like those that the engine starts. */
function sleeper(id: string): ChildProcess {
  const env = { ...process.env, TEST_RUN_ID: id };
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], {
    env,
    detached: true,
    stdio: "ignore",
  });
  started.push(child);
  return child;
}

test("the end of a run stops and names the processes that it left, and no others", async () => {
  const id = randomUUID();
  const [left, other] = [sleeper(id), sleeper(randomUUID())];
  const ended = once(left, "exit");
  const reaper = spawn(process.execPath, [script, id], { stdio: ["pipe", "pipe", "inherit"] });
  reaper.stdin.end("0");
  const [said] = await once(reaper.stdout, "data");
  expect(String(said)).toMatch(new RegExp(`^${left.pid} .*setTimeout`));
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect([other.exitCode, other.signalCode]).toEqual([null, null]);
});

test("the processes of a killed run are stopped as well", async () => {
  const id = randomUUID();
  const left = sleeper(id);
  const ended = once(left, "exit");
  const program = `
    const options = { stdio: ["pipe", "ignore", "inherit"], detached: true };
    require("node:child_process").spawn(process.execPath, ${JSON.stringify([script, id])}, options);
    console.log("ready");
    setTimeout(() => {}, 60_000);`;
  const run = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(run);
  await once(run.stdout, "data");
  run.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
});
