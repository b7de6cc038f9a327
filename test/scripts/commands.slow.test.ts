import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { version } from "../../package.json";
import { type Checkout, pulumi, SOURCES, testInCheckout } from "./checkout";

const ROOT = resolve(__dirname, "../..");
const lines = (output: string) => output.split("\n").filter((line) => line !== "");

describe("npm test", () => {
  testInCheckout("runs every check in order and ends with a summary", async (checkout) => {
    checkout.install();
    pulumi(checkout);
    const workers = `--maxWorkers=${Math.ceil(availableParallelism() * 1.5)}`;
    const { code, output } = await checkout.node(["scripts/run.mjs", "test"]);
    expect(lines(output).map((line) => line.replace(/[\d.]+ s\b/, "N s"))).toEqual([
      "Format and lint: passed (N s)",
      "Types: passed (N s)",
      "Types of the scripts: passed (N s)",
      "Types of the acceptance suite: passed (N s)",
      "Types of the page: passed (N s)",
      "Import rules: passed (N s)",
      "Dead code: passed (N s)",
      "Unit and emulator tests",
      `jest --selectProjects unit emulator ${workers}`,
      "Unit and emulator tests: passed (N s)",
      "Slow and end-to-end tests",
      `jest --selectProjects operations slow plugin e2e ${workers}`,
      "Slow and end-to-end tests: passed (N s)",
      "All 9 checks passed in N s. Not run: Release tests (npm run test:release)",
    ]);
    expect(code).toBe(0);
  });

  /** The layers that a command runs, and the last line of its output. */
  const layersOf = async (checkout: Checkout, flag: string) => {
    const { code, output } = await checkout.node(["scripts/run.mjs", "test", flag]);
    expect(code).toBe(0);
    const layers = lines(output).flatMap((line) => /^jest --selectProjects (.+) --/.exec(line)?.[1] ?? []);
    return [
      ...layers,
      lines(output)
        .at(-1)
        ?.replace(/[\d.]+ s\b/, "N s"),
    ];
  };

  testInCheckout("--quick needs no Pulumi CLI, and says what was not run", async (checkout) => {
    checkout.install();
    expect(await layersOf(checkout, "--quick")).toEqual([
      "unit emulator",
      "All 8 checks passed in N s. Not run: Slow and end-to-end tests (npm test), Release tests (npm run " +
        "test:release)",
    ]);
  });

  testInCheckout("--release runs every layer of jest.config.js", async (checkout) => {
    checkout.install();
    pulumi(checkout);
    const layers = await layersOf(checkout, "--release");
    expect(layers.pop()).toBe("All 10 checks passed in N s.");
    const servers = "python-dynamic python-plugin javascript-dynamic javascript-plugin";
    expect(layers).toEqual(["unit emulator", "operations slow plugin e2e", `release plugin-slow ${servers}`]);
    process.env.AGENT_SERVERS = "pinned";
    const { projects } = require("../../jest.config.js") as { projects: { displayName: string }[] };
    expect(layers.join(" ").split(" ")).toEqual(projects.map(({ displayName }) => displayName));
  });

  testInCheckout(
    "stops after static checks that fail, with the output of each, and at the first group of tests that fails",
    async (checkout) => {
      checkout.install();
      pulumi(checkout);
      checkout.program("jest", 'echo "$2"; [ "$2" != unit ]', "node_modules/.bin");
      const tested = await checkout.node(["scripts/run.mjs", "test"]);
      expect(lines(tested.output)).not.toContain("slow");
      expect(lines(tested.output).at(-1)).toBe("FAILED: Unit and emulator tests. The following checks were not run.");
      for (const tool of ["biome", "knip"]) checkout.program(tool, "echo its own words; exit 1", "node_modules/.bin");
      const { code, output } = await checkout.node(["scripts/run.mjs", "test", "--quick"]);
      expect(output).toContain("its own words");
      expect(lines(output)).not.toContain("unit");
      expect(lines(output).at(-1)).toBe("FAILED: Format and lint, Dead code. The following checks were not run.");
      expect([code, tested.code]).toEqual([1, 1]);
    },
  );

  testInCheckout("removes output of removed sources, which would be packed", async (checkout) => {
    checkout.install();
    checkout.write("dist/sdk/nodejs/gone.js", "");
    await checkout.node(["scripts/run.mjs", "test", "--quick"]);
    expect(readdirSync(join(checkout.root, "dist/sdk/nodejs"))).toEqual(["index.d.ts", "index.js"]);
  });
});

describe("the set-up", () => {
  /** A fresh clone after `npm ci`: nothing is built. */
  const freshClone = (checkout: Checkout) => {
    checkout.install();
    for (const folder of ["dist", "emulator/dist", ...SOURCES])
      rmSync(join(checkout.root, folder), { recursive: true });
    for (const folder of SOURCES) symlinkSync(join(ROOT, folder), join(checkout.root, folder));
    symlinkSync(join(ROOT, "node_modules/commander"), join(checkout.root, "node_modules/commander"));
    const copies = ["dist", "emulator/dist"].map((dist) => `/bin/cp -R "${join(ROOT, dist)}" ${dist}`);
    checkout.program("tsc", copies.join("; "), "node_modules/.bin");
    const npm = (process.env.PATH ?? "").split(delimiter).find((folder) => existsSync(join(folder, "npx"))) ?? "";
    checkout.env.PATH = [checkout.bin, npm].join(delimiter);
    checkout.write("examples/mine/package.json", "{}");
  };

  testInCheckout(
    "makes the commands work with npx in a fresh clone, at its root and in a project below",
    async (checkout) => {
      freshClone(checkout);
      await checkout.node(["scripts/run.mjs", "test", "--quick"]);
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
    },
  );
});
