/** A YAML program with the native provider plugin. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeWithTools } from "../../support/tools";
import { steps } from "../support/events";
import { copyExample, pathWith } from "../support/languages";
import { killAll, waitUntilEnded } from "../support/processes";
import { World } from "../support/world";

const world = new World();

describeWithTools("A YAML program", ["pulumi-language-yaml"], (tools) => {
  test("is deployed, previews an image bump as one update, resumes after kill -9 of its language host, and is destroyed", async () => {
    const program = await copyExample("yaml-quickstart", await world.createFolder("yaml"));
    const stack = await world.stack({
      project: "agentgraph-yaml-quickstart",
      program,
      env: pathWith(tools["pulumi-language-yaml"]),
    });
    const created = await stack.up();
    expect(created).toMatchObject({ code: 0 });
    expect(steps(created).sort()).toEqual(["create support-agent", "create welcome"]);
    expect(created.output).toMatch(/url +: "http/);
    expect(await stack.readBackend()).not.toContain("not-a-real-key");

    const text = await readFile(join(program.folder, "Pulumi.yaml"), "utf8");
    await program.file("Pulumi.yaml", text.replace("support-agent:1.0.0", "support-agent:1.1.0"));
    const preview = await stack.preview("--diff");
    expect(steps(preview)).toEqual(["update support-agent"]);
    expect(preview.output).toContain("new revision: imageUri 1.0.0 -> 1.1.0");

    const killed = await world.startUpAndHold(stack);
    const processes = await killed.processes();
    killAll(processes.filter(({ role }) => role === "language host"));
    await world.emulator.faults.clear();
    expect((await killed.waitForExit()).code).not.toBe(0);
    await waitUntilEnded(processes);
    await world.requests();
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(world.writes()).toEqual([]);

    await program.file("Pulumi.yaml", text.replace("external_docker", "externaldocker"));
    const invalid = await stack.preview();
    expect(invalid.code).not.toBe(0);
    expect(invalid.output).toContain('is "externaldocker"; write one of');

    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await world.deployments()).toEqual([]);
  });
});
