/** A command is ready at once: what the built one loads for an answer, in a process of its own. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { digest, image } from "./support/previews";

const root = join(__dirname, "../..");

/** The packages that are loaded when the command ends. */
function packagesOf(args: string[], input = ""): Set<string | undefined> {
  const program = `
    process.on("exit", () => console.error(JSON.stringify(Object.keys(require.cache))));
    require("./dist/cli/main.js");`;
  // What stands first is where Node puts the path of a script.
  const call = ["-e", program, "agentgraph", ...args];
  const { status, stderr } = spawnSync(process.execPath, call, { cwd: root, input, encoding: "utf8" });
  expect(status).toBe(0);
  const files: string[] = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
  return new Set(files.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]).filter(Boolean));
}

it.each([["--version"], ["--help"], ["adopt --help"], ["doctor --help"], ["review --help"]])(
  "%s loads what reads the command line, and nothing else",
  (words) => expect([...packagesOf(words.split(" "))]).toEqual(["commander"]),
);

it("review loads neither the SDK of Pulumi nor what asks a server", () => {
  const preview = digest([{ op: "update", before: image("1"), after: image("2") }]);
  const packages = packagesOf(["review"], preview);
  expect(packages).toContain("zod");
  for (const name of ["@pulumi/pulumi", "undici"]) expect(packages).not.toContain(name);
});
