/** Commands that send no request, for every kind: on another server, and for options of the provider alone. */

import { failureOf } from "../../../support/errors";
import { createSample, sampleKinds } from "../../../support/kinds";
import { stateOf } from "../../../support/stack";

const OTHER = "99999999-9999-4999-8999-999999999999";
const elsewhere = { controlPlaneUrl: "https://another.example", tracingApiUrl: "https://another.example" };

describe.each(Object.entries(sampleKinds))("a %s", (kind, sampleKind) => {
  it.each([
    ["the address of another server", elsewhere, "https://another.example"],
    ["another workspace", { tenantId: OTHER }, OTHER],
  ])("of state is neither compared, read nor changed with %s in the settings", async (_what, settings, named) => {
    const { platform, stack, changed } = await createSample(sampleKind);
    const { id, outputs } = stateOf(stack);
    const inputs = await stack.check(changed);
    await platform.emulator.requestLog.clear();
    for (const act of [
      () => stack.diff(changed, stack.host(settings)),
      () => stack.host(settings).update(id, outputs, inputs),
      () => stack.refresh(stack.host(settings)),
      () => stack.destroy(stack.host(settings)),
    ]) {
      const { message } = await failureOf(act());
      expect(message).toContain(named);
      expect(message).toContain(named === OTHER ? outputs.tenantId : platform.url);
      expect(message).toContain("allowServerChange");
    }
    expect(stateOf(stack)).toMatchObject({ id, outputs });
    expect(platform.requests()).toEqual([]);
  });

  it("whose options of the provider change keeps its outputs", async () => {
    const [option, value] = OPTIONS[kind] ?? ["sensitive", true];
    const { platform, stack, declared } = await createSample(sampleKind);
    const { outputs } = stateOf(stack);
    await platform.emulator.requestLog.clear();
    expect(await stack.up({ ...declared, [option]: value })).toBe("update");
    expect(stack.messages).toContain(`info: changes nothing on the server: ${option}`);
    expect(stateOf(stack).outputs).toEqual({ ...outputs, [option]: value });
    // A deployment is read, because the next wait depends on its revision.
    expect(platform.requests().filter((request) => kind !== "Deployment" || !request.startsWith("GET"))).toEqual([]);
  });
});

const OPTIONS: Record<string, [option: string, value: unknown]> = {
  Deployment: ["waitFor", "none"],
  BulkExport: ["allowDuplicate", true],
  ScheduledBulkExport: ["forget", true],
  BulkExportDestination: ["allowDuplicate", true],
};
