import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { version } from "../../package.json";
import { freePorts } from "../support/ports";
import { type Checkout, inCheckout } from "./checkout";

const ROOT = resolve(__dirname, "../..");
const lines = (output: string) => output.split("\n").filter((line) => line !== "");

describe("npm test", () => {
  const fail = (checkout: Checkout, tool: string) =>
    checkout.program(tool, "echo its own words; exit 1", "node_modules/.bin");

  test(
    "runs every check in order and ends with a summary",
    inCheckout(async (checkout) => {
      checkout.install();
      pulumi(checkout);
      const { code, output } = await checkout.node(["scripts/test.mjs"]);
      expect(lines(output).map((line) => line.replace(/[\d.]+ s\b/, "N s"))).toEqual([
        "Build: compiling the package and the emulator (sources changed) (N s)",
        "Format and lint: passed (N s)",
        "Types: passed (N s)",
        "Types of the page: passed (N s)",
        "Import rules: passed (N s)",
        "Dead code: passed (N s)",
        "Unit and emulator tests",
        "jest --selectProjects unit emulator --maxWorkers=100%",
        "Unit and emulator tests: passed (N s)",
        "Slow tests",
        "jest --selectProjects slow plugin --maxWorkers=100%",
        "Slow tests: passed (N s)",
        "End-to-end tests with the real engine",
        `jest --selectProjects e2e --maxWorkers=${Math.ceil(availableParallelism() * 1.5)}`,
        "End-to-end tests with the real engine: passed (N s)",
        "All 8 checks passed in N s.",
      ]);
      expect(code).toBe(0);
    }),
  );

  test(
    "--quick needs no Pulumi CLI, and reports the skipped tests",
    inCheckout(async (checkout) => {
      checkout.install();
      const { code, output } = await checkout.node(["scripts/test.mjs", "--quick"]);
      for (const project of ["slow", "e2e"]) expect(output).not.toContain(`--selectProjects ${project}`);
      expect(
        lines(output)
          .at(-1)
          ?.replace(/[\d.]+ s\b/, "N s"),
      ).toBe(
        "All 6 checks passed in N s. Skipped: slow tests, end-to-end tests with the real engine. To run all checks: npm test",
      );
      expect(code).toBe(0);
    }),
  );

  test(
    "shows the output of each failed static check, and then runs no tests",
    inCheckout(async (checkout) => {
      checkout.install();
      fail(checkout, "biome");
      fail(checkout, "knip");
      const { code, output } = await checkout.node(["scripts/test.mjs", "--quick"]);
      expect(output).toContain("its own words");
      expect(output).not.toContain("jest");
      expect(lines(output).at(-1)).toBe("FAILED: Format and lint, Dead code. The following checks were not run.");
      expect(code).toBe(1);
    }),
  );

  test(
    "stops at the first group of tests that fails",
    inCheckout(async (checkout) => {
      checkout.install();
      pulumi(checkout);
      checkout.program("jest", 'echo "$2"; [ "$2" != unit ]', "node_modules/.bin");
      const { code, output } = await checkout.node(["scripts/test.mjs"]);
      expect(lines(output)).not.toContain("slow");
      expect(lines(output).at(-1)).toBe("FAILED: Unit and emulator tests. The following checks were not run.");
      expect(code).toBe(1);
    }),
  );

  test(
    "builds again only if a source changed, and removes output of removed sources",
    inCheckout(async (checkout) => {
      checkout.install();
      checkout.write("dist/sdk/gone.js", "");
      await checkout.node(["scripts/test.mjs", "--quick"]);
      expect(existsSync(join(checkout.root, "dist/sdk/gone.js"))).toBe(false);
      const { output } = await checkout.node(["scripts/test.mjs", "--quick"]);
      expect(lines(output)[0]).toBe("Set-up: up to date");
      checkout.write("sdk/index.ts", "");
      const changed = await checkout.node(["scripts/test.mjs", "--quick"]);
      expect(lines(changed.output)[0]).toMatch(/^Build: compiling the package \(sources changed\)/);
    }),
  );
});

