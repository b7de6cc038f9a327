/** `agentgraph doctor` in the folder of a program: the package, the CLI, the backend and the settings of the stack. */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultTenantId } from "../../../emulator/src";
import { version } from "../../../package.json";
import { ANSWERS, byId, call, emulator, folder, KEY, runDoctor, settings, tool } from "../support/doctor";

const ROOT = join(__dirname, "../../..");

describe("in the folder of a program", () => {
  beforeEach(() => {
    writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\nmain: program\n");
    mkdirSync(join(folder, "program", "node_modules", "@pulumi"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules/@pulumi/pulumi"), join(folder, "program/node_modules/@pulumi/pulumi"));
  });

  /** Installs the package and configures the selected stack. @returns The environment of the command. */
  async function configure(config: (url: string) => object): Promise<Record<string, string>> {
    const { urls } = await emulator();
    symlinkSync(ROOT, join(folder, "program/node_modules/pulumi-agentgraph"));
    const file = join(folder, "config.json");
    writeFileSync(file, JSON.stringify(config(urls.controlPlane)));
    return { PULUMI_CONFIG_OF_TEST: file };
  }

  test("doctor uses the configuration of the stack, and prints no secrets", async () => {
    const env = await configure((url) => ({
      "agentgraph:apiKey": { value: KEY, secret: true },
      "agentgraph:controlPlaneUrl": { value: url },
    }));
    const found = await runDoctor(env);
    expect(found.code).toBe(0);
    expect(byId(found.settings, "key")?.message).toContain("API key from stack configuration agentgraph:apiKey");
    expect(byId(found.installation, "package")).toMatchObject({
      status: "ok",
      message: expect.stringContaining(join(folder, "program")),
    });
    expect(byId(found.installation, "sdk")).toMatchObject({ status: "ok" });
    // The program may declare no exports, so settings that only exports need are not required.
    for (const id of ["tracingApiUrl", "tenantId"]) {
      expect(byId(found.settings, id)).toMatchObject({ status: "skipped" });
      expect(byId(found.settings, id)).not.toHaveProperty("remedy");
    }
  });

  test("an unknown setting, an API key in plain text and an unknown variable are reported with remedies", async () => {
    const config = await configure((url) => ({
      "agentgraph:apiKey": { value: KEY, secret: false },
      "agentgraph:controlPlaneUrl": { value: url },
      "agentgraph:tenantID": { value: defaultTenantId },
    }));
    const env = { ...config, AGENTGRAPH_TENANTID: "t" };
    const found = await runDoctor(env);
    expect(found.code).toBe(1);
    expect(byId(found.settings, "unknown-setting")).toMatchObject({
      status: "fix",
      remedy: expect.stringContaining("Did you mean agentgraph:tenantId?"),
    });
    expect(byId(found.settings, "plain-text-secret")).toMatchObject({
      status: "note",
      remedy: expect.stringContaining("pulumi config set --secret agentgraph:apiKey"),
    });
    expect(byId(found.settings, "unknown-variable")).toMatchObject({
      status: "note",
      remedy: "Did you mean AGENTGRAPH_TENANT_ID?",
    });
    // In a project of this name, the namespace is its own.
    writeFileSync(join(folder, "Pulumi.yaml"), "runtime:\n  name: nodejs\nname: agentgraph\nmain: program\n");
    expect(byId((await runDoctor(env)).settings, "unknown-setting")).toMatchObject({ status: "note" });
  });

  test("an unreadable stack of --stack is a problem even if the environment has all settings", async () => {
    await emulator();
    symlinkSync(ROOT, join(folder, "program/node_modules/pulumi-agentgraph"));
    const env = { ...settings(), PULUMI_CONFIG_OF_TEST: join(folder, "nothing") };
    expect((await call(env)).code).toBe(0);
    const { code, stdout } = await call(env, "--stack", "production");
    expect(code).toBe(1);
    expect(stdout).toMatch(/FIX {3}cannot read the configuration of stack production/);
  });

  test("no selected stack is a note", async () => {
    const output = "error: no stack selected; please use `pulumi stack select` or `pulumi stack init` to choose one";
    tool("pulumi", `case "$1" in ${ANSWERS} *) echo '${output}' >&2; exit 1;; esac`);
    await emulator();
    const { settings: checks } = await runDoctor();
    expect(byId(checks, "config")).toEqual({
      id: "config",
      status: "note",
      message: "no stack is selected, so only environment variables are used",
      remedy: "To use the configuration of a stack, run `pulumi stack select` or pass --stack.",
    });
  });

  test("a second copy of the package is a problem, with version and folder of the one that is loaded", async () => {
    const copy = join(folder, "program/node_modules/pulumi-agentgraph");
    mkdirSync(copy);
    const manifest = {
      version: "0.0.9",
      exports: { "./provider": "./provider.js", "./package.json": "./package.json" },
    };
    writeFileSync(join(copy, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(copy, "provider.js"), "");
    const { code, installation } = await runDoctor({ PULUMI_CONFIG_OF_TEST: join(folder, "nothing") });
    expect(code).toBe(1);
    const check = byId(installation, "package");
    expect(check?.message).toContain(
      `pulumi-agentgraph 0.0.9, from ${realpathSync(copy)}, which ${folder}/program resolves to`,
    );
    expect(check?.message).toContain(`; this command is version ${version}, from another folder`);
    expect(check?.remedy).toMatch(/^Two copies of pulumi-agentgraph are in use: /);
    expect(byId(installation, "sdk")?.message).toContain(`, from ${join(ROOT, "node_modules/@pulumi/pulumi")}`);
  });

  test("a package that only another package depends on is a problem, with the dependency to add", async () => {
    const found = await runDoctor({ PULUMI_CONFIG_OF_TEST: join(folder, "nothing") });
    expect(found.code).toBe(1);
    expect(byId(found.installation, "package")).toMatchObject({
      status: "fix",
      remedy: expect.stringContaining('Add "pulumi-agentgraph" to the dependencies'),
    });
    expect(byId(found.settings, "config")).toMatchObject({
      status: "note",
      message: expect.stringContaining("cannot read"),
    });
  });
});
