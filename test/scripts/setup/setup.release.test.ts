import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Checkout, expectOneSentence, inCheckout, testInCheckout } from "../checkout";

const OFFLINE = 'globalThis.fetch = () => Promise.reject(new TypeError("fetch failed"));';
const pretend = (name: string, value: string) =>
  `Object.defineProperty(process, "${name}", { value: ${value}, configurable: true });`;
const NODE_20 = pretend("versions", '{ ...process.versions, node: "20.20.2" }');

const PULUMI =
  `const { ensurePulumi } = await script("setup/pulumi.mjs"); console.log("at " + await ` +
  "ensurePulumi(process.env));";
const NODE = `const { ensureNode } = await script("setup/node.mjs"); console.log("at " + await ensureNode());`;

/** A fake `go` that writes programs which print their version. */
const GO = `
while [ "$1" != "-o" ]; do shift; done
cat > "$2" <<'EOF'
#!/bin/sh
echo v3.259.0
EOF
chmod +x "$2"`;

/** A fake `npm` that installs a Node which prints its version. */
const NPM =
  `read -r text < "$3/package.json"; name=\${text#*dependencies*'{"'}; ` +
  `bin="$3/node_modules/\${name%%'"'*}/bin"; mkdir -p "$bin"; printf '#!/bin/sh\\necho v24.1.0\\n' > ` +
  `"$bin/node"; chmod +x "$bin/node"`;

/** A fake installer with the arguments of the set-up: --no-edit-path --install-root ROOT --version VERSION. */
const INSTALLER =
  `mkdir -p "$3/bin"; for name in pulumi pulumi-language-nodejs; do printf '#!/bin/sh\\necho v%s\\n' "$5" > ` +
  `"$3/bin/$name"; chmod +x "$3/bin/$name"; done`;

describe("versions", () => {
  testInCheckout("are compared numerically, part by part", async (checkout) => {
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
    const { output } = await checkout.command(`
        const { atLeast } = await script("setup/versions.mjs");
        console.log(JSON.stringify(${JSON.stringify(table)}.map(([text, least]) => atLeast(text, least))));`);
    expect(JSON.parse(output)).toEqual(table.map(([, , expected]) => expected));
  });
});

