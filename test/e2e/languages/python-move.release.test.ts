/**
 * A Python program that continues the stack of a TypeScript program with dynamic resources, as docs/upgrading.md
 * explains.
 */
import { defaultTenantId } from "../../../emulator/src";
import { describeWithTools } from "../../support/tools";
import { succeeds } from "../support/cli";
import { changedProperties, steps } from "../support/events";
import { installPythonSdk, pathWith } from "../support/languages";
import { oldProgram } from "../support/old-program";
import { restore } from "../support/old-state";
import { Program } from "../support/program";
import { World } from "../support/world";

const world = new World({
  ...{ strict: true, speed: "instant" },
  ...{ bucketKey: "a-bucket-key-of-old", bucketSecret: "a-bucket-secret-of-old" },
});
afterEach(() => world.emulator.reset());

describeWithTools("A Python program", ["python", "pulumi-language-python"], (tools) => {
  let env: Record<string, string>;

  beforeAll(async () => {
    const site = await installPythonSdk(tools.python, await world.createFolder("python-sdk"));
    env = { ...pathWith(tools.python, tools["pulumi-language-python"]), PYTHONPATH: site };
  });

  test.each(["0.1.0-threads", "0.1.0-exports"])(
    "continues the state %s of dynamic resources without changes",
    async (name) => {
      const program = await Program.create(await world.createFolder(name), "old-states");
      const platform = { AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId };
      const bucket = { STORY_BUCKET_URL: world.emulator.bucket.url };
      const stack = await world.stack({
        ...{ project: "old-states", backend: name, program },
        env: { ...env, ...platform, ...bucket },
      });
      await restore(name, stack, world);

      await program.file("Pulumi.yaml", "name: old-states\nruntime: python\n");
      await program.usePlugin();
      await program.file("__main__.py", await oldProgram(name, "program.py"));
      await world.requests();
      const preview = await succeeds(stack.preview());
      expect(steps(preview)).toEqual([]);
      expect(changedProperties(preview)).toEqual([]);
      expect(await world.requests()).toEqual([]);

      const move = await succeeds(stack.up());
      expect(steps(move)).toEqual([]);
      expect(world.writes()).toEqual([]);
      for (const { type } of (await stack.resources()).values()) expect(type).toMatch(/agentgraph$|^agentgraph:index:/);
      expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    },
  );
});
