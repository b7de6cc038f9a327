/** diff as the engine calls it: without an API key and without a server. */
import fc from "fast-check";
import { RunState } from "../../../provider/engine/run/run-state";
import { UNKNOWN } from "../../../provider/plan/property-values";
import type { PropertyMap } from "../../../provider/schema/schema";
import { partiallyUnknownInputs, validInputs } from "../../support/arbitraries/deployment-inputs";
import { dockerDeployment, withImage } from "../../support/deployments/inputs";
import { offlineStack } from "../../support/stack";

describe("diff", () => {
  const state = (inputs: PropertyMap): PropertyMap => ({
    ...inputs,
    status: "READY",
    createdAt: "2026",
    __schema: 1,
    __owner: "o",
  });

  it("of unchanged inputs is empty, whatever the outputs and internal properties are", async () => {
    await fc.assert(
      fc.asyncProperty(validInputs, async (inputs) => {
        const diff = await offlineStack()
          .host()
          .diff("id", state(inputs), { ...inputs, __urn: "moved", __timeouts: {} });
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
    expect(stack.messages).toEqual([
      expect.stringMatching(/^warn: REPLACED.* imageUri 1.0.0 -> 2 \(replaceOnChanges\)/),
    ]);
  });

  it("expects nothing of the outputs of a deployment that it may replace", async () => {
    const run = new RunState();
    const url = "https://agent.example";
    const [agent, thread] = [offlineStack(), offlineStack({ kind: "Thread" })];
    await agent.host({}, run).diff("id", { ...state(dockerDeployment()), url }, dockerDeployment({ name: UNKNOWN }));
    await thread.host({}, run).diff("id", { deploymentUrl: url, __schema: 1 }, { deploymentUrl: UNKNOWN });
    expect(thread.messages).toEqual([
      "warn: possibly REPLACED, its history is lost: deploymentUrl (if it is another server)",
    ]);
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
