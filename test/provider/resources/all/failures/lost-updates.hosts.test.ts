/**
 * Updates of which the run does not learn whether the server applied them: the next one compares what was sent with
 * the server, also if the program is reverted, and its preview says so.
 */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { createSample, fetchSample, type SampleKind, sampleKinds } from "../kinds";

/** What an update adds: state has no value of before. */
const ADDED: Record<string, PropertyMap> = {
  Deployment: { secrets: { ADDED: "added" } },
  Assistant: { description: "added", metadata: { added: true } },
  Thread: { metadata: { graph_id: "echo", team: "sales", added: true } },
};

describe.each(["Deployment", "Assistant", "Thread", "Cron", "BulkExportDestination"])(
  "A lost update of a %s",
  (kind) => {
    /** The requests of an update before its PATCH. */
    let skip: number;
    beforeAll(async () => {
      const { platform, stack, changed } = await createSample(sampleKinds[kind] as SampleKind);
      await platform.emulator.requestLog.clear();
      await stack.up({ ...changed, ...ADDED[kind] });
      skip = platform.requests().findIndex((request) => request.startsWith("PATCH"));
    });
    // No server returns credentials, so only another request is certain.
    const isReturned = kind !== "BulkExportDestination";

    it.each([
      ["is undone by a program that is reverted", "reset-after", "declared", 1],
      ["that reached no server changes nothing if the program is reverted", "reset-before", "declared", 0],
      ["is not repeated", "reset-after", "changed", 0],
    ] as const)("%s", async (_what, connection, next, count) => {
      const sample = await createSample(sampleKinds[kind] as SampleKind);
      const { platform, stack, id, declared } = sample;
      const programs = { declared, changed: { ...sample.changed, ...ADDED[kind] } };
      await platform.addFault({ method: "PATCH", connection });
      await platform.addFault({ method: "GET", status: 503, skip, times: 200 });
      await expect(stack.up(programs.changed)).rejects.toThrow("`pulumi up`");
      await platform.emulator.faults.clear();
      await platform.emulator.requestLog.clear();
      stack.messages = [];
      expect(await stack.up(programs[next])).toBe("update");
      if (isReturned && next === "declared")
        expect(stack.messages.join()).toContain("only if the server holds another value");
      expect(platform.requests({ method: "PATCH" })).toHaveLength(isReturned ? count : 1);
      expect([await stack.refresh(), await stack.up(programs[next])]).toEqual(["same", "same"]);
      const { body } = await fetchSample(sample, id);
      if (next === "declared") expect(JSON.stringify(body)).not.toMatch(/"added":true|:"added"/);
    });
  },
);
