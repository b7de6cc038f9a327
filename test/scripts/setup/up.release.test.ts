/** `npm run up` and `npm run down` with a fake CLI and a fake emulator. */
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { freePorts } from "../../support/servers/ports";
import { type Checkout, pulumi, testInCheckout } from "../checkout";

const lines = (output: string) => output.split("\n").filter((line) => line !== "");

/** A fake emulator that runs in the background from `start` until `stop`. */
const EMULATOR = `
  const fs = require("node:fs");
  const [command, ...options] = process.argv.slice(2);
  const data = options[options.indexOf("--data") + 1];
  const port = Number(options[options.indexOf("--port") + 1]);
  const file = data + "/emulator.pid";
  const pid = () => {
    try { const pid = Number(fs.readFileSync(file)); process.kill(pid, 0); return pid; } catch { return 0; }
  };
  if (command === "start") {
    fs.mkdirSync(data, { recursive: true });
    const args = [__filename, "serve", ...options];
    const child = require("node:child_process").spawn(process.execPath, args, { detached: true, stdio: "ignore" });
    fs.writeFileSync(file, String(child.pid));
    fs.writeFileSync(data + "/port", String(port));
    child.unref();
    const answers = () => fetch("http://127.0.0.1:" + port).catch(() => setTimeout(answers, 20));
    answers();
  }
  if (command === "serve") require("node:http").createServer((_, answer) => answer.end("{}")).listen(port, "127.0.0.1");
  if (command === "status") process.exitCode = pid() ? 0 : 1;
  if (command === "stop") {
    if (pid()) process.kill(pid());
    fs.rmSync(file);
    // The port is free only when the process has ended.
    const url = "http://127.0.0.1:" + fs.readFileSync(data + "/port", "utf8");
    const ended = () => fetch(url).then(() => setTimeout(ended, 20), () => {});
    ended();
  }`;

