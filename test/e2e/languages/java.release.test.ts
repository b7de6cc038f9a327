/** A Java program with the native provider plugin, the generated SDK and the real language host. */
import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { blocksOf } from "../../docs/support/markdown";
import { describeWithTools } from "../../support/tools";
import { ROOT } from "../support/checkout";
import { steps } from "../support/events";
import { pathWith } from "../support/languages";
import { Program } from "../support/program";
import { World } from "../support/world";

const world = new World();

describeWithTools("A Java program", ["maven", "pulumi-language-java"], (tools) => {
  /** Creates a Maven project that contains the sources of the SDK, so that no Maven repository has to provide it. */
  async function project(): Promise<Program> {
    const folder = await world.createFolder("java");
    await promisify(execFile)(process.execPath, [join(ROOT, "scripts/generate.mjs"), "java", "--out", folder]);
    await cp(join(folder, "java"), folder, { recursive: true });
    const program = await Program.create(folder, "java", { link: false });
    await program.file("Pulumi.yaml", "name: java\nruntime: java\n");
    await program.usePlugin();
    const pom = await readFile(join(folder, "pom.xml"), "utf8");
    const main = "<exec.mainClass>App</exec.mainClass>";
    await program.file("pom.xml", pom.replace("<properties>", `<properties>\n    ${main}`));
    return program;
  }

  test("is deployed, and shows no changes afterwards", async () => {
    const program = await project();
    const [source] = blocksOf("docs/languages.md").filter(({ language }) => language === "java");
    await program.file("src/main/java/App.java", source?.text ?? "");
    const stack = await world.stack({
      project: "java",
      program,
      env: pathWith(tools["pulumi-language-java"]),
    });
    await stack.runOrThrow("config", "set", "--secret", "modelApiKey", "a-key-that-no-one-may-read");
    const created = await stack.up();
    expect(created).toMatchObject({ code: 0 });
    expect(steps(created)).toEqual(["create support-agent", "create welcome"]);
    expect(created.output).toMatch(/url: "http/);
    expect(await stack.readBackend()).not.toContain("a-key-that-no-one-may-read");
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });
});
