/** Providers as separate processes, started with each kind of standard input. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const provider = join(__dirname, "../../../../dist/provider");
/** The exit code of a process that the provider does not end when its standard input ends. */
const LIVED_ON = 7;

async function exitCode(stdin: "pipe" | "ignore", engineAddress: string): Promise<unknown> {
  const end = `process.stdin.on("end", () => process.exit(${LIVED_ON})).resume();`;
  const program = `require(${JSON.stringify(provider)}); ${end}`;
  const child = spawn(process.execPath, ["-e", program, "--", "host", engineAddress], {
    stdio: [stdin, "inherit", "inherit"],
  });
  child.stdin?.end();
  return (await once(child, "exit"))[0];
}

test.each([
  ["ends when the engine closes its standard input", "pipe", "127.0.0.1:9", 0],
  ["keeps running without a standard input from the engine", "ignore", "127.0.0.1:9", LIVED_ON],
  ["keeps running in a process that no engine started", "pipe", "some-argument", LIVED_ON],
] as const)("A provider %s", async (_what, stdin, address, code) => {
  expect(await exitCode(stdin, address)).toBe(code);
});
