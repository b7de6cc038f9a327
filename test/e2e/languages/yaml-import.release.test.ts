/** `pulumi import` in a YAML project, whose language host prints the program. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeWithTools } from "../../support/tools";
import { nativeStack, OwnedWorld, TYPES } from "../support/programs/all-kinds";
import { pathWith } from "../support/programs/languages";

const world = new OwnedWorld();

describeWithTools("pulumi import in a YAML project", ["pulumi-language-yaml"], (tools) => {
  test("generates a program of all kinds that equals what it imported", async () => {
    const stack = await nativeStack(world, "yaml", pathWith(tools["pulumi-language-yaml"]));
    await stack.program.file("Pulumi.yaml", "name: yaml\nruntime: yaml\n");
    await stack.program.usePlugin();
    await stack.program.file("imports.json", world.importFile());
    await stack.runOrThrow("import", "--file", "imports.json", "--out", "generated.yaml", "--yes", "--skip-preview");

    const project = await readFile(join(stack.program.folder, "Pulumi.yaml"), "utf8");
    const generated = await readFile(join(stack.program.folder, "generated.yaml"), "utf8");
    for (const kind of Object.values(TYPES)) expect(generated).toContain(`type: agentgraph:${kind}\n`);
    await stack.program.file("Pulumi.yaml", project + generated);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });
});
