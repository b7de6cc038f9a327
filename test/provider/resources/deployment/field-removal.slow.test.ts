/** Fields that are added or removed later: added ones are sent, and removing what the server would keep is rejected. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createDeployment } from "../../../support/deployments/create";
import { dockerDeployment, withResourceSpec } from "../../../support/deployments/inputs";
import { startPlatform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";

const repository = (config: PropertyMap = {}, revision: PropertyMap = {}): PropertyMap => ({
  ...{ source: "githost", name: "agent", sourceConfig: { repoUrl: "https://git.example/team/agent", ...config } },
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json", ...revision },
});

describe("a Deployment sends a field that is declared later:", () => {
  it.each<[string, PropertyMap, PropertyMap, object]>([
    ["installCommand", repository(), repository({ installCommand: "npm ci" }), { install_command: "npm ci" }],
    ["buildCommand", repository(), repository({ buildCommand: "make" }), { build_command: "make" }],
    [
      "customUrl",
      dockerDeployment(),
      dockerDeployment({ sourceConfig: { customUrl: "https://a.example" } }),
      { custom_url: "https://a.example" },
    ],
    [
      "the first field of a spec",
      dockerDeployment(),
      dockerDeployment(withResourceSpec({ minScale: 1 })),
      { resource_spec: { min_scale: 1 } },
    ],
    [
      "one more field of a spec",
      dockerDeployment(withResourceSpec({ minScale: 1 })),
      dockerDeployment(withResourceSpec({ minScale: 1, dbStorageGi: 9 })),
      { resource_spec: { min_scale: 1, db_storage_gi: 9 } },
    ],
    [
      "a label whose key has dots",
      dockerDeployment(withResourceSpec({ labels: { "a.b": "1" } })),
      dockerDeployment(withResourceSpec({ labels: { "a.b": "1", "c.d": "2" } })),
      { resource_spec: { labels: { "a.b": "1", "c.d": "2" } } },
    ],
  ])("%s", async (_what, before, after, expected) => {
    const { platform, stack } = await createDeployment(before);
    await stack.up(after);
    expect((await platform.getDeployment(stateOf(stack).id)).source_config).toMatchObject(expected);
    expect(await stack.up(after)).toBe("same");
  });
});

it("Deployment: labels whose keys contain dots are removed when they are no longer declared", async () => {
  const { platform, stack } = await createDeployment(
    dockerDeployment(withResourceSpec({ minScale: 1, labels: { "a.b": "1" } })),
  );
  await stack.up(dockerDeployment(withResourceSpec({ minScale: 1 })));
  const { resource_spec } = (await platform.getDeployment(stateOf(stack).id)).source_config;
  expect(resource_spec.labels ?? undefined).toBeUndefined();
});

describe("a Deployment rejects the removal of what the server would keep:", () => {
  // @covers 10A.no-removal
  it("the last secret without an ownership marker", async () => {
    const { platform, stack } = await createDeployment(dockerDeployment({ secrets: { A: "1", B: "2" } }), {
      stack: { config: { ownerMarker: "false" } },
    });
    await stack.up(dockerDeployment({ secrets: { A: "1" } }));
    await expect(stack.up(dockerDeployment())).rejects.toThrow(/cannot become empty.*Keep one secret/);
    const { secrets } = await platform.getDeployment(stateOf(stack).id);
    expect(secrets).toEqual([{ name: "A", value: "1" }]);
  });
});

it("Deployment: a secret with the value * is not treated as masked, so drift is detected and an interrupted run recognized", async () => {
  const platform = await startPlatform();
  const killed = new Stack(platform);
  const declared = dockerDeployment({ secrets: { ORIGINS: "*", KEY: "1" } });
  platform.duringNextWait(() => Promise.reject(new Error("kill -9")));
  await expect(killed.up(declared)).rejects.toThrow("kill -9");
  await platform.advance(60_000);
  const stack = killed.fork();
  await stack.up(declared);
  const { id, outputs } = stateOf(stack);
  expect(id).toBe(stateOf(killed).id);
  const marker = { name: "PULUMI_RESOURCE", value: outputs.__owner };
  await platform.updateOutOfBand(id, {
    secrets: [marker, { name: "ORIGINS", value: "*" }, { name: "KEY", value: "2" }],
  });
  expect(await stack.refresh()).toBe("changed");
});
