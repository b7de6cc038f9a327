/** A Java program with the native provider plugin, the generated SDK and the real language host. */
import { blocksOf } from "../../docs/support/markdown";
import { describeWithTools } from "../../support/tools";
import { steps } from "../support/events";
import { createJavaProgram, pathWith } from "../support/languages";
import { World } from "../support/world";

const world = new World();

describeWithTools("A Java program", ["maven", "pulumi-language-java"], (tools) => {
  test("is deployed, and shows no changes afterwards", async () => {
    const program = await createJavaProgram(await world.createFolder("java"));
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
