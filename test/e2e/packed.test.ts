/** What users install: the packed tarball, in an empty project of their own, with a TypeScript program. */
import { execFile } from "node:child_process";
import { readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { ROOT } from "./support/checkout";
import type { CliStack } from "./support/cli-stack";
import { steps } from "./support/events";
import { pluginFolder } from "./support/plugin";
import { Program } from "./support/program";
import { World } from "./support/world";

const run = promisify(execFile);
const world = new World();
let stack: CliStack;
let contents: string[];

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
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder, ...quiet], { cwd: ROOT });
  const [packed]: { filename: string; files: { path: string }[] }[] = JSON.parse(stdout);
  contents = packed?.files.map(({ path }) => path) ?? [];
  const project = await Program.create(folder, "packed", { link: false });
  await project.file("tsconfig.json", JSON.stringify(tsconfig));
  const offline = ["--prefer-offline", "--legacy-peer-deps", ...quiet];
  await run("npm", ["install", `./${packed?.filename}`, ...offline], { cwd: folder });
  await project.linkSdk();
  // Without test/support/run/lazy-sdk.cjs: the SDK runs as users run it.
  stack = await world.stack({ project: "packed", program: project, env: { NODE_OPTIONS: "" } });
});

test("the tarball contains what users need, and no scripts, toolchain or tests, and only the README of the emulator", async () => {
  expect(contents).toEqual(expect.arrayContaining(["package.json", "dist/sdk/index.js", "dist/provider/index.js"]));
  expect(contents).toEqual(expect.arrayContaining(["build/plugin/main.js", "build/plugin/pulumi-resource-agentgraph"]));
  const strange = contents.filter(
    (path) =>
      !/^(dist\/(sdk|provider|cli)\/.*|build\/plugin\/[\w.-]+|package\.json|docs\/[a-z0-9-]+\.(md|schema\.json)|docs\/images\/[a-z-]+\.svg|(emulator\/)?[A-Z]+(\.md)?)$/.test(
        path,
      ),
  );
  expect(strange).toEqual([]);
  const installed = await readdir(join(stack.program.folder, "node_modules"));
  expect(installed).not.toContain("pulumi-agentgraph-emulator");
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
  const run = await stack.preview();
  expect(run.code).not.toBe(0);
  expect(run.output).toMatch(/index\.ts\(5,35\): .*'memoryMB' does not exist in type 'ResourceSpecArgs/);
  expect(run.output).toMatch(/index\.ts\(10,19\): .*'repoUrl' does not exist in type 'ExternalDockerSourceConfigArgs/);
  expect(run.output).toMatch(/index\.ts\(6,27\): .*'number' is not assignable to type 'Input<string>'/);
});

test("a project that `pulumi new` generates from the TypeScript template runs with the installed tarball, from up to destroy", async () => {
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
