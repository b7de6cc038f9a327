/** Fields that come or go in a later declaration: what is declared is sent, what the service would keep is refused. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { docker, spec } from "../../../support/deployments";
import { startPlatform } from "../../../support/platform";
import { heldBy, Refused, Stack } from "../../../support/stack";

const repository = (config: PropertyMap = {}, revision: PropertyMap = {}): PropertyMap => ({
  ...{ source: "githost", name: "agent", sourceConfig: { repoUrl: "https://git.example/team/agent", ...config } },
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json", ...revision },
});

describe("a field that is declared only later is sent:", () => {
  it.each<[string, PropertyMap, PropertyMap, object]>([
    ["installCommand", repository(), repository({ installCommand: "npm ci" }), { install_command: "npm ci" }],
    ["buildCommand", repository(), repository({ buildCommand: "make" }), { build_command: "make" }],
    [
      "customUrl",
      docker(),
      docker({ sourceConfig: { customUrl: "https://a.example" } }),
      { custom_url: "https://a.example" },
    ],
    ["the first field of a spec", docker(), docker(spec({ minScale: 1 })), { resource_spec: { min_scale: 1 } }],
    [
      "one more field of a spec",
      docker(spec({ minScale: 1 })),
      docker(spec({ minScale: 1, dbStorageGi: 9 })),
      { resource_spec: { min_scale: 1, db_storage_gi: 9 } },
    ],
    [
      "a label whose key has dots",
      docker(spec({ labels: { "a.b": "1" } })),
      docker(spec({ labels: { "a.b": "1", "c.d": "2" } })),
      { resource_spec: { labels: { "a.b": "1", "c.d": "2" } } },
    ],
  ])("%s", async (_what, before, after, expected) => {
    const platform = await startPlatform();
    const stack = new Stack(platform);
    await stack.up(before);
    await stack.up(after);
    expect((await platform.look(heldBy(stack).id)).source_config).toMatchObject(expected);
    expect(await stack.up(after)).toBe("same");
  });
});

it("labels whose keys have dots leave when they are no longer declared", async () => {
  const platform = await startPlatform();
  const stack = new Stack(platform);
  await stack.up(docker(spec({ minScale: 1, labels: { "a.b": "1" } })));
  await stack.up(docker(spec({ minScale: 1 })));
  const { resource_spec } = (await platform.look(heldBy(stack).id)).source_config;
  expect(resource_spec.labels ?? undefined).toBeUndefined();
});

describe("what the service would keep cannot be taken away:", () => {
  const pushed = { source: "internal_docker", name: "agent" };
  it.each<[string, PropertyMap, PropertyMap]>([
    ["sourceConfig.customUrl", docker({ sourceConfig: { customUrl: "https://a.example" } }), docker()],
    ["sourceConfig.installCommand", repository({ installCommand: "npm ci" }), repository()],
    ["sourceConfig.buildCommand", repository({ buildCommand: "make" }), repository()],
    ["sourceConfig.buildOnPush", repository({ buildOnPush: true }), repository()],
    ["sourceRevisionConfig.repoRef", repository({}, { repoRef: "dev" }), repository()],
    [
      "sourceRevisionConfig.imageUri",
      { ...pushed, sourceRevisionConfig: { imageUri: "registry.example.com/a:1" } },
      pushed,
    ],
  ])("%s", async (path, before, after) => {
    const platform = await startPlatform();
    const stack = new Stack(platform);
    await stack.up(before);
    await platform.emulator.journal.clear();
    const refusal = await stack.up(after).catch((error: Error) => error);
    expect(refusal).toBeInstanceOf(Refused);
    expect((refusal as Refused).message).toMatch(
      new RegExp(`${path} cannot be removed: the service keeps .*write another`),
    );
    expect(platform.requests()).toEqual([]);
    expect(await stack.up({ ...after, name: "other" })).toBe("replace");
  });

  it("nothing, where the deployment is replaced for another reason", async () => {
    const stack = new Stack(await startPlatform());
    await stack.up(repository({ buildOnPush: true }));
    expect(await stack.up(repository({ repoUrl: "https://git.example/team/other" }))).toBe("replace");
  });

  it("the last secret, where no marker keeps the set from being empty", async () => {
    const platform = await startPlatform();
    const stack = new Stack(platform, { config: { ownerMarker: "false" } });
    await stack.up(docker({ secrets: { A: "1", B: "2" } }));
    await stack.up(docker({ secrets: { A: "1" } }));
    await expect(stack.up(docker())).rejects.toThrow(/cannot become empty.*Keep one secret/);
    const { secrets } = await platform.look(heldBy(stack).id);
    expect(secrets).toEqual([{ name: "A", value: "1" }]);
  });
});

it("a secret that is a star is no masked one: a change from outside is seen, and an interrupted run is known", async () => {
  const platform = await startPlatform();
  const killed = new Stack(platform);
  const declared = docker({ secrets: { ORIGINS: "*", KEY: "1" } });
  platform.meanwhile(() => Promise.reject(new Error("kill -9")));
  await killed.up(declared).catch(() => undefined);
  await platform.pass(60_000);
  const stack = killed.twin();
  await stack.up(declared);
  const { id, outputs } = heldBy(stack);
  expect(id).toBe(heldBy(killed).id);
  const marker = { name: "PULUMI_RESOURCE", value: outputs.__owner };
  await platform.change(id, { secrets: [marker, { name: "ORIGINS", value: "*" }, { name: "KEY", value: "2" }] });
  expect(await stack.refresh()).toBe("changed");
});
