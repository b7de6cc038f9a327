/** Python programs with the native provider plugin, the generated SDK and the real language host. */
import { copyFile, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describeWithTools } from "../../support/tools";
import { fails, succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { messagesOf, steps } from "../support/cli/events";
import { ROOT } from "../support/packages/checkout";
import { copyExample, installPythonSdk, pathWith, useSharedPackages } from "../support/programs/languages";
import { Program } from "../support/programs/program";
import { DAY_MS } from "../support/traces";
import { World } from "../support/world";

const world = new World();
const token = "a-token-that-no-one-may-read";
const note = "a-note-that-no-one-may-read";

describeWithTools("A Python program", ["python", "pulumi-language-python", "pulumi-sdk-python-oldest"], (tools) => {
  let env: Record<string, string>;

  beforeAll(async () => {
    const site = await installPythonSdk(tools.python, await world.createFolder("python-sdk"));
    env = { ...pathWith(tools.python, tools["pulumi-language-python"]), PYTHONPATH: site };
  });

  /** Creates a project from the example. */
  async function project(name: string, example = "python-quickstart"): Promise<CliStack> {
    const program = await copyExample(example, await world.createFolder(name));
    await useSharedPackages(program);
    return world.stack({ project: `agentgraph-${example}`, stack: name, program, env: { ...env, ...world.tracing } });
  }

  test("is deployed with the oldest SDK, and previews an image bump as one update with the newest", async () => {
    const stack = await project("quickstart");
    const source = await readFile(join(stack.program.folder, "__main__.py"), "utf8");
    const version = 'import importlib.metadata\npulumi.export("sdk", importlib.metadata.version("pulumi"))\n';
    await stack.program.file("__main__.py", source + version);
    stack.env.PYTHONPATH = [tools["pulumi-sdk-python-oldest"], env.PYTHONPATH].join(delimiter);
    const created = await succeeds(stack.up());
    expect(steps(created).sort()).toEqual(["create support", "create support-agent", "create welcome"]);
    const [, oldest] = /"pulumi>=([^,]+)/.exec(await readFile(join(ROOT, "sdk/python/pyproject.toml"), "utf8")) ?? [];
    expect(created.output).toMatch(new RegExp(`sdk +: "${oldest}"`));

    stack.env.PYTHONPATH = env.PYTHONPATH ?? "";
    await stack.program.file("__main__.py", source.replace("support-agent:1.0.0", "support-agent:1.1.0"));
    const preview = await stack.preview();
    expect(steps(preview)).toEqual(["update support-agent"]);
    expect(messagesOf(preview, "support-agent").join()).toContain("new revision: imageUri 1.0.0 -> 1.1.0");
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });

  test("that `pulumi new` generates from the template is previewed", async () => {
    const program = await Program.fromTemplate("python", await world.createFolder("new"), "my-agent", env);
    await useSharedPackages(program);
    await program.usePlugin();
    const stack = await world.stack({ project: "my-agent", program, env });
    const preview = await succeeds(stack.preview("-c", "image=registry.example.com/support-agent:1.0.0"));
    expect(steps(preview)).toEqual(["create support-agent"]);
  });

  test("uses components, an explicit provider, functions and exports, and shows no secret", async () => {
    const stack = await project("story");
    await copyFile(join(__dirname, "story.py"), join(stack.program.folder, "__main__.py"));
    const now = Date.parse(world.emulator.clock.read().now);
    const { url: objectStore, accessKeyId, secretAccessKey } = world.emulator.bucket;
    const secrets = { token, note, apiKey: stack.env.AGENTGRAPH_API_KEY, accessKeyId, secretAccessKey };
    const plain = {
      image: "registry.example.com/agent:1",
      controlPlaneUrl: world.url,
      objectStore,
      since: new Date(now - DAY_MS).toISOString(),
      until: new Date(now).toISOString(),
    };
    const pairs = (values: object) => Object.entries(values).map(([key, value]) => `${key}=${value}`);
    const set = (flag: string, values: object) => pairs(values).flatMap((pair) => [flag, pair]);
    await stack.runOrThrow("config", "set-all", ...set("--secret", secrets), ...set("--plaintext", plain));

    await world.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: ["the model refused the key"] } });
    const failed = await fails(stack.up());
    expect(failed.output).toMatch(/Deployment "\S+": revision rollout failed with DEPLOY_FAILED after \d+ s\./);
    const created = await succeeds(stack.up());
    expect((await world.deployments()).map(({ name }) => name).sort()).toEqual(["second-of-story", "support-agent"]);
    expect(created.output).toMatch(/export +: "COMPLETED"/);
    expect(created.output).toMatch(/status +: "READY"/);
    expect(created.output).toMatch(/threads *: 1\b/);

    const unchanged = await succeeds(stack.refresh("--expect-no-changes"));
    const preview = await stack.preview("--diff", "-c", "image=registry.example.com/agent:2");
    expect(steps(preview)).toEqual(["update support-agent"]);
    const runs = [failed, created, unchanged, preview, await stack.run("stack", "export")];
    const everything =
      runs.map(({ output, events }) => output + JSON.stringify(events)).join() + (await stack.readBackend());
    for (const secret of [token, note, secretAccessKey, secrets.apiKey]) expect(everything).not.toContain(secret);

    await world.destroyCompletely(stack);
  });
});
