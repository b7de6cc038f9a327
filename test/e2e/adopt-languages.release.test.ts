/**
 * What a team has moves into a program in another language: adopted, imported natively, and a preview without changes.
 */
import { execFile } from "node:child_process";
import { cp, readFile, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { plantEstate, SECRET, tenant } from "../cli/support/adopt-estate";
import { describeWithTools } from "../support/tools";
import { ROOT } from "./support/checkout";
import type { CliStack } from "./support/cli-stack";
import { agentgraph } from "./support/command";
import { messagesOf, steps } from "./support/events";
import { useOldConfigSection } from "./support/languages";
import { pluginFolder } from "./support/plugin";
import { Program } from "./support/program";
import { API_KEY, World } from "./support/world";

const world = new World({ strict: true, apiKey: API_KEY });

interface AdoptReport {
  resources: { name: string }[];
  secrets: { key: string; path: string }[];
  files: string[];
  next: string[];
}

beforeAll(async () => {
  await pluginFolder();
  await plantEstate(world.emulator, async (method, path, body) => {
    const headers = { "x-api-key": API_KEY, "x-tenant-id": tenant, "content-type": "application/json" };
    const response = await fetch(world.url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as never;
  });
});

/**
 * Adopts everything into a new project, sets its secrets, imports it, and expects an empty preview but for credentials.
 */
async function adoptAndPreview(
  language: string,
  env: Record<string, string>,
  prepare: (folder: string) => Promise<void> = async () => undefined,
): Promise<CliStack> {
  const project = `adopted-${language}`;
  const program = await Program.create(await world.createFolder(project), project);
  const settings = {
    ...{ AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: tenant },
    // One agent of the estate has an address that a member of the workspace chose.
    AGENTGRAPH_AGENT_ORIGINS: JSON.stringify([world.emulator.urls.controlPlane.replace("127.0.0.1", "localhost")]),
  };
  const stack = await world.stack({ project, program, env: { ...settings, ...env } });
  await rm(join(program.folder, "Pulumi.yaml"));
  const { code, stdout, stderr } = await agentgraph({
    args: ["adopt", "--language", language, "--out", program.folder, "--deployment", "small-1", "--json"],
    cwd: await world.createFolder("elsewhere"),
    env: { ...settings, AGENTGRAPH_CONTROL_PLANE_URL: world.url, AGENTGRAPH_API_KEY: API_KEY },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const report: AdoptReport = JSON.parse(stdout);
  expect(report.resources).toHaveLength(45);
  const written = await Promise.all(report.files.map((file) => readFile(join(program.folder, file), "utf8")));
  expect(written.join("\n")).not.toContain(SECRET);
  expect(written.join("\n")).toContain("stores their values in plain text");

  await prepare(program.folder);
  const values = report.secrets.flatMap(({ key, path }) => ["--secret", `${key}=${secretAt(path)}`]);
  await stack.runOrThrow("config", "set-all", ...values);
  const [importing = "", previewing = ""] = report.next.slice(-2).map((command) => command.replace(/^pulumi /, ""));
  expect(await stack.runOrThrow(...importing.split(" "))).toContain("= 45 imported");

  const preview = await stack.preview(...previewing.split(" ").slice(1));
  if (preview.code !== 0) throw new Error(preview.output);
  // The API never returns credentials.
  expect(steps(preview).sort()).toEqual(destinations.map((name) => `update ${name}`));
  for (const name of destinations) expect(messagesOf(preview, name)).toEqual(["in place: credentials"]);
  return stack;
}
const destinations = ["Audits-own", "Data-lake", "billing-agent-destination"];

function secretAt(path: string): string {
  const { accessKeyId, secretAccessKey } = world.emulator.bucket;
  if (path === "credentials.accessKeyId") return accessKeyId;
  if (path === "credentials.secretAccessKey") return secretAccessKey;
  return `${SECRET}-${path.replace(/^.*\.env\.|^secrets\./, "")}`;
}

const withPath = (...folders: string[]) => [...folders, process.env.PATH ?? ""].join(delimiter);

describeWithTools("A Python program", ["pulumi-language-python", "python"], (tools) => {
  test("declares all 45 adopted objects, which the import file brings into state", async () => {
    const source = await world.createFolder("python-sdk");
    const packages = await world.createFolder("python-packages");
    // A build writes to the folder of the sources.
    await cp(join(ROOT, "sdk/python"), source, { recursive: true });
    const install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", packages];
    await promisify(execFile)(tools.python, [...install, source]);
    await adoptAndPreview("python", {
      PATH: withPath(dirname(tools["pulumi-language-python"]), dirname(tools.python)),
      PYTHONPATH: packages,
    });
  });
});

describeWithTools("A YAML program", ["pulumi-language-yaml"], (tools) => {
  test("declares all 45 adopted objects, which the import file brings into state", async () => {
    const env = { PATH: withPath(dirname(tools["pulumi-language-yaml"])) };
    const stack = await adoptAndPreview("yaml", env, useOldConfigSection);
    const { emulator } = world;
    await emulator.clock.resume();
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    // The import reads variables of containers and contexts, which the API does not treat as secrets.
    expect(
      (await stack.readBackend()).replaceAll(new RegExp(`${SECRET}-(PROXY_TOKEN|context.api_key)`, "g"), ""),
    ).not.toContain(SECRET);
  });
});
