/** A Go program with the native provider plugin, run by the Automation API, which requires no language host. */
import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { blocksOf, documents, schemaBlocks, translatedBlocks } from "../../docs/support/markdown";
import { ROOT } from "../support/packages/checkout";
import { pluginFolder } from "../support/packages/plugin";
import { API_KEY, World } from "../support/world";

const run = promisify(execFile);
const world = new World();

/** Returns whether Go is installed; CI must have it. */
const hasGo = () =>
  run("go", ["version"]).then(
    () => true,
    (error: unknown) => {
      if (process.env.CI) throw error;
      console.warn("SKIPPED: the test of a Go program, because Go is not installed.");
      return false;
    },
  );

test("A Go program is deployed, previews without changes, and is destroyed", async () => {
  if (!(await hasGo())) return;
  const folder = await world.createFolder("go");
  const cwd = join(folder, "examples/go-quickstart");
  await Promise.all([
    cp(join(ROOT, "examples/go-quickstart"), cwd, { recursive: true }),
    cp(join(ROOT, "sdk/go"), join(folder, "sdk/go"), { recursive: true }),
  ]);
  // The programs of the documentation and the schema are vetted with those of the example.
  const documented = [
    ...documents().flatMap((file) => blocksOf(file)),
    ...schemaBlocks(),
    ...translatedBlocks(),
  ].filter(({ language }) => language === "go");
  expect(documented.length).toBeGreaterThan(30);
  for (const [index, { text }] of documented.entries()) {
    await mkdir(join(cwd, `documented/${index}`), { recursive: true });
    await writeFile(join(cwd, `documented/${index}/main.go`), text);
  }
  expect((await run("gofmt", ["-l", "documented"], { cwd })).stdout).toBe("");
  // The package `config`, which the example does not use, requires more modules.
  await run("go", ["vet", "-mod=mod", "./..."], { cwd, maxBuffer: 1e8 });
  await run("go", ["build", "-o", "program", "./automation"], { cwd, maxBuffer: 1e8 });
  const env = {
    ...process.env,
    PULUMI_HOME: await world.createFolder("home"),
    PULUMI_BACKEND_URL: pathToFileURL(await world.createFolder("state")).href,
    PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    AGENTGRAPH_CONTROL_PLANE_URL: world.url,
    AGENTGRAPH_API_KEY: API_KEY,
  };
  const plugin = await pluginFolder();
  const command = async (name: string) =>
    (await run(join(cwd, "program"), ["-plugin", plugin, name], { cwd, env })).stdout;
  expect(await command("up")).toContain("+ 4 created");
  expect(await command("preview")).toContain("4 unchanged");
  expect(await command("destroy")).toContain("- 4 deleted");
  expect(await world.deployments()).toEqual([]);
});
