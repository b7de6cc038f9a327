import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Checkout, inCheckout } from "./checkout";

const OFFLINE = 'globalThis.fetch = () => Promise.reject(new TypeError("fetch failed"));';
const pretend = (name: string, value: string) =>
  `Object.defineProperty(process, "${name}", { value: ${value}, configurable: true });`;
const NODE_20 = pretend("versions", '{ ...process.versions, node: "20.20.2" }');

const PULUMI = `const { ensurePulumi } = await script("setup/pulumi.mjs"); console.log("at " + await ensurePulumi(process.env));`;
const NODE = `const { ensureNode } = await script("setup/node.mjs"); console.log("at " + await ensureNode());`;

/** A `go` that writes a program which says its version, and its language host likewise. */
const GO = `
while [ "$1" != "-o" ]; do shift; done
cat > "$2" <<'EOF'
#!/bin/sh
echo v3.259.0
EOF
chmod +x "$2"`;

/** The installer as this set-up calls it: --no-edit-path --install-root ROOT --version VERSION. */
const INSTALLER = `mkdir -p "$3/bin"; for name in pulumi pulumi-language-nodejs; do printf '#!/bin/sh\\necho v%s\\n' "$5" > "$3/bin/$name"; chmod +x "$3/bin/$name"; done`;

function expectOneSentence({ code, said }: { code: number | null; said: string }, sentence: RegExp) {
  expect(said).toMatch(sentence);
  expect(said).not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
}

describe("versions", () => {
  test(
    "are compared as numbers, place by place",
    inCheckout(async (checkout) => {
      const table = [
        ["v3.259.0", "3.254", true],
        ["3.254.0", "3.254", true],
        ["3.99.0", "3.254", false],
        ["v22.19.0", "22.19", true],
        ["22.9.0", "22.19", false],
        ["24.0.0", "22.19", true],
        ["v4.0.0-alpha.1", "3.254", true],
        ["no version", "3.254", false],
      ];
      const { said } = await checkout.command(`
        const { atLeast } = await script("setup/versions.mjs");
        console.log(JSON.stringify(${JSON.stringify(table)}.map(([text, least]) => atLeast(text, least))));`);
      expect(JSON.parse(said)).toEqual(table.map(([, , expected]) => expected));
    }),
  );
});

