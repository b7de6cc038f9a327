import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../../emulator/test/support/folder";
import { version } from "../../../package.json";
import { definitions } from "../../../provider/definitions";
import { blocksOf, documents, ROOT, schemaBlocks, translatedBlocks } from "../../docs/support/markdown";
import { describeWithTools } from "../../support/tools";

// Maven downloads its plugins and the dependencies once.
jest.setTimeout(300_000);

describeWithTools("The Java SDK", ["maven", "pulumi-language-java"], ({ maven }) => {
  const out = newFolder();
  const folder = join(out, "java");
  beforeAll(() => execFileSync(process.execPath, [join(ROOT, "scripts/run.mjs"), "generate", "java", "--out", out]));

  it("The SDK and every Java program of the documentation and the schema compile with the SDK of Pulumi", () => {
    const programs = [...documents().flatMap((page) => blocksOf(page)), ...schemaBlocks(), ...translatedBlocks()];
    const java = programs.filter(({ language }) => language === "java");
    expect(java.length).toBeGreaterThan(0);
    for (const [index, { text }] of java.entries()) {
      const source = join(folder, `src/test/java/program${index}`);
      mkdirSync(source, { recursive: true });
      writeFileSync(join(source, "App.java"), `package program${index};\n\n${text}`);
    }

    execFileSync(maven, ["--quiet", "--batch-mode", "test-compile"], { cwd: folder, stdio: "pipe" });
    const classes = (of: string) => readdirSync(join(folder, "target", of), { recursive: true, encoding: "utf8" });
    expect(classes("test-classes").filter((file) => file.endsWith("App.class"))).toHaveLength(java.length);
    for (const { kind } of definitions) expect(classes("classes")).toContain(`com/pulumi/agentgraph/${kind}.class`);
  });

  it("The library states its version and the name of its plugin", () => {
    const read = (file: string) => readFileSync(join(folder, "src/main/resources/com/pulumi/agentgraph", file));
    expect(read("version.txt").toString()).toBe(version);
    expect(JSON.parse(read("plugin.json").toString())).toEqual({ resource: true, name: "agentgraph", version });
    expect(readFileSync(join(folder, "pom.xml"), "utf8")).toContain(`<version>${version}</version>`);
  });
});
