/** diff as the engine calls it: without an API key and without a server. */
import fc from "fast-check";
import { RunState } from "../../../provider/engine/run/run-state";
import { UNKNOWN } from "../../../provider/plan/property-values";
import type { PropertyMap } from "../../../provider/schema/schema";
import { partiallyUnknownInputs, validInputs } from "../../support/arbitraries/deployment-inputs";
import { dockerDeployment, withImage } from "../../support/deployments/inputs";
import { offlineStack } from "../../support/stack";

const ofStub = (urn: string) => ({ __provider: "stub", __sources: { deploymentUrl: urn } });

describe("diff", () => {
  const outputs = { status: "READY", createdAt: "2026", __schema: 1, __owner: "o" };
  const state = (inputs: PropertyMap): PropertyMap => ({ ...inputs, ...outputs });

  it("of unchanged inputs is empty, whatever the outputs and internal properties are", async () => {
    await fc.assert(
      fc.asyncProperty(validInputs, async (inputs) => {
        const host = offlineStack().host();
        const diff = await host.diff("id", state(inputs), { ...inputs, __urn: "moved", __timeouts: {} });
        expect(diff).toEqual({ changes: false });
      }),
      { numRuns: 50 },
    );
  });

  it("never replaces because of an unknown value", async () => {
    await fc.assert(
      fc.asyncProperty(partiallyUnknownInputs, async ({ knownInputs, inputs }) => {
        const { replaces = [] } = await offlineStack().host().diff("id", state(knownInputs), inputs);
        expect(replaces).toEqual([]);
      }),
    );
  });

  it("shows the impact of a change on the row, and nothing during a refresh", async () => {
    const stack = offlineStack();
    const host = stack.host();
    await host.diff("id", state(dockerDeployment()), { ...dockerDeployment(withImage("2")), __urn: stack.urn });
    expect(stack.messages).toEqual([]);
    await host.check({}, { ...dockerDeployment(withImage("2")), __urn: stack.urn });
    await host.diff("id", state(dockerDeployment()), { ...dockerDeployment(withImage("2")), __urn: stack.urn });
    expect(stack.messages).toEqual(["info: new revision: imageUri 1.0.0 -> 2"]);
  });

  it("shows that replaceOnChanges replaces it, and does not store the option", async () => {
    const stack = offlineStack();
    const host = stack.host();
    const news = { ...dockerDeployment(withImage("2")), __urn: stack.urn };
    const { inputs } = await host.check({}, { ...news, __replaceOnChanges: ["*"] });
    expect(inputs).not.toHaveProperty("__replaceOnChanges");
    // The engine determines the details.
    const difference = await host.diff("id", state(dockerDeployment()), news);
    expect(difference).toEqual({ replaces: ["sourceRevisionConfig"], deleteBeforeReplace: true });
    const line = expect.stringMatching(/^warn: REPLACED.* imageUri 1.0.0 -> 2 \(replaceOnChanges\)/);
    expect(stack.messages).toEqual([line]);
  });

  const [first, second] = [offlineStack(), offlineStack({ kind: "Thread" })];
  it.each<[string, PropertyMap, PropertyMap, string]>([
    ["a deployment that may be replaced", { name: UNKNOWN }, { __provider: "stub" }, "warn: possibly REPLACED"],
    ["a deployment that is updated", withImage("2"), { __provider: "stub" }, "info: changes nothing"],
    ["this deployment, which is updated", withImage("2"), ofStub(first.urn), "info: changes nothing"],
    ["another one than before, which is updated", withImage("2"), ofStub("other"), "warn: possibly REPLACED"],
    ["no native one, whose update keeps it known", withImage("2"), {}, "warn: possibly REPLACED"],
  ])("shows what happens to a thread whose unknown URL is of %s", async (_what, change, facts, expected) => {
    const run = new RunState();
    const [agent, thread] = [first.host({}, run), second.host({}, run)];
    const declared = { ...dockerDeployment(change), __urn: first.urn };
    await agent.check({}, declared);
    await agent.diff("id", { ...state(dockerDeployment()), url: "https://agent.example" }, declared);
    const opened = { deploymentUrl: UNKNOWN, __urn: second.urn, ...facts };
    await thread.check({}, opened);
    await thread.diff("id", { deploymentUrl: "https://agent.example", __schema: 1 }, opened);
    expect(second.messages.at(-1)).toContain(expected);
  });

  it("shows no value of an input that the program marks secret", async () => {
    const stack = offlineStack();
    const host = stack.host();
    const news = { ...dockerDeployment(withImage("2")), __urn: stack.urn };
    await host.check({}, { ...news, __secretInputs: ["sourceRevisionConfig"] });
    await host.diff("id", state(dockerDeployment()), news);
    expect(stack.messages).toEqual(["info: new revision: imageUri"]);
    stack.messages = [];
    const nextHost = stack.host();
    await nextHost.check({}, news);
    await nextHost.diff("id", { ...state(dockerDeployment()), __secretInputs: ["sourceRevisionConfig"] }, news);
    expect(stack.messages).toEqual(["info: new revision: imageUri"]);
  });
});
