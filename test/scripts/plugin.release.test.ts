/** What npm run plugin makes for a release, and an SDK that is generated from it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import schema from "../../plugin/schema.json";
import { pluginExecutable, pluginFolder } from "../e2e/support/plugin";
import { describeWithTools } from "../support/tools";
import { runPlugin } from "./plugin-process";

// The first build of the executable takes long on a busy machine.
jest.setTimeout(300_000);

// The Java host is the one that generates and links an SDK; it looks for a compiler, but does not start it.
describeWithTools("The folder of the bundle", ["pulumi-language-java", "maven"], (tools) => {
  const project = mkdtempSync(join(tmpdir(), "agentgraph-package-"));
  afterAll(() => rmSync(project, { recursive: true }));

  test("`pulumi package add` generates the SDK from the folder, and `pulumi install` repeats it in a fresh checkout", async () => {
    const PATH = [dirname(tools["pulumi-language-java"]), process.env.PATH].join(delimiter);
    const local = { PULUMI_HOME: join(project, "home"), PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
    const env = { ...process.env, PATH, ...local, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const pulumi = (...args: string[]) => execFileSync("pulumi", args, { cwd: project, env, stdio: "pipe" });
    const generated = join(project, "sdks/agentgraph/src/main/java/com/pulumi/agentgraph/Deployment.java");
    symlinkSync(await pluginFolder(), join(project, "plugin"));
    const settings = "name: package\nruntime:\n  name: java\n  options: { binary: app.jar }\n";
    writeFileSync(join(project, "Pulumi.yaml"), settings);

    pulumi("package", "add", "./plugin");
    expect(readFileSync(join(project, "Pulumi.yaml"), "utf8")).toMatch(/^packages:\n {2}agentgraph: \.?\/?plugin$/m);
    expect(existsSync(generated)).toBe(true);

    rmSync(join(project, "sdks"), { recursive: true });
    pulumi("install");
    expect(existsSync(generated)).toBe(true);
  });
});

test("the executable returns the schema and exits when its standard input ends, with an empty PATH", async () => {
  expect(await runPlugin(await pluginExecutable(), { PATH: "" })).toEqual({ answered: schema, code: 0 });
});