describe("the set-up", () => {
  /** A fresh clone after `npm ci`: packages are installed, and nothing is built. */
  const freshClone = (checkout: Checkout) => {
    checkout.install();
    for (const folder of ["dist", "emulator/dist"]) rmSync(join(checkout.root, folder), { recursive: true });
    symlinkSync(join(ROOT, "node_modules/commander"), join(checkout.root, "node_modules/commander"));
    const build = `
      for folder in dist emulator/dist; do
        /bin/cp -R "${ROOT}/$folder" "$folder"
        /usr/bin/find "$PWD/$folder" -type f -exec echo TSFILE: {} ";"
      done`;
    checkout.program("tsc", build, "node_modules/.bin");
    const npm = (process.env.PATH ?? "").split(delimiter).find((folder) => existsSync(join(folder, "npx"))) ?? "";
    checkout.env.PATH = [checkout.bin, npm].join(delimiter);
    checkout.write("examples/mine/package.json", "{}");
  };

  test(
    "makes the commands work with npx in a fresh clone, at its root and in a project below",
    inCheckout(async (checkout) => {
      freshClone(checkout);
      await checkout.node(["scripts/test.mjs", "--quick"]);
      const ask = (command: string) => `npx --no-install --offline ${command} --version`;
      checkout.program(
        "ask",
        `${ask("agentgraph")}; ${ask("agentgraph-emulator")}; cd examples/mine; ${ask("agentgraph-emulator")}`,
      );
      const output = execFileSync(join(checkout.bin, "ask"), {
        cwd: checkout.root,
        env: { ...checkout.env, HOME: checkout.root },
      });
      expect(lines(String(output))).toEqual(Array(3).fill(version));
    }),
  );
});

/** A fake `pulumi` that records its arguments and variables of its environment; its stack is one file. */
function pulumi(checkout: Checkout) {
  for (const helper of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]) checkout.program(helper, "");
  checkout.program(
    "pulumi",
    `
    if [ "$1" = version ]; then echo v3.259.0; exit; fi
    echo "$* | $PULUMI_HOME | $PULUMI_BACKEND_URL | token:$PULUMI_ACCESS_TOKEN key:$AGENTGRAPH_API_KEY tenant:$AGENTGRAPH_TENANT_ID at:$AGENTGRAPH_CONTROL_PLANE_URL" >> calls
    stacks="\${PULUMI_BACKEND_URL#file://}/.pulumi/stacks/quickstart"
    case "$1 $2" in
      "stack select") mkdir -p "$stacks"; echo {} > "$stacks/dev.json";;
      "stack output") echo '{ "url": "http://there", "revisions": [1] }';;
      "destroy --yes") rm "$stacks/dev.json";;
    esac`,
  );
}

/** A fake emulator that runs in the background from `start` until `stop`. */
const EMULATOR = `
  const fs = require("node:fs");
  const [command, ...options] = process.argv.slice(2);
  const data = options[options.indexOf("--data") + 1];
  const port = Number(options[options.indexOf("--port") + 1]);
  const file = data + "/emulator.pid";
  const pid = () => { try { const pid = Number(fs.readFileSync(file)); process.kill(pid, 0); return pid; } catch { return 0; } };
  if (command === "start") {
    fs.mkdirSync(data, { recursive: true });
    const child = require("node:child_process").spawn(process.execPath, [__filename, "serve", ...options], { detached: true, stdio: "ignore" });
    fs.writeFileSync(file, String(child.pid));
    child.unref();
    const answers = () => fetch("http://127.0.0.1:" + port).catch(() => setTimeout(answers, 20));
    answers();
  }
  if (command === "serve") require("node:http").createServer((_, answer) => answer.end("{}")).listen(port, "127.0.0.1");
  if (command === "status") process.exitCode = pid() ? 0 : 1;
  if (command === "stop") { if (pid()) process.kill(pid()); fs.rmSync(file); }`;

