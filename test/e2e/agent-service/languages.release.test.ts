/** The component AgentService in TypeScript, and in Python, YAML and Go, for which the plugin serves it. */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeWithTools } from "../../support/tools";
import { type Language, RESOURCES, SECRETS, ServiceWorld } from "../support/agent-service";
import { ROOT } from "../support/checkout";
import { changedProperties, messagesOf, steps } from "../support/events";
import { installPythonSdk, pathWith } from "../support/languages";
import type { Program } from "../support/program";

const world = new ServiceWorld();
const TOOLS = ["python", "pulumi-language-python", "pulumi-language-yaml", "pulumi-language-go"] as const;
const NIGHT = { prompt: "You are the night porter." };

describeWithTools("A service", TOOLS, (tools) => {
  let env: Record<string, string>;

  beforeAll(async () => {
    const site = await installPythonSdk(tools.python, await world.createFolder("python-sdk"));
    env = { ...pathWith(...TOOLS.map((name) => tools[name])), PYTHONPATH: site };
  });

  afterEach(() => world.emulator.reset());

  /** Lets a Go program use the SDK of this checkout. */
  async function useGoSdk(program: Program) {
    const example = join(ROOT, "examples/go-quickstart");
    const modules = await readFile(join(example, "go.mod"), "utf8");
    await program.file("go.mod", modules.replace("../../sdk/go", join(ROOT, "sdk/go")));
    await cp(join(example, "go.sum"), join(program.folder, "go.sum"));
  }

  test.each(["dynamic", "native", "yaml", "python", "go"] as const)(
    "in %s is deployed, changes one version for a prompt, breaks and repairs its rollout, and is destroyed",
    async (language) => {
      const stack = await world.serviceStack(language, env);
      if (language === "go") await useGoSdk(stack.program);
      await world.writeService(stack.program, language);
      const created = await stack.up();
      expect(created).toMatchObject({ code: 0 });
      expect(steps(created).sort()).toEqual(
        [...Object.keys(RESOURCES), "support"].map((name) => `create ${name}`).sort(),
      );
      for (const secret of SECRETS) expect(await stack.readBackend()).not.toContain(secret);

      await world.writeService(stack.program, language, NIGHT);
      await world.requests();
      expect(steps(await stack.up())).toEqual(["update support-concierge"]);
      expect(world.writes()).toEqual([expect.stringMatching(/^PATCH .*\/assistants\//)]);

      const broken = { ...NIGHT, image: "registry.example.com/support-agent:2.0.0" };
      await world.writeService(stack.program, language, broken);
      await world.emulator.faults.add({ method: "POST", path: "/agents/*/runs/wait", status: 500, times: 3 });
      const failed = await stack.up();
      expect(failed.code).not.toBe(0);
      expect(messagesOf(failed, "support").join()).toContain("is live again as revision");
      expect(steps(await stack.up())).toEqual(["update support"]);

      expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
      expect(await stack.destroy()).toMatchObject({ code: 0 });
      expect(await world.deployments()).toEqual([]);
    },
  );

  test("moves from TypeScript to each language and back without a change", async () => {
    const stack = await world.serviceStack("moves", env);
    await useGoSdk(stack.program);
    await world.writeService(stack.program, "dynamic");
    expect(await stack.up()).toMatchObject({ code: 0 });
    const languages: Language[] = ["native", "python", "yaml", "go", "native", "dynamic"];
    for (const language of languages) {
      await world.writeService(stack.program, language);
      await world.requests();
      const move = await stack.up();
      expect(move).toMatchObject({ code: 0 });
      expect([language, ...steps(move), ...changedProperties(move), ...world.writes()]).toEqual([language]);
    }
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});
