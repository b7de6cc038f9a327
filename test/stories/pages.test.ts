/** Pages that a reader follows are followed here: their files are saved, their commands run, and they say what is shown. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Block, blocksOf } from "../docs/support/markdown";
import { ROOT } from "./support/program";
import { World } from "./support/world";

const world = new World();

/** A port with a free one after it, for the emulator and its bucket. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** The packages as `npm pack` makes them, where the page has put them. */
async function packInto(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const which of [[], ["-w", "emulator"]]) {
    const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder, ...which];
    await promisify(execFile)("npm", args, { cwd: ROOT });
  }
}

/** One script of all that the reader does, with a line before each part by which its output is known. */
function scriptOf(blocks: readonly Block[]): string {
  const parts = blocks.flatMap(({ line, text, notes }) => {
    if (notes.file) return [`cat > ${notes.file} <<'END_OF_FILE'\n${text}END_OF_FILE\n`];
    if (notes.run === undefined) return [];
    const commands = notes.run === "fails" ? `if (set -e\n${text}); then echo "It did not fail"; exit 1; fi\n` : text;
    return [`printf '\n@@@ %s\n' ${line}\n${commands}`];
  });
  // The SDK of this checkout is linked in place of being downloaded.
  const sdk = join(ROOT, "node_modules/@pulumi/pulumi");
  return (
    parts
      .join("")
      // Types are checked by the first run; later ones save the time.
      .replace("pulumi up --yes\n", "pulumi up --yes\nexport PULUMI_NODEJS_TRANSPILE_ONLY=true\n")
      .replace(
        /^npm install @pulumi\/pulumi (.*)$/m,
        `npm install --legacy-peer-deps --prefer-offline $1\nmkdir -p node_modules/@pulumi && ln -s ${sdk} node_modules/@pulumi/`,
      )
  );
}

async function follow(
  page: string,
  home: string,
): Promise<{ code: number | null; parts: Map<number, string>; said: string }> {
  const [port, bucket] = [await freePort(), await freePort()];
  const script = scriptOf(blocksOf(page))
    .replaceAll("7420", String(port))
    .replaceAll("agentgraph-emulator start", `agentgraph-emulator start --port ${port} --bucket-port ${bucket}`);
  await writeFile(join(home, "script.sh"), script);
  const { stdout: cache } = await promisify(execFile)("npm", ["config", "get", "cache"]);
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, NO_COLOR: "1", PULUMI_SKIP_UPDATE_CHECK: "true" },
    ...{ npm_config_cache: cache.trim(), npm_config_audit: "false", npm_config_fund: "false" },
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  const child = spawn("bash", ["-e", join(home, "script.sh")], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const [code] = await once(child, "close");
  const parts = said.split(/^@@@ /m).slice(1);
  return { code, said, parts: new Map(parts.map((part) => [Number.parseInt(part, 10), part])) };
}

/** A line of a page, where `…` stands for anything. */
function pattern(line: string): RegExp {
  const escaped = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(escaped.join(".*"));
}

test("docs/getting-started.md can be followed from an empty folder, and all is as it says", async () => {
  const home = await world.make("reader");
  await packInto(join(home, "packages"));
  const page = "docs/getting-started.md";
  const { code, parts, said } = await follow(page, home);
  expect([code, said.slice(-3000)]).toEqual([0, expect.anything()]);

  let last = 0;
  for (const block of blocksOf(page)) {
    if (block.notes.run !== undefined) last = block.line;
    if (block.notes.says === undefined) continue;
    for (const line of block.text.trimEnd().split("\n")) expect(parts.get(last)).toMatch(pattern(line.trim()));
  }
});

test("the versions in its commands are those of the packages", async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const packed = await readdir(join(await world.make("reader"), "packages"));
  expect(packed.sort()).toEqual([`pulumi-agentgraph-${version}.tgz`, `pulumi-agentgraph-emulator-${version}.tgz`]);
});
