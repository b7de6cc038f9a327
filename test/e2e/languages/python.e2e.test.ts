/**
 * A Python program with the native provider plugin and the generated SDK; python.release.test.ts runs others with the
 * language host.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { defaultTenantId } from "../../../emulator/src";
import { describeWithTools } from "../../support/tools";
import { ServiceWorld } from "../support/agent-service";
import { installPythonSdk } from "../support/languages";
import { Program } from "../support/program";
import { API_KEY } from "../support/world";

const world = new ServiceWorld();

describeWithTools("A Python program with a service", ["python"], ({ python }) => {
  test("is deployed, previews an image bump as one update that names the image, and is destroyed", async () => {
    const program = await Program.create(await world.createFolder("service"), "agent-service", { link: false });
    await world.writeService(program, "python");
    const env = {
      ...process.env,
      PYTHONPATH: await installPythonSdk(python, await world.createFolder("python-sdk")),
      PULUMI_HOME: await world.createFolder("home"),
      PULUMI_BACKEND_URL: `file://${await world.createFolder("state")}`,
      PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      AGENTGRAPH_CONTROL_PLANE_URL: world.url,
      AGENTGRAPH_TRACING_API_URL: world.url,
      AGENTGRAPH_TENANT_ID: defaultTenantId,
      AGENTGRAPH_API_KEY: API_KEY,
    };
    const run = async (command: string) =>
      (await promisify(execFile)(python, [join(__dirname, "deploy.py"), command], { cwd: program.folder, env })).stdout;

    expect(await run("up")).toMatch(/\+ 9 created/);
    expect((await world.deployments()).map(({ name }) => name)).toEqual(["support"]);
    await world.writeService(program, "python", { image: "registry.example.com/support-agent:1.1.0" });
    const preview = await run("preview");
    expect(preview).toContain("new revision: imageUri 1.0.0 -> 1.1.0; then 1 check");
    expect(preview).toMatch(/~ 1 to update\n +8 unchanged/);
    expect(await run("destroy")).toMatch(/- 9 deleted/);
    expect(await world.deployments()).toEqual([]);
  });
});
