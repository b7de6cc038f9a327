/** Property-based tests of deployments of every source. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { newFolder } from "../../../../../emulator/test/support/folder";
import { resourceSpec } from "../../../../../provider/api/control-plane/resource-spec";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { declarations, inPlaceChanges } from "../../../../support/arbitraries/deployment";
import { specFields } from "../../../../support/arbitraries/resource-spec";
import { changedFields, expectedPatch } from "../../../../support/deployments/expected-patch";
import { type Platform, startPlatform } from "../../../../support/platform";
import { runs } from "../../../../support/run/runs";
import { expectClean, Stack, stateOf } from "../../../../support/stack";
import { TestClock } from "../../../../support/time/clock";

const root = newFolder();
const folders = ["one", "two"].map((name) => {
  const folder = join(root, name);
  mkdirSync(join(folder, "app"), { recursive: true });
  for (const path of ["agentgraph.json", "app/agentgraph.json"])
    writeFileSync(join(folder, path), `{"graphs":{"${name}":"./graph.py:graph"}}`);
  return folder;
});

const sources = Object.entries(declarations(folders));

it("the generated declarations contain every field of a resource spec", () => {
  expect([...specFields].sort()).toEqual(Object.keys(resourceSpec.shape).sort());
});

describe.each(sources)("a declaration of %s", (source, declaration) => {
  const stack = new Stack({ url: "http://127.0.0.1:1", clock: new TestClock() });
  const host = stack.host();
  const visible = (properties: PropertyMap) =>
    Object.fromEntries(Object.entries(properties).filter(([key]) => !key.startsWith("__")));

  it("passes check twice, which adds only the digest of a folder", () =>
    fc.assert(
      fc.asyncProperty(declaration, async (declared) => {
        const checked = visible(await stack.check(declared, host));
        const { sourceDigest, ...rest } = checked;
        expect(rest).toEqual(declared);
        expect(sourceDigest !== undefined).toBe(source === "internal_source");
        expect(visible(await stack.check(checked, host))).toEqual(checked);
      }),
      runs(100),
    ));

  it("equals a copy of itself, and differs from others symmetrically", () =>
    fc.assert(
      fc.asyncProperty(inPlaceChanges(declaration), async ([before, after]) => {
        const [left, right] = [await stack.check(before, host), await stack.check(after, host)];
        const differs = async (from: PropertyMap, to: PropertyMap) =>
          (await host.diff("id", from, to)).changes !== false;
        expect(await differs(left, structuredClone(left))).toBe(false);
        expect(await differs(left, right)).toBe(await differs(right, left));
        expect(await differs(left, right)).toBe(changedFields(left, right).length > 0);
      }),
      runs(100),
    ));
});

describe.each(sources)("a deployment of %s", (_source, declaration) => {
  let platform: Platform;
  let number = 0;
  beforeEach(async () => {
    platform = await startPlatform();
  });

  /** Returns a stack whose deployment has a unique name. */
  const fresh = () => {
    const name = `agent-${number++}`;
    return { stack: new Stack(platform), named: (declared: PropertyMap): PropertyMap => ({ ...declared, name }) };
  };

  // @covers 2A.Deployment.source_revision_config:latest
  it(
    "ends as declared after an interrupted create is resumed with another declaration",
    () =>
      fc.assert(
        fc.asyncProperty(inPlaceChanges(declaration), async ([before, after]) => {
          const { stack: interrupted, named } = fresh();
          await interrupted.up(named(before));
          const stack = interrupted.fork();
          const { id, inputs } = await stack.stateAfter(named(after));
          expect(id).toBe(stateOf(interrupted).id);
          const remote = await platform.getDeployment(id);
          const { sourceDigest: _, redeployTriggers: __, secrets = {}, environment = {}, ...declared } = inputs;
          const { fields } = expectedPatch({}, declared, { ...remote });
          expect(fields.filter((field) => field.includes(".") && !field.endsWith("listener_config"))).toEqual([]);
          const remoteSecrets = remote.secrets.filter(({ name }) => name !== "PULUMI_RESOURCE");
          expect(Object.fromEntries(remoteSecrets.map(({ name, value }) => [name, value]))).toEqual({
            ...(secrets as PropertyMap),
            ...(environment as PropertyMap),
          });
          await expectClean(stack, named(after));
        }),
        runs(10),
      ),
    60_000,
  );

  // @covers 2A.SourceRevisionConfig.repo_ref:revision, 2A.SourceRevisionConfig.agentgraph_config_path:revision, 3.1
  it(
    "has no drift after a create and a change, which sends only what changed and creates at most one revision",
    () =>
      fc.assert(
        fc.asyncProperty(inPlaceChanges(declaration), async ([before, after]) => {
          const { stack, named } = fresh();
          const { id, inputs } = await stack.stateAfter(named(before));
          const remote = await platform.getDeployment(id);
          await expectClean(stack, named(before));

          await platform.emulator.requestLog.clear();
          await stack.up(named(after));
          const sent = platform.emulator.requestLog.entries({ method: "PATCH" });
          const expected = expectedPatch(inputs, stateOf(stack).inputs, { ...remote });
          expect(sent.flatMap(({ body }) => fieldsOf(body)).sort()).toEqual(expected.fields.sort());
          expect(sent.length).toBe(expected.fields.length > 0 ? 1 : 0);
          const created = (await platform.getDeployment(id)).revisions.length - remote.revisions.length;
          expect(created).toBe(expected.createsRevision ? 1 : 0);
          await expectClean(stack, named(after));
          await stack.destroy();
          expect((await platform.deployments()).map((remote) => remote.id)).not.toContain(id);
        }),
        runs(20),
      ),
    60_000,
  );
});

/** Returns the fields of a PATCH body, such as `source_config.custom_url`. */
function fieldsOf(body: unknown): string[] {
  return Object.entries(body as Record<string, object>).flatMap(([group, part]) =>
    group.startsWith("source_") ? Object.keys(part).map((field) => `${group}.${field}`) : [group],
  );
}
