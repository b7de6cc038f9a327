import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { describeWithTools } from "../../support/tools";

const ROOT = resolve(__dirname, "../../..");

/** Returns the text of every file in a folder by its path, without README.md, which is written manually. */
function textsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => path !== readmeOf(folder));
  return Object.fromEntries(paths.sort().map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]));
}

const readmeOf = (folder: string) => join(folder, "README.md");

it("docs/_index.md, the page of the Pulumi Registry, has the programs that the generator writes", () => {
  const args = [join(ROOT, "scripts/generate.mjs"), "--print", "docs/_index.md"];
  const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
  expect(readFileSync(join(ROOT, "docs/_index.md"), "utf8")).toBe(printed);
});

describeWithTools("The committed SDKs", ["sdk-generator"], () => {
  const target = mkdtempSync(join(tmpdir(), "agentgraph-sdks-"));
  afterAll(() => rmSync(target, { recursive: true }));

  beforeAll(() => {
    execFileSync(process.execPath, [join(ROOT, "scripts/generate.mjs"), "go", "python", "--out", target]);
  });

  it.each(["sdk/python", "sdk/go"])("The SDK in %s is what the generator writes for the committed schema", (folder) => {
    const language = basename(folder);
    const generated = textsOf(join(target, language));
    expect(Object.keys(generated).length).toBeGreaterThan(30);
    expect(textsOf(join(ROOT, folder))).toEqual(generated);
  });
});
