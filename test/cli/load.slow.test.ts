/** The command starts fast: which packages it loads, each time in a new process. */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digest, image } from "./support/previews";

const main = JSON.stringify(join(__dirname, "../../dist/cli/main.js"));

/** The packages that are loaded when the command ends. It finds no settings, and asks no server. */
function packagesOf(words: string, input = ""): Set<string | undefined> {
  const program = `
    process.on("exit", () => console.error(JSON.stringify(Object.keys(require.cache))));
    require(${main});`;
  // What stands first is where Node puts the path of a script.
  const call = ["-e", program, "agentgraph", ...words.split(" ")];
  const { stderr } = spawnSync(process.execPath, call, { cwd: tmpdir(), env: {}, input, encoding: "utf8" });
  const files: string[] = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
  return new Set(files.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]).filter(Boolean));
}

it.each([
  ...["--version", "--help", "init --help", "adopt --help", "doctor --help", "review --help", "requests --help"],
  "types --help",
])("agentgraph %s loads only commander", (words) => expect([...packagesOf(words)]).toEqual(["commander"]));

const preview = digest([{ op: "update", before: image("1"), after: image("2") }]);

it("review does not load undici", () => {
  expect(packagesOf("review", preview)).not.toContain("undici");
});

it.each(["adopt", "doctor", "review"])("%s does not load the Pulumi SDK, which is slow", (word) => {
  const packages = packagesOf(word, preview);
  expect(packages).toContain("zod");
  expect(packages).not.toContain("@pulumi/pulumi");
});
