/**
 * Workspaces of several packages: how they were installed, as pnpm or as npm does it, says whom this package serves.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Check, Group } from "../../../cli/shared/check";
import { type CommandResult, fails, succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { steps } from "../support/cli/events";
import { ROOT } from "../support/packages/checkout";
import { packageFolder } from "../support/packages/packages";
import { IMAGE, Program } from "../support/programs/program";
import { API_KEY, World } from "../support/world";

const world = new World();
const SDK = join(ROOT, "node_modules/@pulumi/pulumi");

/** A library of the team depends on this package, and the program depends on the library. */
const LIBRARY = `const agentgraph = require("pulumi-agentgraph");
exports.supportAgent = (name, inputs) => new agentgraph.Deployment(name, { source: "external_docker", ...inputs });
`;
const PROGRAM = `const { supportAgent } = require("@acme/agents");
exports.url = supportAgent("agent", { sourceRevisionConfig: { imageUri: "${IMAGE}" } }).url;
`;

/** The folders of a workspace, and a stack of the program in it. Nothing is installed yet. */
async function createWorkspace(
  name: string,
): Promise<{ root: string; agents: string; infra: string; stack: CliStack }> {
  const root = await world.createFolder(name);
  const [agents, infra] = [join(root, "packages/agents"), join(root, "packages/infra")];
  await mkdir(agents, { recursive: true });
  await writeFile(join(agents, "package.json"), JSON.stringify({ name: "@acme/agents", main: "index.js" }));
  await writeFile(join(agents, "index.js"), LIBRARY);
  const program = await Program.create(infra, name, { link: false });
  await program.file("index.js", PROGRAM);
  return { root, agents, infra, stack: await world.stack({ project: name, program }) };
}

/** Links into a folder's node_modules. */
async function linkPackages(folder: string, packages: Record<string, string>): Promise<void> {
  for (const [name, target] of Object.entries(packages)) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link);
  }
}

/** As pnpm stores this package: a copy for each SDK that it meets, with what it depends on beside it. Returns where. */
async function storePackage(root: string, sdk = "3.270.0"): Promise<string> {
  const place = join(root, `node_modules/.pnpm/pulumi-agentgraph@0.1.0_@pulumi+pulumi@${sdk}`);
  const own = join(place, "node_modules/pulumi-agentgraph");
  for (const part of ["dist", "package.json"]) await cp(join(ROOT, part), join(own, part), { recursive: true });
  const { dependencies } = require("../../../package.json") as { dependencies: object };
  const beside = Object.keys(dependencies).map((name) => [name, join(ROOT, "node_modules", name)]);
  await linkPackages(place, { "@pulumi/pulumi": SDK, ...Object.fromEntries(beside) });
  return own;
}

/** What the installed command finds of the package, called in the program's folder. */
async function doctor(own: string, cwd: string): Promise<Check | undefined> {
  const env = { PATH: process.env.PATH, AGENTGRAPH_CONTROL_PLANE_URL: world.url, AGENTGRAPH_API_KEY: API_KEY };
  const command = [join(own, "dist/cli/main.js"), "doctor", "--json"];
  const stdout = await new Promise<string>((resolve) =>
    execFile(process.execPath, command, { cwd, env }, (_error, stdout) => resolve(stdout)),
  );
  const { groups } = JSON.parse(stdout) as { groups: Group[] };
  return groups.flatMap(({ checks }) => checks).find(({ id }) => id === "package");
}

/** What a command says is wrong: the line after `Diagnostics:` and the name of the stack, and nothing below it. */
const errorOf = ({ output }: CommandResult) => /Diagnostics:\n.*\n([\s\S]*?)\n\n/.exec(output)?.[1]?.trim();

describe("pnpm", () => {
  test("a program that has the package only through a library is told which dependency to add", async () => {
    const { root, agents, infra, stack } = await createWorkspace("through-a-library");
    const own = await storePackage(root);
    await linkPackages(agents, { "pulumi-agentgraph": own, "@pulumi/pulumi": SDK });
    await linkPackages(infra, { "@acme/agents": agents, "@pulumi/pulumi": SDK });
    await world.requests();

    const sentence =
      `Pulumi cannot resolve pulumi-agentgraph from ${infra}, the folder of the program. Add ` +
      `"pulumi-agentgraph" to the dependencies in ${infra}/package.json, even if another package depends on it, ` +
      "and run npm install.";
    const preview = await fails(stack.preview());
    expect(errorOf(preview)).toBe(`error: ${sentence}`);
    expect(await world.requests()).toEqual([]);
    expect(await doctor(own, infra)).toMatchObject({ status: "fix", remedy: sentence });

    // What the sentence says is done, and that is all: from create to destroy.
    await linkPackages(infra, { "pulumi-agentgraph": own });
    expect(await doctor(own, infra)).toMatchObject({ status: "ok" });
    const up = await succeeds(stack.up());
    expect(steps(up)).toEqual(["create agent"]);
    expect(await stack.up("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });

    await rm(join(infra, "node_modules/pulumi-agentgraph"));
    expect(errorOf(await stack.preview())).toBe(`error: ${sentence}`);
    await linkPackages(infra, { "pulumi-agentgraph": own });
    await world.destroyCompletely(stack);
  });
});

test("npm hoists the package, so a program that has it only through a library works", async () => {
  const { root, agents, stack } = await createWorkspace("hoisted");
  await linkPackages(root, { "@acme/agents": agents, "pulumi-agentgraph": packageFolder(), "@pulumi/pulumi": SDK });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});
