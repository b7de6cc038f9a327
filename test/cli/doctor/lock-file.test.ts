/** `agentgraph doctor` compares the lock file of a program with what is installed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkLockFile } from "../../../cli/doctor/lock-file";
import { createFolder } from "../../support/deployments/source-folder";

const PACKAGES = { "pulumi-agentgraph": "0.1.0", "@pulumi/pulumi": "3.216.0" };

/** Returns the files of installed npm packages. */
const installed = (versions: Record<string, string> = PACKAGES, below = "") =>
  Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [
      `${below}node_modules/${name}/package.json`,
      JSON.stringify({ version }),
    ]),
  );

/** Returns each check as `status: message`, with its remedy. */
function checks(files: Record<string, string>, runtime = "nodejs", program = "."): string[] {
  const folder = createFolder({ ".git/HEAD": "", ...files });
  return checkLockFile(runtime, folder, join(folder, program)).map(({ status, message, remedy }) =>
    `${status}: ${message}${remedy ? ` -> ${remedy}` : ""}`.replaceAll(folder, "."),
  );
}

/** Lock files with both packages, as their managers write them. `V` is the version of pulumi-agentgraph. */
const NODE: [file: string, text: string][] = [
  [
    "package-lock.json",
    '{\n  "packages": {\n    "node_modules/pulumi-agentgraph": {\n      "version": "V",\n    },\n    "node_modules/@pulumi/pulumi": {\n      "version": "3.216.0"\n',
  ],
  [
    "pnpm-lock.yaml",
    "packages:\n\n  '@pulumi/pulumi@3.216.0':\n    resolution: {}\n\n  pulumi-agentgraph@V:\n    resolution: {}\n",
  ],
  [
    "pnpm-lock.yaml",
    "packages:\n\n  /@pulumi/pulumi@3.216.0:\n    dev: false\n\n  /pulumi-agentgraph@V(@pulumi/pulumi@3.216.0):\n    dev: false\n",
  ],
  [
    "yarn.lock",
    '"@pulumi/pulumi@^3.216.0":\n  version "3.216.0"\n\npulumi-agentgraph@^0.1.0, pulumi-agentgraph@~0.1:\n  version "V"\n',
  ],
  [
    "yarn.lock",
    '"@pulumi/pulumi@npm:^3.216.0":\n  version: 3.216.0\n\n"pulumi-agentgraph@npm:^0.1.0":\n  version: V\n',
  ],
  [
    "bun.lock",
    '"@pulumi/pulumi": ["@pulumi/pulumi@3.216.0", "", {}],\n"pulumi-agentgraph": ["pulumi-agentgraph@V", "", {}],\n',
  ],
];

test.each(NODE)("%s with the installed versions is fine, with CRLF too", (file, text) => {
  const ok = [`ok: ./${file} has the installed versions`];
  expect(checks({ ...installed(), [file]: text.replace("V", "0.1.0") })).toEqual(ok);
  expect(checks({ ...installed(), [file]: text.replace("V", "0.1.0").replaceAll("\n", "\r\n") })).toEqual(ok);
});

test.each(NODE)("%s with another version is a problem", (file, text) => {
  const [line] = checks({ ...installed(), [file]: text.replace("V", "0.0.9") });
  expect(line).toMatch(`fix: ./${file} has pulumi-agentgraph 0.0.9, but 0.1.0 is installed -> Run \``);
  expect(line).toMatch(
    new RegExp(`install\` and commit ${file.replace(".", "\\.")}, or install the versions that it has\\.$`),
  );
});

test.each([
  [
    "package-lock.json",
    '    "node_modules/pulumi-agentgraph": {\n      "resolved": "../checkout",\n      "link": true\n',
  ],
  ["pnpm-lock.yaml", "  pulumi-agentgraph@file:pulumi-agentgraph-0.1.0.tgz:\n    version: 0.1.0\n"],
  ["yarn.lock", '"pulumi-agentgraph@workspace:agents":\n  version: 0.0.0-use.local\n'],
  ["bun.lock", '"pulumi-agentgraph": ["pulumi-agentgraph@file:../checkout", {}],\n'],
])("%s may lock a folder or a file, whose version is not compared", (file, text) => {
  expect(checks({ ...installed({ "pulumi-agentgraph": "0.1.0" }), [file]: text })).toEqual([
    `ok: ./${file} has the installed versions`,
  ]);
});

test("a lock file that lacks an installed package is a problem", () => {
  expect(checks({ ...installed(), "package-lock.json": "{}" })).toEqual([
    "fix: ./package-lock.json does not contain pulumi-agentgraph, which is installed -> Run `npm install` and commit package-lock.json, or install the versions that it has.",
  ]);
});

test("the lock file of a workspace counts, and each of several is compared", () => {
  const [, text] = NODE[0] as [string, string];
  const lock = text.replace("node_modules/pulumi", "agents/node_modules/pulumi").replace("V", "0.1.0");
  const files = { ...installed(PACKAGES, "agents/"), "package-lock.json": lock, "yarn.lock": "" };
  expect(checks(files, "nodejs", "agents").map((line) => line.split(" -> ")[0])).toEqual([
    "ok: ./package-lock.json has the installed versions",
    "fix: ./yarn.lock does not contain pulumi-agentgraph, which is installed",
  ]);
});

test("a program without a lock file in its repository is a note, and one without packages needs none", () => {
  expect(checks(installed())).toEqual([
    "note: no lock file of . (package-lock.json, pnpm-lock.yaml, yarn.lock, bun.lock) -> Commit the lock file of your package manager, so that every machine installs the same versions.",
  ]);
  expect(checks({}, "yaml")).toEqual([]);
});

test.each([
  [
    "uv.lock",
    '[[package]]\nname = "pulumi"\nversion = "3.216.0"\n\n[[package]]\nname = "pulumi-agentgraph"\nversion = "V"\n',
  ],
  [
    "poetry.lock",
    '[[package]]\nname = "pulumi"\nversion = "3.216.0"\n\n[[package]]\nname = "pulumi-agentgraph"\nversion = "V"\n',
  ],
  [
    "Pipfile.lock",
    '"pulumi": {\n  "hashes": [],\n  "version": "==3.216.0"\n},\n"pulumi-agentgraph": {\n  "version": "==V"\n}',
  ],
])("%s is compared with the virtual environment", (file, text) => {
  const site = "venv/lib/python3.12/site-packages";
  const environment = {
    [`${site}/pulumi-3.216.0.dist-info/METADATA`]: "",
    [`${site}/pulumi_agentgraph-0.1.0.dist-info/METADATA`]: "",
  };
  expect(checks({ ...environment, [file]: text.replace("V", "0.1.0") }, "python")).toEqual([
    `ok: ./${file} has the installed versions`,
  ]);
  expect(checks({ ...environment, [file]: text.replace("V", "0.2.0") }, "python")[0]).toMatch(
    `fix: ./${file} has pulumi-agentgraph 0.2.0, but 0.1.0 is installed`,
  );
});

test("the lock file of this repository is readable", () => {
  const text = readFileSync(join(__dirname, "../../../package-lock.json"), "utf8");
  const version = /"node_modules\/@pulumi\/pulumi": \{\s+"version": "([^"]+)"/.exec(text)?.[1] ?? "";
  expect(checks({ ...installed({ "@pulumi/pulumi": version }), "package-lock.json": text })).toEqual([
    "ok: ./package-lock.json has the installed versions",
  ]);
});
