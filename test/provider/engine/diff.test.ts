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

  it("leaves the details to the engine, so that replaceOnChanges works", async () => {
    const diff = await offlineStack()
      .host()
      .diff("id", state(dockerDeployment()), dockerDeployment(withImage("2")));
    expect(diff.changes).toBeUndefined();
    expect(diff).not.toHaveProperty("detailedDiff");
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

  it.each([
    [["sourceRevisionConfig.imageUri"], ["sourceRevisionConfig"]],
    [["*"], ["sourceRevisionConfig"]],
    [['["sourceRevisionConfig"]["imageUri"]'], ["sourceRevisionConfig"]],
    [["waitFor", "sourceRevisionConfig.other"], []],
  ])("shows that replaceOnChanges %j replaces it, and what is lost", async (paths, replaces) => {
    const stack = offlineStack();
    const host = stack.host();
    const news = { ...dockerDeployment(withImage("2")), __urn: stack.urn };
    const { inputs } = await host.check({}, { ...news, __replaceOnChanges: paths });
    expect(inputs).not.toHaveProperty("__replaceOnChanges");
    expect(await host.diff("id", state(dockerDeployment()), news)).toMatchObject({
      replaces,
      deleteBeforeReplace: true,
    });
    expect(stack.messages).toEqual([
      replaces.length > 0
        ? "warn: REPLACED, its database and threads are lost: imageUri 1.0.0 -> 2 (replaceOnChanges); " +
          "keepConversations would move them"
        : "info: new revision: imageUri 1.0.0 -> 2",
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
