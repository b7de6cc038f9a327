/** Follows a documentation page as a reader does: saves its files, runs its commands and deploys its program. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { type Block, blocksOf } from "../../docs/support/markdown";

/** Options of a page run. */
export interface PageOptions {
  /** An empty folder. */
  folder: string;
  env: Record<string, string | undefined>;
  /** Replacements for texts of the page, such as a URL or a download. */
  replacements?: Record<string, string>;
  /** Commands that run before those of the page. */
  setup?: string;
}

/** The result of a page run. */
export interface PageRun {
  /** Output of each block, by its line number. */
  outputs: Map<number, string>;
}

/** Declarations that a page's program may assume if no earlier block contains them. */
const ASSUMED_DECLARATIONS: Record<string, string> = {
  config: "const config = new pulumi.Config();",
  agent:
    `const agent = new agentgraph.Deployment("billing-agent", { source: "external_docker", ` +
    `sourceRevisionConfig: { imageUri: "registry.example.com/billing-agent:1" } });`,
  concierge:
    `const concierge = new agentgraph.Assistant("given-assistant", { deploymentId: agent.id, graphId: "agent" ` + "});",
  thread:
    `const thread = new agentgraph.Thread("given-thread", { deploymentId: agent.id, metadata: { graph_id: ` +
    `"agent" } });`,
};

/** A page takes up to a minute, or several on a busy machine. */
const TIMEOUT_MS = 420_000;

const isProgram = ({ language }: Block) => language === "ts";
const declares = (blocks: readonly Block[], name: string) =>
  blocks.some(({ text }) => new RegExp(`^(export )?const ${name} =`, "m").test(text));

/** Returns the program of all blocks so far, one below the other. */
function programOf(blocks: readonly Block[]): string {
  const names = blocks.flatMap(({ notes }) => (notes.uses ?? "").split(/[,\s]+/));
  const assumed = Object.keys(ASSUMED_DECLARATIONS).filter((name) => names.includes(name) && !declares(blocks, name));
  const texts = blocks.map(({ text }) => text.replace(/^import .*\n/gm, ""));
  const imports = 'import * as pulumi from "@pulumi/pulumi";\nimport * as agentgraph from "pulumi-agentgraph";\n';
  return [imports, ...assumed.map((name) => `${ASSUMED_DECLARATIONS[name]}\n`), ...texts].join("");
}

/** Replaces the declaration of the same name, which is delimited by empty lines. */
function replaceDeclaration(program: readonly Block[], { file, line, text }: Block): Block[] {
  const name = [...text.matchAll(/^const (\w+) =/gm)].at(-1)?.[1] ?? "";
  const isReplaced = (statement: string) => new RegExp(`^const ${name} =`, "m").test(statement);
  const statementsOf = (block: Block) => block.text.trimEnd().split("\n\n");
  if (!program.some((block) => statementsOf(block).some(isReplaced)))
    throw new Error(`${file}:${line}: the program has no ${name} that this could replace.`);
  const replaced = (statement: string) => (isReplaced(statement) ? text.trimEnd() : statement);
  return program.map((block) => ({ ...block, text: `${statementsOf(block).map(replaced).join("\n\n")}\n` }));
}

const save = (file: string, text: string) =>
  `mkdir -p "$(dirname ${file})" && cat > ${file} <<'END_OF_FILE'\n${text}END_OF_FILE\n`;
/** Saves the program in the initial folder, wherever the commands changed to. */
const saveProgram = (program: readonly Block[]) => `cd "$BEGINNING"\n${save("index.ts", programOf(program))}`;
const bringUpOf = (program: readonly Block[]) => `${saveProgram(program)}pulumi up --yes --skip-preview\n`;

/** Prefixes commands with a line that identifies their output. */
function blockScript({ line, notes }: Block, commands: string): string {
  const run = notes.run === "fails" ? `if (set -e\n${commands}); then echo "It did not fail"; exit 1; fi\n` : commands;
  return `printf '\\n@@@ %s\\n' ${line}\n${run}`;
}

/** Returns one script for a page. Its program is deployed before the next command and at the end. */
function scriptOf(blocks: readonly Block[]): string {
  let script = "";
  let program: Block[] = [];
  let isPending = false;
  const bringUp = () => {
    const newest = program.at(-1);
    if (newest && isPending) script += blockScript(newest, bringUpOf(program));
    if (newest?.notes.run === "fails") program = program.slice(0, -1);
    isPending = false;
  };
  for (const block of blocks) {
    const { notes, text } = block;
    if (notes.run !== undefined && isProgram(block)) {
      // A failing block is deployed alone, so that the failure is its own.
      if (notes.run === "fails") bringUp();
      program = [...program, block];
      isPending = true;
      if (notes.run === "fails") bringUp();
      continue;
    }
    if (notes.edit !== undefined) {
      bringUp();
      program = replaceDeclaration(program, block);
      script += saveProgram(program);
      continue;
    }
    if (notes.file !== undefined || notes.run !== undefined || notes.output !== undefined) bringUp();
    if (notes.file) script += save(notes.file, text);
    else if (notes.run !== undefined) script += blockScript(block, text);
  }
  bringUp();
  return script;
}

/** Runs a page. @throws Error with the output when a command fails. */
export async function runPage(
  page: string,
  { folder, env, replacements: instead = {}, setup: before = "" }: PageOptions,
): Promise<PageRun> {
  let script = scriptOf(blocksOf(page));
  for (const [text, replacement] of Object.entries(instead)) {
    if (!script.includes(text)) throw new Error(`${page} has no "${text}" any more that something could stand for.`);
    script = script.replaceAll(text, replacement);
  }
  await mkdir(folder, { recursive: true });
  const file = `${folder}.sh`;
  await writeFile(file, `${before}\n${script}`);
  // A separate process group, so that a timeout stops all processes of the page.
  const child = spawn("bash", ["-e", file], {
    cwd: folder,
    env: { ...env, BEGINNING: folder },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timeout = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), TIMEOUT_MS);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [code, signal] = await once(child, "close");
  clearTimeout(timeout);
  const reason = signal === null ? "a command failed" : `its commands took more than ${TIMEOUT_MS / 60_000} minutes`;
  if (code !== 0) throw new Error(`${page} cannot be followed, because ${reason}:\n${output.slice(-3000)}`);
  const parts = output.split(/^@@@ /m).slice(1);
  return { outputs: new Map(parts.map((text) => [Number.parseInt(text, 10), text])) };
}

/** Returns a pattern for a line in which `…` matches any text. */
function pattern(line: string): RegExp {
  const escaped = line.split("…").map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(escaped.join(".*"));
}

/** Returns the lines that a page shows as output and that were not printed. */
export function missingLines(page: string, { outputs }: Pick<PageRun, "outputs">, blocks = blocksOf(page)): string[] {
  let last = 0;
  return blocks.flatMap(({ line, notes, text }) => {
    if (notes.run !== undefined) last = line;
    if (notes.output === undefined) return [];
    const lines = text.trimEnd().split("\n");
    return lines
      .filter((expectedLine) => !pattern(expectedLine.trim()).test(outputs.get(last) ?? ""))
      .map((expectedLine) => `${page}: ${expectedLine}`);
  });
}
