import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { newFolder } from "../../../emulator/test/support/folder";
import pkg from "../../../package.json";
import { packageSchema } from "../../../plugin/schema/package";
import { describeWithTools } from "../../support/tools";

const ROOT = resolve(__dirname, "../../..");

/** Returns the text of every file in a folder by its path, without README.md, which is written manually. */
function textsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => path !== readmeOf(folder));
  return Object.fromEntries(paths.sort().map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]));
}

const readmeOf = (folder: string) => join(folder, "README.md");

describeWithTools("The committed SDKs", ["sdk-generator"], () => {
  const target = newFolder();

  beforeAll(() => {
    execFileSync(process.execPath, [join(ROOT, "scripts/run.mjs"), "generate", "go", "python", "--out", target]);
  });

  it.each(["sdk/python", "sdk/go"])("The SDK in %s is what the generator writes for the committed schema", (folder) => {
    const language = basename(folder);
    const generated = textsOf(join(target, language));
    expect(Object.keys(generated).length).toBeGreaterThan(30);
    expect(textsOf(join(ROOT, folder))).toEqual(generated);
  });
});

const REPOSITORY = "https://github.com/acme/pulumi-agentgraph";
const HOMEPAGE = "https://agents.acme.example";

describeWithTools("SDKs of a package with a repository", ["sdk-generator", "pulumi-language-java"], (tools) => {
  const out = newFolder();
  const read = (file: string) => readFileSync(join(out, file), "utf8");

  beforeAll(() => {
    const schema = join(out, "schema.json");
    const metadata = { ...pkg, homepage: HOMEPAGE, repository: { url: `git+${REPOSITORY}.git` } };
    writeFileSync(schema, JSON.stringify(packageSchema(metadata, () => "")));
    const args = ["go", "python", "java", "--schema", schema, "--out", out];
    execFileSync(process.execPath, [join(ROOT, "scripts/run.mjs"), "generate", ...args]);
    execFileSync(tools["sdk-generator"], ["nodejs", schema, join(out, "nodejs")]);
  });

  it("The packages for npm, PyPI, Maven and Go name the repository, and all but the last the home page", () => {
    expect(JSON.parse(read("nodejs/package.json"))).toMatchObject({ homepage: HOMEPAGE, repository: REPOSITORY });
    const python = read("python/pyproject.toml");
    expect([python.includes(`Homepage = "${HOMEPAGE}"`), python.includes(`Repository = "${REPOSITORY}"`)]).toEqual([
      true,
      true,
    ]);
    const java = read("java/pom.xml");
    expect([java.includes(`<url>${HOMEPAGE}</url>`), java.includes(`<url>${REPOSITORY}</url>`)]).toEqual([true, true]);
    expect(read("go/go.mod")).toMatch(/^module github\.com\/acme\/pulumi-agentgraph\/sdk\/go\n/);
  });

  it("The CLI finds the plugin of each SDK in the releases of the repository", () => {
    const { pulumi } = JSON.parse(read("nodejs/package.json"));
    const others = ["go/agentgraph", "python/pulumi_agentgraph"].map((folder) =>
      JSON.parse(read(`${folder}/pulumi-plugin.json`)),
    );
    const java = JSON.parse(read("java/src/main/resources/com/pulumi/agentgraph/plugin.json"));
    for (const { server } of [pulumi, ...others, java])
      expect(server).toBe("github://api.github.com/acme/pulumi-agentgraph");
  });
});
