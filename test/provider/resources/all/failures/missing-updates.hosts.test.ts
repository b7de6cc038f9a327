/**
 * Servers that lack the route by which an object of a kind is changed: the change is an error that touches nothing and
 * offers `--replace`, previews say so from then on, and nothing is replaced that the user did not ask for.
 */
import { failureOf } from "../../../../support/errors";
import { stateOf } from "../../../../support/stack";
import { createSample, type Sample, type SampleKind, sampleKinds } from "../kinds";

/** The feature that the server lacks, and what the error says that a replacement loses. */
const KINDS: Record<string, [feature: string, loses: string]> = {
  Thread: ["threads-patch", ", which loses its history"],
  Assistant: ["assistants-patch", ""],
  Cron: ["crons-patch", ""],
  BulkExportDestination: ["destinations-patch", ""],
  Deployment: ["deployments-patch", ", which loses its database and threads"],
};

describe.each(Object.entries(KINDS))("a change of a %s on a server without the route", (kind, [feature, loses]) => {
  const create = () => createSample(sampleKinds[kind] as SampleKind);
  const lack = async ({ platform, path }: Sample, fault = {}) =>
    platform.addFault({
      ...{ method: "PATCH", path: path("*"), status: 404, body: { detail: "Not Found" }, times: 10_000, ...fault },
    });
  const writes = ({ platform }: Sample) =>
    platform.requests().filter((request) => /^(POST|DELETE|PUT) /.test(request) && !request.endsWith("/search"));

  it("is an error that changes nothing, and the next preview says so", async () => {
    const sample = await create();
    const { stack, declared, changed, platform, id } = sample;
    await lack(sample);
    const { outputs } = stateOf(stack);
    await platform.emulator.requestLog.clear();
    for (const _run of ["first", "second"]) {
      stack.messages = [];
      const { message } = await failureOf(stack.up(changed));
      expect(message).toContain("No changes were made.");
      if (kind === "BulkExportDestination") expect(message).toContain("cannot rotate credentials");
      expect(message).toContain(`${loses}, run:  pulumi up --replace '${stack.urn}'`);
      expect(stateOf(stack)).toMatchObject({ id, outputs: { __routes: [feature] } });
      expect(stateOf(stack).outputs).toEqual({ ...outputs, __routes: [feature], __unready: true });
      expect(await stack.refresh()).toBe("same");
      expect(writes(sample)).toEqual([]);
    }
    stack.messages = [];
    expect((await stack.diff(changed)).replaces ?? []).toEqual([]);
    expect(stack.messages).toContainEqual(
      expect.stringMatching(new RegExp(`^warn: .*fails, .*${loses}, run: {2}pulumi up --replace '`)),
    );
    stack.messages = [];
    expect(await stack.up(declared)).toBe("update");
    expect(stateOf(stack)).toMatchObject({ id, failed: false });
    expect(stack.messages.join()).not.toContain("--replace");
  });

  it("is made although a proxy returns 404 once, which does not count", async () => {
    const sample = await create();
    const { stack, changed, id } = sample;
    await lack(sample, { body: "<h1>nginx</h1>", times: 1 });
    expect(await stack.up(changed)).toBe("update");
    expect(stateOf(stack)).toMatchObject({ id, failed: false });
    expect(stateOf(stack).outputs).not.toHaveProperty("__routes");
    expect(await stack.refresh()).toBe("same");
  });

  it("is made as soon as the server has the route, and forgotten", async () => {
    const sample = await create();
    const { stack, changed, platform, id } = sample;
    await lack(sample, { status: 405 });
    await expect(stack.up(changed)).rejects.toThrow("--replace");
    await platform.emulator.faults.clear();
    expect(await stack.up(changed)).toBe("update");
    expect(stateOf(stack)).toMatchObject({ id, failed: false });
    expect(stateOf(stack).outputs).not.toHaveProperty("__routes");
    expect(await stack.up(changed)).toBe("same");
  });

  it("is made by a replacement that the user asks for", async () => {
    const sample = await create();
    const { stack, changed } = sample;
    await lack(sample, { status: 405 });
    await expect(stack.up(changed)).rejects.toThrow("--replace");
    await stack.replace(changed);
    expect(stateOf(stack).failed).toBe(false);
    expect(await stack.up(changed)).toBe("same");
  });
});
