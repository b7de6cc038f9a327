/**
 * What users install: the packed tarball, in an empty project of their own, with a TypeScript program. It runs with the
 * oldest and the newest supported versions of Node and of the Pulumi SDK.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, rm, symlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import pkg from "../../../package.json";
import { describeWithTools } from "../../support/tools";
import { fails } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { steps } from "../support/cli/events";
import { EmulatorProcess } from "../support/emulator-process";
import { ROOT } from "../support/packages/checkout";
import { pluginFolder } from "../support/packages/plugin";
import { Program } from "../support/programs/program";
import { World } from "../support/world";
import expectedFiles from "./package-files.json";

const run = promisify(execFile);
const world = new World();
let stack: CliStack;
/** Files of the tarball of the package, and of that of the emulator. */
let contents: string[];
let emulatorContents: string[];

const tsconfig = {
  compilerOptions: { target: "ES2022", module: "nodenext", strict: true, skipLibCheck: true, noEmit: true },
  files: ["index.ts"],
};

const INVALID_PROGRAM = `import * as agentgraph from "pulumi-agentgraph";

new agentgraph.Deployment("agent", {
  source: "external_docker",
  sourceConfig: { resourceSpec: { memoryMB: 1024 } },
  sourceRevisionConfig: { imageUri: 5 },
});
new agentgraph.Deployment("another", {
  source: "external_docker",
  sourceConfig: { repoUrl: "https://git.example.com/team/agent" },
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
});
`;

/** `npm pack`, then `npm install` of the tarball; the SDK, a peer, is linked to save its download. */
beforeAll(async () => {
  const folder = await world.createFolder("program-packed");
  await pluginFolder();
  const quiet = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
  const pack = ["pack", "--json", "--pack-destination", folder, "--workspace", "emulator", "--include-workspace-root"];
  const { stdout } = await run("npm", [...pack, ...quiet], { cwd: ROOT });
  const tarballs: { name: string; filename: string; files: { path: string }[] }[] = JSON.parse(stdout);
  const packed = tarballs.find(({ name }) => name === pkg.name);
  const filesOf = (tarball = packed) => tarball?.files.map(({ path }) => path) ?? [];
  contents = filesOf();
  emulatorContents = filesOf(tarballs.find((tarball) => tarball !== packed));
  const project = await Program.create(folder, "packed", { link: false });
  await project.file("tsconfig.json", JSON.stringify(tsconfig));
  const offline = ["--prefer-offline", "--legacy-peer-deps", ...quiet];
  await run("npm", ["install", `./${packed?.filename}`, ...offline], { cwd: folder });
  await project.linkSdk();
  // Without test/support/run/lazy-sdk.cjs: the SDK runs as users run it.
  stack = await world.stack({ project: "packed", program: project, env: { NODE_OPTIONS: "" } });
});