describe("npm run up, npm run down", () => {
  const story = (title: string, tell: (checkout: Checkout, port: number) => Promise<void>) =>
    testInCheckout(title, async (checkout) => {
      checkout.install();
      checkout.write("emulator/dist/main.js", EMULATOR);
      checkout.program("rm", '/bin/rm "$@"');
      pulumi(checkout);
      const port = await freePorts();
      try {
        await tell(checkout, port);
      } finally {
        await checkout.node(["scripts/run.mjs", "down"]);
      }
    });

  const up = (checkout: Checkout, port: number) => checkout.node(["scripts/run.mjs", "up", "--port", String(port)]);
  const calls = ({ root }: Checkout) => lines(readFileSync(join(root, "calls"), "utf8"));

  story("print the URL of the emulator, and leave nothing running", async (checkout, port) => {
    const first = await up(checkout, port);
    expect(first.output).toContain(`Emulator: started at http://127.0.0.1:${port}`);
    expect(first.code).toBe(0);

    const again = await checkout.node(["scripts/run.mjs", "up"]);
    expect(lines(again.output)[0]).toBe(`Emulator: already running at http://127.0.0.1:${port}`);

    const down = await checkout.node(["scripts/run.mjs", "down"]);
    expect(lines(down.output).at(-1)).toBe("The quickstart is stopped.");
    const nothing = await checkout.node(["scripts/run.mjs", "down"]);
    expect(lines(nothing.output).at(-1)).toBe("Nothing to stop: the quickstart is not running.");
    expect([down.code, nothing.code]).toEqual([0, 0]);
  });

  story("start the emulator while Go builds the CLI", async (checkout, port) => {
    renameSync(join(checkout.bin, "pulumi"), join(checkout.root, "built"));
    checkout.program(
      "go",
      `[ "$1" = list ] && exit
        # Go ends only after the emulator has started.
        while [ ! -f ../../.agentgraph/emulator/emulator.pid ]; do sleep 0.1; done
        while [ "$1" != "-o" ]; do shift; done
        /bin/cp ../../built "$2"`,
    );
    // Requests to the emulator still work.
    const offline =
      `const all = fetch; globalThis.fetch = (url, ...rest) => all(String(url).replace("https:", "file:"), ` +
      "...rest);";
    const { code, output } = await checkout.node(["scripts/run.mjs", "up", "--port", String(port)], offline);
    expect(output).toContain("Emulator: started");
    expect(output).toMatch(/Pulumi CLI: [\d.]+ built with Go/);
    expect(code).toBe(0);
  });

  story("install no tool that only tests and generators need", async (checkout, port) => {
    for (const program of ["go", "python3", "pip"]) checkout.program(program, 'echo "$0 $*" >> builds');
    expect((await up(checkout, port)).code).toBe(0);
    expect(existsSync(join(checkout.root, "builds"))).toBe(false);
    expect(existsSync(checkout.cache)).toBe(false);
  });

  story("wait for each other if they run at the same time", async (checkout, port) => {
    const [one, two] = await Promise.all([up(checkout, port), up(checkout, port)]);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(`${one.output}${two.output}`).toContain("waiting for another run");
    expect(`${one.output}${two.output}`.match(/Emulator: started/g)).toHaveLength(1);
  });

  story("restart an emulator that was rebuilt", async (checkout, port) => {
    await up(checkout, port);
    checkout.write("emulator/dist/main.js", EMULATOR);
    expect((await up(checkout, port)).output).toContain(`Emulator: started at http://127.0.0.1:${port}`);
    expect((await up(checkout, port)).output).toContain(`Emulator: already running at http://127.0.0.1:${port}`);
  });

  story("use a separate login and state, and no API key of the user", async (checkout, port) => {
    Object.assign(checkout.env, {
      PULUMI_ACCESS_TOKEN: "secret-token",
      PULUMI_BACKEND_URL: "https://backend.test",
      PULUMI_HOME: "/home/user/.pulumi",
      AGENTGRAPH_API_KEY: "secret-key",
      AGENTGRAPH_TENANT_ID: "tenant",
    });
    await up(checkout, port);
    await checkout.node(["scripts/run.mjs", "down"]);
    const own = join(checkout.root, ".agentgraph");
    const settings = `token: key:local-key tenant: at:http://127.0.0.1:${port}`;
    const environment = `${own}/pulumi-home | file://${own}/state | ${settings}`;
    for (const call of calls(checkout)) expect(call.slice(call.indexOf("|") + 2)).toBe(environment);
  });

  story("down restarts a stopped emulator to destroy the stack", async (checkout, port) => {
    await up(checkout, port);
    process.kill(Number(readFileSync(join(checkout.root, ".agentgraph/emulator/emulator.pid"), "utf8")));
    const { code, output } = await checkout.node(["scripts/run.mjs", "down"]);
    expect(output).toContain(`Emulator: started at http://127.0.0.1:${port}`);
    expect(calls(checkout).at(-1)).toMatch(/^destroy --yes/);
    expect(code).toBe(0);
  });

  story("remove the lock of a killed run, and respect the lock of a running one", async (checkout, port) => {
    const lock = (pid: number) =>
      checkout.write(
        ".agentgraph/state/.pulumi/locks/organization/quickstart/dev/1.json",
        JSON.stringify({ pid, hostname: require("node:os").hostname() }),
      );
    lock(process.pid);
    const refused = await up(checkout, port);
    expect(refused.output).toContain(`Another command is changing the quickstart (process ${process.pid} on`);
    expect(refused.code).toBe(1);
    lock(2 ** 30);
    await up(checkout, port);
    expect(calls(checkout).filter((call) => call.startsWith("cancel --yes"))).toHaveLength(1);
  });

  story("report why the emulator did not start, and how to use another port", async (checkout, port) => {
    checkout.write("emulator/dist/main.js", 'console.error("Port 1 is in use."); process.exitCode = 1;');
    const { code, output } = await up(checkout, port);
    const again = `npm run up -- --port ${port + 100}`;
    expect(lines(output).slice(-2)).toEqual([
      "Port 1 is in use.",
      `The emulator did not start. Where a port is in use: \`${again}\`. See its output above.`,
    ]);
    expect(code).toBe(1);
  });

  story("report what to do after a failed update, with the whole command of an own agent", async (checkout, port) => {
    checkout.program("pulumi", '[ "$1" = version ] && echo v3.259.0; [ "$1" != up ]');
    const own = ["--agent", ".", "--start", "node a.js"];
    for (const [args, again] of [
      [[], "npm run up"],
      [own, 'npm run up -- --agent . --start "node a.js"'],
    ] as const) {
      const { code, output } = await checkout.node(["scripts/run.mjs", "up", "--port", String(port), ...args]);
      expect(lines(output).at(-1)).toBe(
        `The update failed. See the errors above, then run \`${again}\` again to continue, or \`npm run ` +
          "down` to clean up.",
      );
      expect(code).toBe(1);
    }
  });
});