describe("the Pulumi CLI", () => {
  const installed = (checkout: Checkout, version: string, ...helpers: string[]) => {
    checkout.program("pulumi", `echo ${version}`);
    for (const helper of helpers) checkout.program(helper, "");
  };

  test(
    "is the installed one when it is new enough and complete",
    inCheckout(async (checkout) => {
      installed(checkout, "v3.254.0", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs");
      const { said } = await checkout.command(PULUMI, OFFLINE);
      expect(said).toBe(`at ${join(checkout.bin, "pulumi")}`);
    }),
  );

  test.each([
    [
      "old",
      "v3.253.9",
      ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"],
      "is v3.253.9 and 3.254 is the least",
    ],
    [
      "without its language host",
      "v3.259.0",
      ["pulumi-resource-pulumi-nodejs"],
      "comes without pulumi-language-nodejs",
    ],
  ])("is built with Go when the installed one is %s and the installer is out of reach", (_, version, helpers, why) =>
    inCheckout(async (checkout) => {
      installed(checkout, version, ...helpers);
      checkout.program("go", GO);
      const { said } = await checkout.command(PULUMI, OFFLINE);
      expect(said).toContain(
        `Pulumi CLI: version 3.259.0 built with Go, since the one on PATH ${why} and the installer is out of reach`,
      );
      expect(said).toContain(`at ${checkout.cache}`);
      const again = await checkout.command(PULUMI, OFFLINE);
      expect(again.said).toMatch(/^at \S+$/);
    })(),
  );

  test(
    "comes from the official installer where that answers",
    inCheckout(async (checkout) => {
      const answers = `globalThis.fetch = async () => new Response(${JSON.stringify(INSTALLER)});`;
      const { said } = await checkout.command(PULUMI, answers);
      expect(said).toContain("Pulumi CLI: version 3.259.0 by its installer, since none is on PATH");
      const [home] = said.match(/(?<=at )\S+(?=\/pulumi$)/) ?? [];
      expect(existsSync(join(`${home}`, "pulumi-resource-pulumi-nodejs"))).toBe(true);
      expect(existsSync(join(`${home}`, "..", "scratch"))).toBe(false);
    }),
  );

  test.each([
    ["no Go", undefined, /building it needs Go, which is not here: install Pulumi \(\S+\) or Go/],
    ["a full disk", "link: write /tmp/x: no space left on device", /The disk is full: free some space/],
    ["no network", "dial tcp: lookup example.test: no such host", /There is no network.*check the connection/],
    ["an old Go", "go: go.mod requires go >= 1.25.11 (running go 1.22.1; GOTOOLCHAIN=local)", /This Go is too old/],
    ["a changed download", "verifying module: checksum mismatch", /not what the lock file says/],
    ["any other trouble", "something else", /something else\s+Building the Pulumi CLI with Go failed/],
  ])("cannot be built with %s: one sentence says what to do", (_, words, sentence) =>
    inCheckout(async (checkout) => {
      if (words) checkout.program("go", `echo "${words}" >&2; exit 1`);
      expectOneSentence(await checkout.command(PULUMI, OFFLINE), sentence);
    })(),
  );
});

describe("Node", () => {
  test(
    "comes from npm when the one that runs is too old",
    inCheckout(async (checkout) => {
      checkout.program(
        "npm",
        `for last; do :; done; bin="$3/node_modules/\${last%@24}/bin"; mkdir -p "$bin"; printf '#!/bin/sh\\necho v24.1.0\\n' > "$bin/node"; chmod +x "$bin/node"`,
      );
      const { said } = await checkout.command(NODE, NODE_20);
      expect(said).toContain("Node: 24 from npm, since 20.20.2 runs here and 22.19 is the least");
      expect((await checkout.command(NODE, NODE_20)).said).toMatch(/^at .*\/bin\/node$/);
    }),
  );

  test.each([
    ["npm is missing", undefined, /npm is not on PATH: install it/],
    ["there is no network", "npm error code ENOTFOUND", /There is no network/],
    ["the disk is full", "npm error code ENOSPC", /The disk is full/],
  ])("cannot be brought when %s: one sentence says what to do", (_, words, sentence) =>
    inCheckout(async (checkout) => {
      if (words) checkout.program("npm", `echo "${words}" >&2; exit 1`);
      expectOneSentence(await checkout.command(NODE, NODE_20), sentence);
    })(),
  );
});

describe("a command", () => {
  const scripts = ["up", "down", "test"].map((name) => `scripts/${name}.mjs`);

  test.each(scripts)("%s says in one sentence that Node is too old to start", (script) =>
    inCheckout(async (checkout) => {
      const old = pretend("versions", '{ ...process.versions, node: "16.3.0" }');
      expectOneSentence(await checkout.node([script], old), /^Node 16\.3\.0 is too old to start: install Node 24/);
    })(),
  );

  test.each(scripts)("%s says in one sentence that Windows needs WSL", (script) =>
    inCheckout(async (checkout) => {
      expectOneSentence(await checkout.node([script], pretend("platform", '"win32"')), /^On Windows this runs in WSL/);
    })(),
  );

  test(
    "says what the system said when the disk is full, without a stack",
    inCheckout(async (checkout) => {
      const body = `throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });`;
      expectOneSentence(await checkout.command(body), /The disk is full/);
    }),
  );
});

describe("the quickstart", () => {
  test(
    "says which port is used by another program",
    inCheckout(async (checkout) => {
      const other = createServer().listen(0, "127.0.0.1");
      await new Promise((done) => other.once("listening", done));
      const { port } = other.address() as { port: number };
      try {
        const body = `const { startEmulator } = await script("quickstart/emulator.mjs"); await startEmulator("node", process.env, ${port});`;
        expectOneSentence(await checkout.command(body), new RegExp(`Port ${port} is used by another program`));
      } finally {
        other.close();
      }
    }),
  );

  test.each([
    [["--port", "soon"], /"soon" is no port/],
    [["--port=70000"], /"70000" is no port/],
    [["--prot", "7520"], /^Unknown option '--prot': see `npm run up -- --help`\.$/],
    [["7520"], /^Unexpected argument '7520'/],
  ])("refuses %j before anything is set up", (args, sentence) =>
    inCheckout(async (checkout) => {
      expectOneSentence(await checkout.node(["scripts/up.mjs", ...args]), sentence);
    })(),
  );

  test.each([
    ["up", "npm run up", "--port <number>  port of the emulator"],
    ["down", "npm run down", "--help  show this help"],
    ["test", "npm test", "--quick  leave out"],
    ["bench", "npm run bench", "--scale    measure 1, 10 and 100"],
  ])("%s shows its help, and sets nothing up for it", (name, command, line) =>
    inCheckout(async (checkout) => {
      for (const flag of ["--help", "-h"]) {
        const { code, said } = await checkout.node([`scripts/${name}.mjs`, flag]);
        expect(said).toMatch(new RegExp(`^Usage: ${command} \\[-- <options>\\]\n`));
        expect(said).toContain(`\n  ${line}`);
        expect(code).toBe(0);
      }
      expect(existsSync(checkout.cache)).toBe(false);
    })(),
  );

  test(
    "keeps its port until it is taken down",
    inCheckout(async (checkout) => {
      checkout.write(".agentgraph/port", "7500\n");
      expectOneSentence(
        await checkout.node(["scripts/up.mjs", "--port", "7600"]),
        /stands at port 7500: run `npm run down`/,
      );
    }),
  );

  test(
    "has nothing to take down in a fresh checkout, and sets nothing up for it",
    inCheckout(async (checkout) => {
      const { code, said } = await checkout.node(["scripts/down.mjs"]);
      expect({ code, said }).toEqual({ code: 0, said: "Nothing is running." });
      expect(existsSync(checkout.cache)).toBe(false);
    }),
  );
});

test("package-lock.json names the packages of every platform, else npm ci refuses it", () => {
  const args = [join(__dirname, "../../scripts/complete-lock.mjs"), "--check"];
  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toMatch(/names every optional package/);
});

test("the gate of the repository runs exactly npm test", () => {
  const lines = execFileSync("cat", [join(__dirname, "../../.ci/run")], { encoding: "utf8" });
  expect(lines.match(/^\w.*$/gm)).toEqual(["set -euo pipefail", 'cd "$(dirname "$0")/.."', "npm test"]);
});