describe("the Pulumi CLI", () => {
  const installed = (checkout: Checkout, version: string, ...helpers: string[]) => {
    checkout.program("pulumi", `echo ${version}`);
    for (const helper of helpers) checkout.program(helper, "");
  };

  testInCheckout("is the installed one if it is supported and complete", async (checkout) => {
    installed(checkout, "v3.254.0", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs");
    expect((await checkout.command(PULUMI, OFFLINE)).output).toBe(`at ${join(checkout.bin, "pulumi")}`);
  });

  test.each([
    [
      "old",
      "v3.253.9",
      ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"],
      "v3.253.9 on PATH is older than 3.254",
    ],
    [
      "without its language host",
      "v3.259.0",
      ["pulumi-resource-pulumi-nodejs"],
      "the one on PATH lacks pulumi-language-nodejs",
    ],
  ])("is built with Go if the installed one is %s and the installer is unreachable", (_, version, helpers, why) =>
    inCheckout(async (checkout) => {
      installed(checkout, version, ...helpers);
      checkout.program("go", GO);
      const { output } = await checkout.command(PULUMI, OFFLINE);
      expect(output).toContain(`Pulumi CLI: 3.259.0 built with Go (${why}; the installer is unreachable)`);
      expect(output).toContain(`at ${checkout.cache}`);
      expect((await checkout.command(PULUMI, OFFLINE)).output).toMatch(/^at \S+$/);
    })(),
  );

  testInCheckout("is installed by the official installer if that is reachable", async (checkout) => {
    const answers = `globalThis.fetch = async () => new Response(${JSON.stringify(INSTALLER)});`;
    const { output } = await checkout.command(PULUMI, answers);
    expect(output).toContain("Pulumi CLI: 3.259.0 installed (not on PATH)");
    const [home] = output.match(/(?<=at )\S+(?=\/pulumi$)/) ?? [];
    expect(existsSync(join(`${home}`, "pulumi-resource-pulumi-nodejs"))).toBe(true);
    expect(existsSync(join(`${home}`, "..", "scratch"))).toBe(false);
  });

  test.each([
    ["no Go", undefined, /Go, which could build it, is not installed\. Install Pulumi \(\S+\) or Go/],
    ["a full disk", "link: write /tmp/x: no space left on device", /The disk is full\. Free some space/],
    [
      "no network",
      "dial tcp: lookup example.test: no such host",
      /Cannot reach the package registry\. Check the network connection/,
    ],
    [
      "an old Go",
      "go: go.mod requires go >= 1.25.11 (running go 1.22.1; GOTOOLCHAIN=local)",
      /The installed Go is too old/,
    ],
    ["a changed download", "verifying module: checksum mismatch", /does not match its checksum/],
    ["any other error", "something else", /something else\s+Building the Pulumi CLI with Go failed/],
  ])("cannot be built with %s, and the error says what to do", (_, words, sentence) =>
    inCheckout(async (checkout) => {
      if (words) checkout.program("go", `echo "${words}" >&2; exit 1`);
      expectOneSentence(await checkout.command(PULUMI, OFFLINE), sentence);
    })(),
  );

  testInCheckout("is no longer built if another part of the set-up fails", async (checkout) => {
    checkout.install();
    checkout.program("go", "touch started; sleep 60");
    checkout.program("touch", '/bin/touch "$@"');
    checkout.program(
      "npm",
      'while [ ! -f toolchain/pulumi-languages/started ]; do sleep 0.1; done; echo "npm error code ENOTFOUND"; exit 1',
    );
    checkout.write("node_modules/.package-lock.json", "");
    const begin = Date.now();
    const result = await checkout.command(`const { ready } = await script("setup/index.mjs"); await ready();`, OFFLINE);
    expectOneSentence(result, /Cannot reach the package registry/);
    expect(Date.now() - begin).toBeLessThan(30_000);
    expect(readdirSync(checkout.cache)).toEqual([]);
  });
});

describe("Node", () => {
  testInCheckout("is installed from npm if the running one is too old", async (checkout) => {
    checkout.program("npm", NPM);
    const { output } = await checkout.command(NODE, NODE_20);
    expect(output).toContain("Node: installing 24 from npm (20.20.2 is older than 22.19)");
    expect((await checkout.command(NODE, NODE_20)).output).toMatch(/^at .*\/bin\/node$/);
  });

  testInCheckout("runs a command in TypeScript if the running one is too old", async (checkout) => {
    checkout.program("npm", NPM);
    const { code, output } = await checkout.node(["scripts/run.mjs", "tool", "maven"], NODE_20);
    expect(output.split("\n").at(-1)).toBe("v24.1.0");
    expect(code).toBe(0);
  });

  test.each([
    ["npm is missing", undefined, /npm is not on PATH\. Install it/],
    ["there is no network", "npm error code ENOTFOUND", /Cannot reach the package registry/],
    ["the disk is full", "npm error code ENOSPC", /The disk is full/],
  ])("cannot be installed if %s, and the error says what to do", (_, words, sentence) =>
    inCheckout(async (checkout) => {
      if (words) checkout.program("npm", `echo "${words}" >&2; exit 1`);
      expectOneSentence(await checkout.command(NODE, NODE_20), sentence);
    })(),
  );
});

describe("a command", () => {
  test.each([
    [
      "Node is too old",
      pretend("versions", '{ ...process.versions, node: "16.3.0" }'),
      /^Node 16\.3\.0 is too old\. Install Node 24/,
    ],
    ["Windows requires WSL", pretend("platform", '"win32"'), /^On Windows, this requires WSL/],
  ])("reports without a stack trace that %s", (_what, before, sentence) =>
    inCheckout(async (checkout) => {
      for (const name of ["up", "down", "test"])
        expectOneSentence(await checkout.node(["scripts/run.mjs", name], before), sentence);
    })(),
  );

  testInCheckout("reports a full disk without a stack trace", async (checkout) => {
    const body =
      `throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: ` +
      `"write" });`;
    expectOneSentence(await checkout.command(body), /The disk is full/);
  });
});

test("package-lock.json contains the packages of every platform, which npm ci requires", () => {
  const args = [join(__dirname, "../../../scripts/complete-lock.ts"), "--check"];
  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toMatch(/package-lock\.json is complete/);
});

test("CI runs exactly npm test", () => {
  const lines = execFileSync("cat", [join(__dirname, "../../../.ci/run")], { encoding: "utf8" });
  expect(lines.match(/^\w.*$/gm)).toEqual(["set -euo pipefail", 'cd "$(dirname "$0")/.."', "npm test"]);
});