describe("npm run up, npm run down", () => {
  const story = (tell: (checkout: Checkout, port: number) => Promise<void>) =>
    inCheckout(async (checkout) => {
      checkout.install();
      checkout.write("emulator/dist/main.js", EMULATOR);
      checkout.program("rm", '/bin/rm "$@"');
      pulumi(checkout);
      const port = await freePorts();
      try {
        await tell(checkout, port);
      } finally {
        await checkout.node(["scripts/down.mjs"]);
      }
    });

  const up = (checkout: Checkout, port: number) => checkout.node(["scripts/up.mjs", "--port", String(port)]);
  const calls = ({ root }: Checkout) => lines(readFileSync(join(root, "calls"), "utf8"));

  test(
    "print the outputs and the URL of the emulator, and leave nothing running",
    story(async (checkout, port) => {
      const first = await up(checkout, port);
      expect(first.output).toContain(`Emulator: started at http://127.0.0.1:${port}`);
      expect(first.output).toMatch(/Outputs\n {2}url +http:\/\/there\n {2}revisions +\[1\]\n/);
      expect(first.code).toBe(0);

      const again = await checkout.node(["scripts/up.mjs"]);
      expect(lines(again.output).slice(0, 2)).toEqual([
        "Set-up: up to date",
        `Emulator: already running at http://127.0.0.1:${port}`,
      ]);

      const down = await checkout.node(["scripts/down.mjs"]);
      expect(lines(down.output).at(-1)).toBe("The quickstart is stopped.");
      const nothing = await checkout.node(["scripts/down.mjs"]);
      expect(lines(nothing.output).at(-1)).toBe("Nothing to stop: the quickstart is not running.");
      expect([down.code, nothing.code]).toEqual([0, 0]);
    }),
  );

  test(
    "install no tool that only tests and generators need",
    story(async (checkout, port) => {
      for (const program of ["go", "python3", "pip"]) checkout.program(program, 'echo "$0 $*" >> builds');
      expect((await up(checkout, port)).code).toBe(0);
      expect(existsSync(join(checkout.root, "builds"))).toBe(false);
      expect(existsSync(checkout.cache)).toBe(false);
    }),
  );

  test(
    "wait for each other if they run at the same time",
    story(async (checkout, port) => {
      const [one, two] = await Promise.all([up(checkout, port), up(checkout, port)]);
      expect([one.code, two.code]).toEqual([0, 0]);
      expect(`${one.output}${two.output}`).toContain("waiting for another run");
      expect(`${one.output}${two.output}`.match(/Emulator: started/g)).toHaveLength(1);
    }),
  );

  test(
    "restart an emulator that was rebuilt",
    story(async (checkout, port) => {
      await up(checkout, port);
      checkout.write("emulator/dist/main.js", EMULATOR);
      expect((await up(checkout, port)).output).toContain(`Emulator: started at http://127.0.0.1:${port}`);
      expect((await up(checkout, port)).output).toContain(`Emulator: already running at http://127.0.0.1:${port}`);
    }),
  );

  test(
    "use a separate login and state, and no API key of the user",
    story(async (checkout, port) => {
      Object.assign(checkout.env, {
        PULUMI_ACCESS_TOKEN: "secret-token",
        PULUMI_BACKEND_URL: "https://backend.test",
        PULUMI_HOME: "/home/user/.pulumi",
        AGENTGRAPH_API_KEY: "secret-key",
        AGENTGRAPH_TENANT_ID: "tenant",
      });
      await up(checkout, port);
      await checkout.node(["scripts/down.mjs"]);
      const own = join(checkout.root, ".agentgraph");
      const environment = `${own}/pulumi-home | file://${own}/state | token: key:local-key tenant: at:http://127.0.0.1:${port}`;
      for (const call of calls(checkout)) expect(call.slice(call.indexOf("|") + 2)).toBe(environment);
    }),
  );

  test(
    "down restarts a stopped emulator to destroy the stack",
    story(async (checkout, port) => {
      await up(checkout, port);
      process.kill(Number(readFileSync(join(checkout.root, ".agentgraph/emulator/emulator.pid"), "utf8")));
      const { code, output } = await checkout.node(["scripts/down.mjs"]);
      expect(output).toContain(`Emulator: started at http://127.0.0.1:${port}`);
      expect(calls(checkout).at(-1)).toMatch(/^destroy --yes/);
      expect(code).toBe(0);
    }),
  );

  test(
    "remove the lock of a killed run, and respect the lock of a running one",
    story(async (checkout, port) => {
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
    }),
  );

  test(
    "report that the port of the bucket, the next one, is in use",
    story(async (checkout, port) => {
      const other = createServer().listen(port + 1, "127.0.0.1");
      await once(other, "listening");
      const { code, output } = await up(checkout, port);
      other.close();
      expect(lines(output).at(-1)).toBe(
        `Port ${port + 1} (for the bucket of the emulator) is in use. Stop the other program, or choose another port: \`npm run up -- --port ${port + 100}\`.`,
      );
      expect(code).toBe(1);
    }),
  );

  test(
    "report what to do after a failed update",
    story(async (checkout, port) => {
      checkout.program("pulumi", '[ "$1" = version ] && echo v3.259.0; [ "$1" != up ]');
      const { code, output } = await up(checkout, port);
      expect(lines(output).at(-1)).toMatch(/^The update failed\. See the errors above, then run `npm run up` again/);
      expect(code).toBe(1);
    }),
  );
});
