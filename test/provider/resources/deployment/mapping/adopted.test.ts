/** An adopted deployment: state does not contain its secrets until an update or a refresh. */
import { parseImpacts, renderImpacts } from "../../../../../provider/plan/render";
import { UNKNOWN_SECRET } from "../../../../../provider/schema/mapping";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { type Platform, startPlatform } from "../../../../support/platform";
import { Stack, stateOf } from "../../../../support/stack";

const sidecars = (version: number, value: string) => ({
  sourceConfig: {
    resourceSpec: {
      sidecars: [
        { name: "proxy", image: `registry.example.com/proxy:${version}`, env: [{ name: "PROXY_TOKEN", value }] },
      ],
    },
  },
});
const declare = (secrets: Record<string, string>, more: object = {}) =>
  dockerDeployment({ secrets, ...sidecars(1, "t"), ...more });
const remoteSecrets = { A: "a", B: "b" };

let platform: Platform;
let stack: Stack;

/**
 * The state after `pulumi import -f`: what adopt read, without secrets and without inputs that only the program has.
 */
beforeEach(async () => {
  platform = await startPlatform();
  stack = new Stack(platform);
  const { id, inputs, outputs } = await stack.stateAfter(declare(remoteSecrets));
  const withoutSecrets = { ...declare({ A: UNKNOWN_SECRET, B: UNKNOWN_SECRET }), ...sidecars(1, UNKNOWN_SECRET) };
  const { __provider } = inputs;
  const { __urn: _, __organization: __, ...rest } = outputs;
  const adopted = { inputs: { ...withoutSecrets, __provider }, outputs: { ...rest, ...withoutSecrets } };
  stack.state = { id, ...adopted, failed: false };
  stack.messages = [];
  await platform.emulator.requestLog.clear();
});
const secretsNow = async () => {
  const { secrets } = await platform.getDeployment(stateOf(stack).id);
  return Object.fromEntries(
    secrets.filter(({ name }) => name !== "PULUMI_RESOURCE").map((one) => [one.name, one.value]),
  );
};
const revisions = async () => (await platform.getDeployment(stateOf(stack).id)).revisions.length;

it("an adopted Deployment: a preview shows that only another value would create a revision", async () => {
  // If `changes` was undefined, the engine would list keys that an import cannot contain.
  expect(await stack.diff(declare(remoteSecrets))).toMatchObject({ changes: true, replaces: [] });
  expect(stack.messages).toEqual([
    "info: possibly new revision: secrets.A, secrets.B, resourceSpec.sidecars; only if the server holds another value",
  ]);
});

it("an adopted Deployment: a preview separates certain changes from values that are compared later", async () => {
  const { sourceConfig } = sidecars(2, "t");
  await stack.diff(declare({ A: "a", C: "c" }, { ...withImage("2"), sourceConfig }));
  const [warning, row = ""] = stack.messages;
  expect(warning).toMatch(/^warn: secrets\.B: is removed\./);
  const impacts = parseImpacts(row.replace("info: ", ""));
  expect(impacts?.map((impact) => renderImpacts([impact])).sort()).toEqual([
    "new revision: imageUri 1.0.0 -> 2, secrets.B (removed), secrets.C, resourceSpec.sidecars",
    "possibly new revision: secrets.A; only if the server holds another value",
  ]);
});

it("an adopted Deployment: an up with the same secrets sends nothing, and state contains them afterwards", async () => {
  expect(await stack.up(declare(remoteSecrets))).toBe("update");
  expect(platform.requests({ method: "PATCH" })).toEqual([]);
  expect(stateOf(stack).outputs).toMatchObject({ secrets: remoteSecrets, ...sidecars(1, "t") });
  expect(await stack.up(declare(remoteSecrets))).toBe("same");
});

it("an adopted Deployment: a name that moves to environment creates no revision", async () => {
  const declared = declare({ B: "b" }, { environment: { A: "a" } });
  await stack.diff(declared);
  expect(stack.messages.join("\n")).toMatch(
    /^info: possibly new revision: .*environment\.A.*; only if the server holds/,
  );
  await stack.up(declared);
  expect([platform.requests({ method: "PATCH" }), await revisions()]).toEqual([[], 1]);
  expect(stateOf(stack).outputs).toMatchObject({ secrets: { B: "b" }, environment: { A: "a" } });
  await stack.up(declare({ B: "b" }, { environment: { A: "other" } }));
  expect([await secretsNow(), await revisions()]).toEqual([{ A: "other", B: "b" }, 2]);
});

it("an adopted Deployment: a refresh reads the secrets without drift, and the next preview uses them", async () => {
  expect(await stack.refresh()).toBe("same");
  expect(stack.messages).toEqual([]);
  expect(stateOf(stack).outputs).toMatchObject({ secrets: remoteSecrets });
  expect(await stack.diff(declare(remoteSecrets))).toEqual({ changes: false });
  expect(await stack.diff(declare({ A: "a", B: "new" }))).toMatchObject({ changes: true });
  expect(stack.messages).toEqual(["info: new revision: secrets.B"]);
});

it("an adopted Deployment: a rollback restores the server's secrets", async () => {
  await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
  await expect(stack.up(declare({ A: "new", B: "b" }, { ...withImage("2"), rollbackOnFailure: true }))).rejects.toThrow(
    "Rolled back",
  );
  expect(await secretsNow()).toEqual(remoteSecrets);
});
