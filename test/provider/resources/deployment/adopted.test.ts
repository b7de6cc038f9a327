/** A deployment that was adopted: state does not know its secrets, which the service holds, until an update or a refresh. */
import { parseImpacts, renderImpacts } from "../../../../provider/plan/render";
import { UNKNOWN_SECRET } from "../../../../provider/schema/unknown-secrets";
import { dockerDeployment, withImage } from "../../../support/deployments";
import { failureOf } from "../../../support/errors";
import { type Platform, startPlatform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";

const sidecars = (version: number, value: string) => ({
  sourceConfig: {
    resourceSpec: {
      sidecars: [
        { name: "proxy", image: `registry.example.com/proxy:${version}`, env: [{ name: "PROXY_TOKEN", value }] },
      ],
    },
  },
});
const wanted = (secrets: Record<string, string>, more: object = {}) =>
  dockerDeployment({ secrets, ...sidecars(1, "t"), ...more });
const held = { A: "a", B: "b" };

let platform: Platform;
let stack: Stack;

/** The state after `pulumi import -f`: what adopt saw, without secrets, and without what only the program knows. */
beforeEach(async () => {
  platform = await startPlatform();
  stack = new Stack(platform);
  await stack.up(wanted(held));
  const { id, inputs, outputs } = stateOf(stack);
  const unseen = { ...wanted({ A: UNKNOWN_SECRET, B: UNKNOWN_SECRET }), ...sidecars(1, UNKNOWN_SECRET) };
  const { __provider } = inputs;
  const { __urn: _, __organization: __, ...rest } = outputs;
  const adopted = { inputs: { ...unseen, __provider }, outputs: { ...rest, ...unseen } };
  stack.state = { id, ...adopted, failed: false };
  stack.messages = [];
  await platform.emulator.journal.clear();
});
const secretsNow = async () => {
  const { secrets } = await platform.getDeployment(stateOf(stack).id);
  return Object.fromEntries(
    secrets.filter(({ name }) => name !== "PULUMI_RESOURCE").map((one) => [one.name, one.value]),
  );
};
const revisions = async () => (await platform.getDeployment(stateOf(stack).id)).revisions.length;

it("previews that only another value would make a revision, and shows nothing hidden", async () => {
  // With `changes` undefined the engine would list keys of its own inputs that an import cannot know.
  expect(await stack.diff(wanted(held))).toMatchObject({ changes: true, replaces: [] });
  expect(stack.messages).toEqual([
    "info: possibly new revision: secrets.A, secrets.B, resourceSpec.sidecars; only if the server holds another value",
  ]);
});

it("says of what surely changes what it does, beside what is compared later", async () => {
  const { sourceConfig } = sidecars(2, "t");
  await stack.diff(wanted({ A: "a", C: "c" }, { ...withImage("2"), sourceConfig }));
  const [row = ""] = stack.messages;
  const impacts = parseImpacts(row.replace("info: ", ""));
  expect(impacts?.map((impact) => renderImpacts([impact])).sort()).toEqual([
    "new revision: imageUri 1.0.0 -> 2, secrets.B, secrets.C, resourceSpec.sidecars",
    "possibly new revision: secrets.A; only if the server holds another value",
  ]);
});

it("sends nothing where the service holds the same, and state knows them from then on", async () => {
  expect(await stack.up(wanted(held))).toBe("update");
  expect(platform.requests({ method: "PATCH" })).toEqual([]);
  expect(stateOf(stack).outputs).toMatchObject({ secrets: held, ...sidecars(1, "t") });
  expect(await stack.up(wanted(held))).toBe("same");
});

it("makes one revision where one secret is another", async () => {
  expect(await stack.up(wanted({ A: "a", B: "new" }))).toBe("update");
  expect([await secretsNow(), await revisions()]).toEqual([{ A: "a", B: "new" }, 2]);
});

it("shows no change in a refresh, which reads the secrets; then the preview knows", async () => {
  expect(await stack.refresh()).toBe("same");
  expect(stack.messages).toEqual([]);
  expect(stateOf(stack).outputs).toMatchObject({ secrets: held });
  expect(await stack.diff(wanted(held))).toEqual({ changes: false });
  expect(await stack.diff(wanted({ A: "a", B: "new" }))).toMatchObject({ changes: true });
  expect(stack.messages).toEqual(["info: new revision: secrets.B"]);
});

it("still shows in a refresh what somebody changed since", async () => {
  const { sourceRevisionConfig } = withImage("9");
  await platform.updateOutOfBand(stateOf(stack).id, {
    source_revision_config: { image_uri: sourceRevisionConfig.imageUri },
  });
  expect(await stack.refresh()).toBe("changed");
});

it("rolls back to the secrets that the service held", async () => {
  await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
  const error = await failureOf(stack.up(wanted({ A: "new", B: "b" }, { ...withImage("2"), rollbackOnFailure: true })));
  expect(error.message).toContain("Rolled back");
  expect(await secretsNow()).toEqual(held);
});
