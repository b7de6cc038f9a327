/** What Pulumi prints of the programs in the pictures, against an emulator. */
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { withSandbox } from "../bench/sandbox.ts";
import type { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { isPictureStale, takePicture } from "./page-picture.ts";
import { shortened } from "./printed.ts";

const execute = promisify(execFile);

/** The program of the pull request in the picture, before and after the change. */
const program = (changed: boolean) => `import * as agentgraph from "pulumi-agentgraph";

const agent = (name: string, image: string, more = {}) =>
  new agentgraph.Deployment(name, {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: \`registry.example.com/\${image}\` },
    ...more,
  });

const support = agent("support-agent", "support-agent:${changed ? "1.5.0" : "1.4.2"}", {
  secrets: { MODEL_API_KEY: "${changed ? "new" : "old"}-key" },
});
agent("billing-agent", "billing-agent:2.0.0", ${changed ? '{ name: "billing" }' : "{}"});
${changed ? 'agent("translate-agent", "translate-agent:1.0.0");' : ""}
new agentgraph.Assistant("concierge", {
  deploymentId: support.id,
  graphId: "agent",
  context: { model: "${changed ? "large-2" : "small-2"}" },
});
new agentgraph.Thread("welcome", {
  deploymentId: support.id,
  metadata: { graph_id: "agent", audience: "${changed ? "new guests" : "guests"}" },
});
`;

async function programOf(page: string) {
  const text = await readFile(join(ROOT, "docs", page), "utf8");
  return /<!-- file: index\.ts -->\n```ts\n([\s\S]+?)```/.exec(text)?.[1] ?? "";
}

/** The program that docs/getting-started.md writes, with another image. */
const gettingStarted = async (image: string) =>
  (await programOf("getting-started.md")).replace("support-agent:1.0.0", `support-agent:${image}`);

/** Runs `pulumi up` as a picture shows it. */
async function shownUp({ cli }: Pick<Project, "cli">) {
  const stdout = await cli("up", "--yes", "--skip-preview", "--suppress-outputs", "--color", "always");
  return `$ pulumi up\n${shortened(stdout)}`;
}

type Tools = Awaited<ReturnType<typeof ready>>;

interface Project {
  /** Of its emulator. */
  url: string;
  /** Runs the Pulumi CLI. */
  cli: (...args: string[]) => Promise<string>;
  /** Writes the program. */
  save: (text: string) => Promise<void>;
}

/** A project with its own state and an emulator, for as long as `work` needs them. */
const withProject = (tools: Tools, work: (project: Project) => Promise<string>) =>
  withSandbox(tools, async ({ program: folder, startEmulator, stackEnv }) => {
    const url = await startEmulator("1");
    await rm(join(folder, "index.js"));
    await writeFile(join(folder, "package.json"), '{ "private": true }');
    await writeFile(join(folder, "Pulumi.yaml"), "name: my-agents\nruntime: nodejs\n");
    const variables = { PULUMI_NODEJS_TRANSPILE_ONLY: "true", AGENTGRAPH_CONTROL_PLANE_URL: url };
    const env = { ...stackEnv, ...variables, AGENTGRAPH_API_KEY: "any-key" };
    // A rollout that fails is part of the picture.
    const cli = async (...args: string[]) => {
      const running = execute(tools.pulumi ?? "pulumi", [...args, "--non-interactive"], { cwd: folder, env });
      const { stdout }: { stdout: string } = await running.catch((error) => error);
      return stdout;
    };
    const save = (text: string) => writeFile(join(folder, "index.ts"), text);
    return work({ url, cli, save });
  });

/** `pulumi preview --json` of the pull request. */
export const capturePreview = (tools: Tools) =>
  withProject(tools, async ({ url, cli, save }) => {
    await cli("stack", "init", "production");
    await save(program(false));
    await cli("up", "--yes", "--skip-preview");
    await save(program(true));
    return (await cli("preview", "--json")).replaceAll(url, "https://agents.example.com");
  });

const INJECTED = { revision: { ends: "DEPLOY_FAILED", logs: ["no such tag: 1.2.0"] } };

/** Two rollouts, of which the second one fails, and what the page then shows. */
export const captureRollout = (tools: Tools) =>
  withProject(tools, async ({ url, cli, save }) => {
    await cli("stack", "init", "dev");
    await save(await gettingStarted("1.0.0"));
    await cli("up", "--yes", "--skip-preview");
    await save(await gettingStarted("1.1.0"));
    const good = await shownUp({ cli });
    await fetch(`${url}/_emulator/faults`, { method: "POST", body: JSON.stringify(INJECTED) });
    await save(await gettingStarted("1.2.0"));
    const failed = await shownUp({ cli });
    if (await isPictureStale()) await takePicture(url, tools.env);
    return `${good}\n${failed}`;
  });

/** Two updates with checks, of which the second one fails a check and undoes itself. */
export const captureVerify = (tools: Tools) =>
  withProject(tools, async ({ url, cli, save }) => {
    await cli("stack", "init", "production");
    await save(await programOf("verified-rollouts.md"));
    await cli("up", "--yes", "--skip-preview", "-c", "tag=1.4.0");
    await cli("config", "set", "tag", "1.4.1");
    const good = await shownUp({ cli });
    const body = { messages: [{ type: "ai", content: "I am sorry, I do not know." }] };
    const wrong = { method: "POST", path: "/agents/*/runs/wait", status: 200, body, times: 3 };
    await fetch(`${url}/_emulator/faults`, { method: "POST", body: JSON.stringify(wrong) });
    await cli("config", "set", "tag", "1.4.2");
    return `${good}\n${await shownUp({ cli })}`;
  });
