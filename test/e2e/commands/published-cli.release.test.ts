/** The platform's own command line, unchanged, against the platform of today. */
import { execFile, execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Emulator, startEmulator } from "../../../emulator/src/index";
import { newFolder } from "../../../emulator/test/support/folder";
import { describeWithTools } from "../../support/tools";

const IMAGE = `registry.example.com/agent@sha256:${"a".repeat(64)}`;
const VOCABULARY = { githost: "github", agentgraph: "langgraph" };

describeWithTools("the published command line", ["langgraph-cli"], (tools) => {
  let emulator: Emulator;
  let folder: string;

  beforeAll(async () => {
    emulator = await startEmulator({ platform: "today", strict: true, vocabulary: VOCABULARY, speed: "instant" });
    folder = newFolder();
    const configuration = { dependencies: ["."], graphs: { agent: "./agent.py:graph" }, env: { MODEL_KEY: "sk-1" } };
    await writeFile(join(folder, "langgraph.json"), JSON.stringify(configuration));
    await writeFile(join(folder, "agent.py"), "graph = None\n");
    await writeFile(join(folder, "pyproject.toml"), '[project]\nname = "agent"\nversion = "0.1"\n');
  });
  afterAll(async () => {
    await emulator.stop();
  });

  async function deploy(...args: string[]): Promise<string> {
    const env = { ...process.env, LANGSMITH_API_KEY: "a-key", LANGGRAPH_CLI_NO_ANALYTICS: "1", NO_COLOR: "1" };
    const all = ["-m", "langgraph_cli", "deploy", ...args, "--host-url", emulator.urls.controlPlane];
    const { stdout } = await promisify(execFile)(tools["langgraph-cli"], all, { cwd: folder, env });
    return stdout;
  }
  const list = async () => (await deploy("list")).split("\n").slice(2).filter(Boolean);
  const idOf = (output: string) => /Deployment ID: ([0-9a-f-]{36})/.exec(output)?.[1] ?? "";

  test("deploys a folder, which the platform builds, and again, with a new revision", async () => {
    const args = ["--name", "agent", "--remote", "--no-input"];
    const created = await deploy(...args);
    expect(created).toContain("Deployment successful!");
    expect(await deploy(...args)).toContain(`Found existing deployment (ID: ${idOf(created)})`);
    const revisions = await deploy("revisions", "list", idOf(created));
    expect(revisions.match(/DEPLOYED|REPLACED/g)).toEqual(["DEPLOYED", "REPLACED"]);
  });

  test("deploys the checkout of a git repository", async () => {
    const repository = join(folder, "repository");
    await mkdir(repository);
    for (const [name, text] of [
      [".gitignore", "data/\n"],
      ["langgraph.json", JSON.stringify({ dependencies: ["."], graphs: { agent: "./agent.py:graph" } })],
      ["agent.py", "graph = None\n"],
      ["pyproject.toml", '[project]\nname = "agent"\nversion = "0.1"\n'],
    ] as const)
      await writeFile(join(repository, name), text);
    execFileSync("git", ["init", "--quiet"], { cwd: repository });
    const config = join(repository, "langgraph.json");
    const output = await deploy("--config", config, "--name", "repository", "--remote", "--no-input");
    expect(output).toContain("Deployment successful!");
  });

  test("deploys an image of another registry", async () => {
    expect(await deploy("--name", "image", "--image-uri", IMAGE, "--no-input")).toContain("Deployment successful!");
    const [request] = emulator.requestLog.entries({ method: "POST", path: "/v2/deployments" }).slice(-1);
    expect(request?.body).toMatchObject({ source: "external_docker", source_revision_config: { image_uri: IMAGE } });
  });

  test("deploys an agent to an environment, and finds it again", async () => {
    const args = ["--agent-id", "checkout", "--agent-environment", "production", "--remote", "--no-input"];
    const created = await deploy(...args);
    expect(created).toContain("Deployment successful!");
    expect(await deploy(...args)).toContain(`Found existing deployment (ID: ${idOf(created)})`);
  });

  test("lists, shows logs, and deletes", async () => {
    const created = await deploy("--name", "short", "--image-uri", IMAGE, "--no-input");
    const id = idOf(created);
    expect(await list()).toContainEqual(expect.stringMatching(new RegExp(`^${id} +short`)));
    expect(await deploy("logs", "--deployment-id", id)).toMatch(/\[INFO\]/);
    await deploy("delete", id, "--force");
    const deleted = await fetch(`${emulator.urls.controlPlane}/v2/deployments/${id}`, {
      headers: { "x-api-key": "a-key" },
    });
    expect(await deleted.json()).toMatchObject({ status: "AWAITING_DELETE" });
  });
});