/** Returns the compiled files of the modules in folders, relative to the package: two for each. */
async function compiledFiles(root: string, folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(ROOT, root, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const modules = names.flat().filter((name) => name.endsWith(".ts"));
  return modules.flatMap((name) => [".js", ".d.ts"].map((end) => join("dist", name.slice(0, -3) + end)));
}

test("the tarballs contain the files of package-files.json, two for each module, and the page", async () => {
  const isListed = (path: string) => !path.startsWith("dist/");
  expect(contents.filter(isListed).sort()).toEqual(expectedFiles["pulumi-agentgraph"]);
  expect(emulatorContents.filter(isListed).sort()).toEqual(expectedFiles["pulumi-agentgraph-emulator"]);
  const modules = await compiledFiles("", ["sdk", "provider", "cli"]);
  expect(contents.filter((path) => !isListed(path)).sort()).toEqual(modules.sort());
  const emulatorModules = [...(await compiledFiles("emulator/src", ["."])), "dist/page.html"];
  expect(emulatorContents.filter((path) => !isListed(path)).sort()).toEqual(emulatorModules.sort());
  expect(await readdir(join(stack.program.folder, "node_modules"))).not.toContain("pulumi-agentgraph-emulator");
});

test("no file of the tarballs contains a credential, a path of this machine, or a source map", async () => {
  const unwanted = new RegExp(
    [
      ...["-----BEGIN [A-Z ]*PRIVATE KEY", "\\b(pul-[0-9a-f]{40}|npm_\\w{36}|gh[pousr]_\\w{36}|AKIA[0-9A-Z]{16})\\b"],
      ...["_authToken=", ROOT, "sourceMappingURL=(?!data:)"],
    ].join("|"),
  );
  const paths = [...contents, ...emulatorContents.map((path) => join("emulator", path))];
  const texts = await Promise.all(paths.map((path) => readFile(join(ROOT, path), "utf8")));
  expect(paths.filter((_, index) => unwanted.test(texts[index] ?? ""))).toEqual([]);
});

test("every link in the tarball's documents leads to a file in the tarball or to the web", async () => {
  const texts = contents.filter((path) => path.endsWith(".md"));
  const installed = join(stack.program.folder, "node_modules", "pulumi-agentgraph");
  const links = await Promise.all(
    texts.map(async (path) => {
      const found = (await readFile(join(installed, path), "utf8")).matchAll(/\]\((?!https?:)([^)#]+)/g);
      return [...found].map(([, target = ""]) => join(dirname(path), target));
    }),
  );
  const targets = links.flat();
  expect(targets).toEqual(expect.arrayContaining(["CHANGELOG.md", "docs/getting-started.md", "emulator/README.md"]));
  expect(targets.filter((target) => !contents.includes(target))).toEqual([]);
});

test("a TypeScript program with invalid fields fails its type check with precise messages", async () => {
  await stack.program.file("index.ts", INVALID_PROGRAM);
  const run = await fails(stack.preview());
  expect(run.output).toMatch(/index\.ts\(5,35\): .*'memoryMB' does not exist in type 'ResourceSpecArgs/);
  expect(run.output).toMatch(/index\.ts\(10,19\): .*'repoUrl' does not exist in type 'ExternalDockerSourceConfigArgs/);
  expect(run.output).toMatch(/index\.ts\(6,27\): .*'number' is not assignable to type 'Input<string>'/);
});

test("a project of `pulumi new` from the TypeScript template runs with the installed tarball", async () => {
  const folder = await world.createFolder("program-new");
  const project = await Program.fromTemplate("typescript", folder, "my-agent");
  await symlink(join(stack.program.folder, "node_modules"), join(folder, "node_modules"));
  const generated = await world.stack({ project: "my-agent", program: project });
  const { template } = parse(await readFile(join(ROOT, "templates/typescript/Pulumi.yaml"), "utf8"));
  const up = await generated.up("-c", `image=${template.config.image.default}`);
  expect(up).toMatchObject({ code: 0 });
  expect(steps(up)).toEqual(["create support-agent"]);
  expect(up.output).toContain(`url     : "${world.url}/agents/`);
  expect(await generated.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});

describeWithTools(
  "the installed tarball",
  ["node-oldest", "node-newest", "pulumi-sdk-oldest", "pulumi-sdk-newest"],
  (tools) => {
    const { "node-oldest": oldestNode, "node-newest": newestNode } = tools;
    const { "pulumi-sdk-oldest": oldestSdk, "pulumi-sdk-newest": newestSdk } = tools;
    /**
     * As `pulumi new typescript` writes it. That SDK sets `moduleResolution` itself, so that `module` cannot be
     * `nodenext`.
     */
    const compilerOptions = { target: "es2020", module: "commonjs", moduleResolution: "node", strict: true };
    const tsconfigOfOldest = {
      compilerOptions: { ...tsconfig.compilerOptions, ...compilerOptions },
      files: ["index.ts"],
    };
    const program = (title: string) => `import * as agentgraph from "pulumi-agentgraph";

declare const process: { version: string };
declare function require(name: string): { version: string };

new agentgraph.Deployment("agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
  secrets: { TITLE: "${title}" },
});
export const versions = process.version + " " + require("@pulumi/pulumi/package.json").version;
`;

    test.each([
      ["the oldest Node and the oldest Pulumi SDK", oldestNode, oldestSdk],
      ["the oldest Node and the newest Pulumi SDK", oldestNode, newestSdk],
      ["the newest Node and the oldest Pulumi SDK", newestNode, oldestSdk],
      ["the newest Node and the newest Pulumi SDK", newestNode, newestSdk],
    ])("previews and deploys with %s", async (title, node, sdk) => {
      await rm(join(stack.program.folder, "node_modules/@pulumi/pulumi"));
      await stack.program.linkSdk(sdk);
      await stack.program.file("tsconfig.json", JSON.stringify(sdk === oldestSdk ? tsconfigOfOldest : tsconfig));
      await stack.program.file("index.ts", program(title));
      stack.env.PATH = [dirname(node), process.env.PATH].join(delimiter);
      // One command that previews and updates.
      const up = await stack.up("--skip-preview=false");
      const { stdout } = await run(node, ["--version"]);
      const { version } = JSON.parse(await readFile(join(sdk, "package.json"), "utf8"));
      expect(`exit code ${up.code}\n${up.output}`).toContain("exit code 0");
      expect(up.output).toMatch(new RegExp(`versions: .*"${stdout.trim()} ${version}"$`, "m"));
      const [deployment] = await world.deployments();
      expect(deployment?.secrets).toContainEqual({ name: "TITLE", value: title });
    });

    test("the last of them destroys what the others created", async () => {
      await world.destroyCompletely(stack);
    });
  },
);

describeWithTools("the installed tarball on arm64", ["node-arm64"], ({ "node-arm64": node }) => {
  test("a program and its provider deploy with Node for arm64, which runs under emulation", async () => {
    const source = `new agentgraph.Deployment("agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
});
exports.processor = process.arch;`;
    const project = await Program.create(await world.createFolder("program-arm64"), "arm64");
    await project.write(source);
    const env = { PATH: [dirname(node), process.env.PATH].join(delimiter) };
    const arm64 = await world.stack({ project: "arm64", program: project, backend: "state-arm64", env });
    const up = await arm64.up();
    expect(up).toMatchObject({ code: 0 });
    expect(up.output).toMatch(/processor: "arm64"/);
    expect(steps(up)).toEqual(["create agent"]);
    expect(await arm64.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await arm64.destroy()).toMatchObject({ code: 0 });
  });

  test("the emulator runs with Node for arm64, with its bucket", async () => {
    const emulator = new EmulatorProcess(await world.createFolder("data-arm64"), [], node);
    await emulator.start();
    try {
      expect(await emulator.now()).toBeGreaterThan(0);
      expect((await fetch(emulator.bucket.url)).headers.get("content-type")).toContain("xml");
    } finally {
      await emulator.kill();
    }
  });
});
