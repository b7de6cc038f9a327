/** The component AgentService of native resources in each language; typescript.release.test.ts has dynamic ones. */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeWithTools } from "../../support/tools";
import { fails, succeeds } from "../support/cli/cli";
import { changedProperties, messagesOf, steps } from "../support/cli/events";
import { ROOT } from "../support/packages/checkout";
import { installPythonSdk, pathWith } from "../support/programs/languages";
import type { Program } from "../support/programs/program";
import { RESOURCES, SECRETS, ServiceWorld } from "./service-world";

const world = new ServiceWorld();
const TOOLS = ["python", "pulumi-language-python", "pulumi-language-yaml", "pulumi-language-go"] as const;

describeWithTools("A service", TOOLS, (tools) => {
  let env: Record<string, string>;

  beforeAll(async () => {
    const site = await installPythonSdk(tools.python, await world.createFolder("python-sdk"));
    env = { ...pathWith(...TOOLS.map((name) => tools[name])), PYTHONPATH: site };
  });

  /** Lets a Go program use the SDK of this checkout. */
  async function useGoSdk(program: Program) {
    const example = join(ROOT, "examples/go-quickstart");
    const modules = await readFile(join(example, "go.mod"), "utf8");
    await program.file("go.mod", modules.replace("../../sdk/go", join(ROOT, "sdk/go")));
    await cp(join(example, "go.sum"), join(program.folder, "go.sum"));
  }

  test("moves from Go to each language and back without a change, and each changes its prompt", async () => {
    const stack = await world.serviceStack("moves", env);
    await useGoSdk(stack.program);
    let prompt = "You speak Go.";
    await world.writeService(stack.program, "go", { prompt });
    const created = await succeeds(stack.up());
    const names = [...RESOURCES, "support"].map((name) => `create ${name}`);
    expect(steps(created).sort()).toEqual(names.sort());
    for (const secret of SECRETS) expect(await stack.readBackend()).not.toContain(secret);

    for (const language of ["python", "yaml", "native", "go"] as const) {
      await world.writeService(stack.program, language, { prompt });
      await world.requests();
      const move = await succeeds(stack.up());
      expect([language, ...steps(move), ...changedProperties(move), ...world.writes()]).toEqual([language]);

      prompt = `You speak ${language}.`;
      await world.writeService(stack.program, language, { prompt });
      await world.requests();
      expect(steps(await stack.up())).toEqual(["update support-concierge"]);
      expect(world.writes()).toEqual([expect.stringMatching(/^PATCH .*\/assistants\//)]);
    }
    await world.writeService(stack.program, "go", { prompt, image: "registry.example.com/support-agent:2.0.0" });
    await world.emulator.faults.add({ method: "POST", path: "/agents/*/runs/wait", status: 500, times: 3 });
    const failed = await fails(stack.up());
    expect(messagesOf(failed, "support").join()).toContain("is live again as revision");
    expect(steps(await stack.up())).toEqual(["update support"]);
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    await world.destroyCompletely(stack);
  });
});
