/** Ownership and server mismatches: which objects a run rejects, which ones it adopts, and the messages. */

import type { CliStack } from "./support/cli-stack";
import { steps } from "./support/events";
import { agentSource, IMAGE } from "./support/program";
import { World } from "./support/world";

const world = new World();
const otherTenant = "99999999-9999-4999-8999-999999999999";

describe("a server mismatch", () => {
  let stack: CliStack;
  let id: string;

  beforeAll(async () => {
    stack = await world.stack({ project: "mismatch" });
    await stack.program.write(agentSource());
    expect(await stack.up()).toMatchObject({ code: 0 });
    id = (await stack.resources()).get("agent")?.id ?? "";
    await world.requests();
  });

  afterEach(async () => {
    expect(await world.requests()).toEqual([]);
    expect(await world.getDeployment(id)).toMatchObject({ status: "READY" });
  });

  test("another workspace is rejected by preview, refresh and destroy, with both names", async () => {
    stack.env.AGENTGRAPH_TENANT_ID = otherTenant;
    const message = `This resource was created in workspace 11111111-1111-4111-8111-111111111111, but tenantId is ${otherTenant}. No changes were made.`;
    for (const run of [await stack.preview(), await stack.refresh(), await stack.destroy()]) {
      expect(run.code).not.toBe(0);
      expect(run.output).toContain(message);
      expect(run.output).toContain("If the server has moved, set agentgraph:allowServerChange to true (");
      expect(run.output).not.toMatch(/\n\s+at /);
    }
    delete stack.env.AGENTGRAPH_TENANT_ID;
  });

  test("another server is rejected with both URLs", async () => {
    stack.env.AGENTGRAPH_CONTROL_PLANE_URL = "https://elsewhere.example.com";
    const run = await stack.refresh();
    expect(run.code).not.toBe(0);
    expect(run.output).toContain(
      `This resource was created at ${world.url}, but controlPlaneUrl is https://elsewhere.example.com. No changes were made.`,
    );
    stack.env.AGENTGRAPH_CONTROL_PLANE_URL = world.url;
  });
});

describe("import", () => {
  let stack: CliStack;
  let id: string;

  beforeAll(async () => {
    stack = await world.stack({ project: "import" });
    const seeded = await world.emulator.seed({
      deployments: [
        {
          name: "by-hand",
          source_config: { resource_spec: { min_scale: 2 } },
          source_revision_config: { image_uri: IMAGE },
          secrets: [{ name: "MODEL_KEY", value: "a-key-set-by-hand" }],
        },
      ],
    });
    id = seeded.deployments?.[0] ?? "";
  });

  test("a name that is taken is rejected with the import option that adopts the deployment", async () => {
    await stack.program.write(agentSource({ name: "by-hand" }));
    const run = await stack.up();
    expect(run.code).not.toBe(0);
    expect(run.output).toContain(`the name "by-hand" is taken by deployment ${id}, which is not managed by Pulumi`);
    expect(run.output).toContain(`import: "${id}"`);
    expect(world.writes()).not.toContain(`PATCH /v2/deployments/${id}`);
  });

  test("an import with differences lists them and changes nothing", async () => {
    await world.requests();
    await stack.program.write(
      agentSource({
        name: "by-hand",
        image: "registry.example.com/agent:9",
        sourceConfig: { resourceSpec: { minScale: 1 } },
        secrets: { MODEL_KEY: "another-key" },
        options: `{ import: "${id}" }`,
      }),
    );
    const run = await stack.up();
    expect(run.code).not.toBe(0);
    expect(run.output).toContain(`import: Deployment ${id} differs from the program, so no changes were made:`);
    expect(run.output).toContain(
      `sourceRevisionConfig.imageUri: server has "${IMAGE}", program has "registry.example.com/agent:9"`,
    );
    expect(run.output).toContain("sourceConfig.resourceSpec.minScale: server has 2, program has 1");
    expect(run.output).toMatch(/secrets\.MODEL_KEY\n/);
    expect(run.output).not.toMatch(/a-key-set-by-hand|another-key/);
    expect(world.writes()).toEqual([]);
    expect((await stack.resources()).size).toBe(0);
  });

  test("an import of an equal declaration changes nothing and manages the deployment from then on", async () => {
    const declared = { name: "by-hand", secrets: { MODEL_KEY: "a-key-set-by-hand" } };
    await stack.program.write(agentSource({ ...declared, options: `{ import: "${id}" }` }));
    const run = await stack.up();
    expect(run).toMatchObject({ code: 0 });
    expect(world.writes()).toEqual([]);
    expect((await stack.resources()).get("agent")).toMatchObject({ id });

    await stack.program.write(agentSource({ ...declared, image: "registry.example.com/agent:9" }));
    const next = await stack.up();
    expect(next).toMatchObject({ code: 0 });
    expect(steps(next)).toEqual(["update agent"]);
    expect(await world.getDeployment(id)).toMatchObject({
      revisions: [{ source_revision_config: { image_uri: "registry.example.com/agent:9" } }, {}],
    });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await world.getDeployment(id)).toBeUndefined();
  });

  test("an import of an ID that does not exist in the workspace is rejected", async () => {
    await stack.program.write(agentSource({ options: `{ import: "${otherTenant}" }` }));
    const run = await stack.up();
    expect(run.code).not.toBe(0);
    expect(run.output).toContain(
      `import: no Deployment with ID ${otherTenant} exists in this workspace. No changes were made.`,
    );
  });
});
