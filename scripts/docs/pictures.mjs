/**
 * Makes the pictures of the README from what the real programs print, and from what the emulator's page shows:
 *
 *     node scripts/docs/pictures.mjs            runs Pulumi against the emulator, saves what it printed, and draws it
 *     node scripts/docs/pictures.mjs --draw     draws what was saved before, without the page
 *     node scripts/docs/pictures.mjs --check    draws nothing, and exits with 1 if a picture is stale
 *
 * What was printed is kept in captures/. It is replaced only when more than IDs, durations and addresses changed.
 */
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { isPictureStale, takePicture } from "./page-picture.mjs";
import { commentSvg, terminalSvg } from "./svg.mjs";

const CAPTURES = join(ROOT, "scripts", "docs", "captures");
const IMAGES = join(ROOT, "docs", "images");
const PREVIEW = join(CAPTURES, "preview.json");
const ROLLOUT = join(CAPTURES, "rollout.txt");

const execute = promisify(execFile);

/** What differs from run to run. */
const VARYING =
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|127\.0\.0\.1:\d+|\b\d+(\.\d+)? ?s\b|"?\d{4}-\d\d-\d\dT[\d:.]+Z?"?/g;
const masked = (text) => text.replace(VARYING, "…");

/** The program of the pull request in the picture, before and after the change. */
const program = (changed) => `import * as agentgraph from "pulumi-agentgraph";

const agent = (name: string, image: string, more = {}) =>
  new agentgraph.Deployment(name, { source: "external_docker", sourceRevisionConfig: { imageUri: \`registry.example.com/\${image}\` }, ...more });

const support = agent("support-agent", "support-agent:${changed ? "1.5.0" : "1.4.2"}", { secrets: { MODEL_API_KEY: "${changed ? "new" : "old"}-key" } });
agent("billing-agent", "billing-agent:2.0.0", ${changed ? '{ name: "billing" }' : "{}"});
${changed ? 'agent("translate-agent", "translate-agent:1.0.0");' : ""}
new agentgraph.Thread("welcome", { deploymentId: support.id, metadata: { graph_id: "agent", audience: "${changed ? "new guests" : "guests"}" } });
`;

/** The program that docs/getting-started.md writes, with another image. */
async function gettingStarted(image) {
  const page = await readFile(join(ROOT, "docs", "getting-started.md"), "utf8");
  const [, text] = /<!-- file: index\.ts -->\n```ts\n([\s\S]+?)```/.exec(page);
  return text.replace("support-agent:1.0.0", `support-agent:${image}`);
}

