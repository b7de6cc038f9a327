/** A YAML program with the native provider plugin. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { defaultTenantId } from "../../../emulator/src";
import { definitions } from "../../../provider/definitions";
import { blocksOf } from "../../docs/support/markdown";
import { describeWithTools } from "../../support/tools";
import { fails, succeeds } from "../support/cli/cli";
import { steps } from "../support/cli/events";
import { copyExample, pathWith } from "../support/programs/languages";
import { Program } from "../support/programs/program";
import { World } from "../support/world";

const world = new World();

describeWithTools("A YAML program", ["pulumi-language-yaml"], (tools) => {
  test("is deployed, previews an image bump as one update, rejects an unknown source, and is destroyed", async () => {
    const program = await copyExample("yaml-quickstart", await world.createFolder("yaml"));
    const stack = await world.stack({
      project: "agentgraph-yaml-quickstart",
      program,
      env: pathWith(tools["pulumi-language-yaml"]),
    });
    const created = await succeeds(stack.up());
    expect(steps(created).sort()).toEqual(["create support", "create support-agent", "create welcome"]);
    expect(created.output).toMatch(/url +: "http/);
    expect(await stack.readBackend()).not.toContain("not-a-real-key");

    const text = await readFile(join(program.folder, "Pulumi.yaml"), "utf8");
    await program.file("Pulumi.yaml", text.replace("support-agent:1.0.0", "support-agent:1.1.0"));
    const preview = await stack.preview("--diff");
    expect(steps(preview)).toEqual(["update support-agent"]);
    expect(preview.output).toContain("new revision: imageUri 1.0.0 -> 1.1.0");

    await program.file("Pulumi.yaml", text.replace("external_docker", "externaldocker"));
    expect((await fails(stack.preview())).output).toContain('is "externaldocker"; write one of');

    await world.destroyCompletely(stack);
  });

  test("accepts the example of every resource in the schema", async () => {
    const pages = definitions.map(({ kind }) => blocksOf(`plugin/schema/examples/${kind}.md`));
    const examples = pages.flat().filter(({ language }) => language === "yaml");
    const parts = examples.map(({ text }) => parse(text) as Record<"config" | "resources", object>);
    const config = Object.assign({}, ...parts.map((part) => part.config)) as Record<string, { secret?: true }>;
    const resources = Object.assign({}, ...parts.map((part) => part.resources)) as object;
    expect(Object.keys(resources)).toHaveLength(definitions.length);

    const program = await Program.create(await world.createFolder("examples"), "examples", { link: false });
    // The older name of `config` works with every host; a host of 1.12 does not receive what newer CLIs read from
    // `config`.
    const project = { name: "examples", runtime: "yaml", configuration: config, resources };
    await program.file("Pulumi.yaml", stringify(project));
    await program.usePlugin();
    const env = pathWith(tools["pulumi-language-yaml"]);
    const stack = await world.stack({ project: "examples", program, env });
    const values = Object.entries(config).flatMap(([key, { secret }]) => [
      secret ? "--secret" : "--plaintext",
      `${key}=${defaultTenantId}`,
    ]);
    await stack.runOrThrow("config", "set-all", ...values);
    const preview = await succeeds(stack.preview());
    const created = Object.keys(resources).map((name) => `create ${name}`);
    expect(steps(preview).sort()).toEqual(created.sort());
  });
});
