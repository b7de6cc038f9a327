import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { newFolder } from "../../../emulator/test/support/folder";
import { license, version } from "../../../package.json";
import { blocksOf, documents, schemaBlocks, translatedBlocks } from "../../docs/support/markdown";
import { describeWithTools } from "../../support/tools";
import { pyright, PYTHON_SDK as SDK } from "./pyright";

const ROOT = resolve(__dirname, "../../..");

describeWithTools("The Python SDK", ["python"], ({ python }) => {
  const folder = newFolder();

  it("The wheel contains the package, its types, the name of its plugin and its license", () => {
    const source = join(folder, "source");
    cpSync(SDK, source, { recursive: true });
    execFileSync(python, ["-m", "build", "--wheel", "--no-isolation", "--outdir", folder, source], { stdio: "pipe" });
    const [wheel = ""] = readdirSync(folder).filter((name) => name.endsWith(".whl"));
    expect(wheel).toBe(`pulumi_agentgraph-${version}-py3-none-any.whl`);

    const content = join(folder, "content");
    execFileSync(python, ["-m", "zipfile", "-e", join(folder, wheel), content]);
    const modules = readdirSync(join(SDK, "pulumi_agentgraph"), { recursive: true, encoding: "utf8" });
    const expected = modules.filter((name) => /\.pyi?$|py\.typed$|pulumi-plugin\.json$/.test(name));
    const packed = readdirSync(join(content, "pulumi_agentgraph"), { recursive: true, encoding: "utf8" });
    expect(packed.filter((name) => name.includes(".")).sort()).toEqual(expected.sort());

    const info = join(content, `pulumi_agentgraph-${version}.dist-info`);
    const metadata = readFileSync(join(info, "METADATA"), "utf8");
    for (const line of [`Version: ${version}`, `License: ${license}`, "Requires-Python: >=3.10"])
      expect(metadata.split("\n")).toContain(line);
    expect(metadata).toContain(readFileSync(join(SDK, "README.md"), "utf8").trim());
    expect(readFileSync(join(info, "licenses/LICENSE"), "utf8")).toBe(readFileSync(join(ROOT, "LICENSE"), "utf8"));
  });

  it("Every Python program of examples, template, documentation and schema passes the strict check of pyright", () => {
    const programs = join(folder, "programs");
    mkdirSync(programs);
    cpSync(join(__dirname, "program.py"), join(programs, "program.py"));
    cpSync(join(ROOT, "examples/python-quickstart/__main__.py"), join(programs, "quickstart.py"));
    cpSync(join(ROOT, "templates/python/__main__.py"), join(programs, "template.py"));
    cpSync(join(ROOT, "test/e2e/languages/story.py"), join(programs, "story.py"));
    const pages = [join(SDK, "README.md"), ...documents().map((page) => join(ROOT, page))].flatMap(pythonOf);
    for (const { language, text, notes } of documents().flatMap((page) => blocksOf(page)))
      if (language === "python" && notes.file) writeFileSync(join(programs, notes.file), text);
    const examples = [...schemaBlocks(), ...translatedBlocks()].flatMap(({ language, text }) =>
      language === "python" ? [text] : [],
    );
    expect(examples.length).toBeGreaterThan(30);
    for (const [index, text] of [...pages, ...examples].entries())
      writeFileSync(join(programs, `example_${index}.py`), text);
    expect(pyright(programs, python)).toEqual([]);
  });

  it("A program with a misspelled field and an unknown source fails that check", () => {
    const programs = join(folder, "wrong");
    mkdirSync(programs);
    writeFileSync(
      join(programs, "wrong.py"),
      [
        "import pulumi_agentgraph as agentgraph",
        'agentgraph.Deployment("a", source="external_docker", source_config={"resource_spek": {}})',
        'agentgraph.Deployment("a", source=1)',
      ].join("\n"),
    );
    expect(pyright(programs, python).map(({ line }) => line)).toEqual([2, 3]);
  });
});

/** Returns the Python programs of a Markdown page. */
function pythonOf(page: string): string[] {
  const programs = readFileSync(page, "utf8").matchAll(/^```python\n(.*?)^```$/gms);
  return [...programs].map(([, text = ""]) => text);
}