/** A project with its own state and an emulator, for as long as `work` needs them. */
async function withProject({ node, pulumi, env }, work) {
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-pictures-"));
  const main = join(ROOT, "emulator", "dist", "main.js");
  const emulator = spawn(node, ["--disable-warning=ExperimentalWarning", main, "--port", "0", "--strict"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await new Promise((resolve, reject) => {
      emulator.once("exit", () => reject(new Error("The emulator did not start.")));
      emulator.stdout.setEncoding("utf8").on("data", (text) => {
        const [found] = /http:\S+/.exec(text) ?? [];
        if (found) resolve(found);
      });
    });
    await mkdir(join(folder, "state"));
    const modules = join(folder, "node_modules");
    await mkdir(join(modules, "@pulumi"), { recursive: true });
    await symlink(ROOT, join(modules, "pulumi-agentgraph"));
    await symlink(join(ROOT, "node_modules", "@pulumi", "pulumi"), join(modules, "@pulumi", "pulumi"));
    await writeFile(join(folder, "package.json"), '{ "private": true }');
    await writeFile(join(folder, "Pulumi.yaml"), "name: my-agents\nruntime: nodejs\n");
    const stackEnv = {
      ...env,
      ...{ PULUMI_HOME: join(folder, "home"), PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href },
      ...{ PULUMI_CONFIG_PASSPHRASE: "pictures", PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
      ...{ AGENTGRAPH_CONTROL_PLANE_URL: url, AGENTGRAPH_API_KEY: "any-key" },
    };
    // A rollout that fails is part of the picture.
    const cli = (...args) =>
      execute(pulumi, [...args, "--non-interactive"], { cwd: folder, env: stackEnv }).catch((error) => error);
    const save = (text) => writeFile(join(folder, "index.ts"), text);
    return await work({ url, cli, save });
  } finally {
    emulator.kill("SIGTERM");
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** `pulumi preview --json` of the pull request. */
const capturePreview = (tools) =>
  withProject(tools, async ({ url, cli, save }) => {
    await cli("stack", "init", "production");
    await save(program(false));
    await cli("up", "--yes", "--skip-preview");
    await save(program(true));
    const { stdout } = await cli("preview", "--json");
    return stdout.replaceAll(url, "https://agents.example.com");
  });

const INJECTED = { revision: { ends: "DEPLOY_FAILED", logs: ["no such tag: 1.2.0"] } };

/** Two rollouts, of which the second one fails, and what the page then shows. */
const captureRollout = (tools) =>
  withProject(tools, async ({ url, cli, save }) => {
    await cli("stack", "init", "dev");
    await save(await gettingStarted("1.0.0"));
    await cli("up", "--yes", "--skip-preview");
    await save(await gettingStarted("1.1.0"));
    const up = async () => {
      const { stdout } = await cli("up", "--yes", "--skip-preview", "--suppress-outputs", "--color", "always");
      return `$ pulumi up\n${shortened(stdout)}`;
    };
    const good = await up();
    await fetch(`${url}/_emulator/faults`, { method: "POST", body: JSON.stringify(INJECTED) });
    await save(await gettingStarted("1.2.0"));
    const failed = await up();
    if (await isPictureStale()) await takePicture(url, tools.env);
    return `${good}\n${failed}`;
  });

const PROGRESS = /(updating|updated) \(.*[A-Z_]+, \d/;
const FAILED = /\*\*updating failed\*\*/;
const EXPLANATION = /\* Deployment|^ {6}\w|The last \d+ lines|Fix the cause/;
const LOG = /^ {6}\| /;

/** The rows with a status, the explanation of a failure with the end of its log, and the summary. */
function shortened(output) {
  const all = output
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z /g, "")
    .replaceAll("\t", "")
    .split("\n");
  const plain = all.map((line) => stripVTControlCharacters(line));
  const lastLog = plain.findLastIndex((line) => LOG.test(line));
  const summary = plain.findIndex((line) => line.startsWith("Resources:"));
  const seen = new Set();
  const kept = all.filter((_, index) => {
    const text = plain[index];
    if (index >= summary) return text !== "" && !text.startsWith("Duration:");
    if (LOG.test(text)) return index > lastLog - 3;
    const status = masked(text);
    if (!PROGRESS.test(text)) return FAILED.test(text) || EXPLANATION.test(text);
    return !seen.has(status) && seen.add(status);
  });
  const cut = kept.findIndex((line) => LOG.test(stripVTControlCharacters(line)));
  return `${(cut < 0 ? kept : kept.toSpliced(cut, 0, "      | …")).join("\n")}\n`;
}

/** Removes the source positions of a JSON preview, which contain paths of this machine. */
const withoutPaths = (preview) =>
  JSON.stringify(
    JSON.parse(preview, (key, value) => (/^(sourcePosition|stackTrace)$/.test(key) ? undefined : value)),
    null,
    2,
  );

/** Saves what was printed, unless only what varies differs. */
async function keep(file, text) {
  const saved = await readFile(file, "utf8").catch(() => "");
  if (masked(saved) !== masked(text)) await writeFile(file, text);
}

async function draw() {
  const review = [join(ROOT, "dist", "cli", "main.js"), "review", PREVIEW];
  const { stdout: comment } = await execute(process.execPath, review);
  return {
    "review.svg": commentSvg("The comment of agentgraph review on a pull request", comment),
    "rollout.svg": terminalSvg(
      "pulumi up: a rollout that succeeds, and one that fails",
      await readFile(ROLLOUT, "utf8"),
    ),
  };
}

async function main(mode) {
  const isCheck = mode === "--check";
  if (mode === undefined) {
    const tools = await ready();
    await mkdir(CAPTURES, { recursive: true });
    await keep(PREVIEW, withoutPaths(await capturePreview(tools)));
    await keep(ROLLOUT, await captureRollout(tools));
  }
  if (isCheck && (await isPictureStale())) report("emulator.png is stale: run node scripts/docs/pictures.mjs");
  const pictures = await draw();
  const isStale = async ([name, text]) => (await readFile(join(IMAGES, name), "utf8").catch(() => "")) !== text;
  for (const picture of Object.entries(pictures)) {
    if (!(await isStale(picture))) continue;
    const [name, text] = picture;
    if (isCheck) report(`${name} is stale: run node scripts/docs/pictures.mjs --draw`);
    else await writeFile(join(IMAGES, name), text);
  }
}

function report(problem) {
  console.log(`docs/images/${problem}`);
  process.exitCode = 1;
}

await main(process.argv[2]);
