/** Which keys of metadata and of settings are those of the server, as published servers showed. */
import { REMOVED_KEYS } from "../../../../provider/api/agent-server/threads";
import { isRemovedSetting, withServerKeys } from "../../../../provider/objects/metadata/server-keys";
import { isPropertyMap, type PropertyMap, valueAt } from "../../../../provider/schema/schema";
import { readRecordings } from "../../../support/agent-servers/recordings";

const exchanges = readRecordings().flatMap((recording) => recording.exchanges);
const vocabulary = { githost: "githost", agentgraph: "agentgraph" };

/** Returns the keys that recorded requests have at one of these places, by whether the response lacks them. */
function keysAt(...places: string[]): { removed: Set<string>; kept: Set<string> } {
  const keys = exchanges.flatMap(({ request, response }) => {
    if (!/POST|PATCH/.test(request.method) || !/threads|assistants|crons/.test(request.path)) return [];
    // The response may be what existed before.
    if (valueAt(request.body as PropertyMap, "if_exists") !== undefined) return [];
    return places.flatMap((place) => {
      const [sent, returned] = [request.body, response.body].map((body) => valueAt(body as PropertyMap, place));
      const stored = returned ?? valueAt(response.body as PropertyMap, `payload.${place}`);
      if (!isPropertyMap(sent) || !isPropertyMap(stored)) return [];
      return Object.keys(sent).map((key) => ({ key, isRemoved: !(key in stored) && !key.includes("\0") }));
    });
  });
  const where = (isRemoved: boolean) =>
    new Set(keys.filter((entry) => entry.isRemoved === isRemoved).map(({ key }) => key));
  return { removed: where(true), kept: where(false) };
}

// @covers 2B.Assistant.metadata:reserved, 2B.Thread.metadata:reserved, 2B.Cron.request:reserved
test("The metadata keys that count as removed are those that a published server removed", () => {
  expect(keysAt("metadata", "config.metadata").removed).toEqual(REMOVED_KEYS);
});

// @covers 2B.Assistant.mirrors:reserved, 2B.Cron.request:reserved
test("The settings that count as removed are those that a published server removed", () => {
  const { removed, kept } = keysAt("context", "config.configurable");
  expect(removed.size).toBeGreaterThan(10);
  expect([...removed].filter((key) => !isRemovedSetting(key, { vocabulary } as never))).toEqual([]);
  const keptByAll = [...kept].filter((key) => !removed.has(key));
  expect(keptByAll).toContain("__kept");
  expect(keptByAll.filter((key) => isRemovedSetting(key, { vocabulary } as never))).toEqual([]);
});

// @covers 2B.graph_id, 2B.assistant_id
test("What a run wrote over the declared metadata of a thread on a published server does not differ", () => {
  const metadataOf = (name: string, part: "request" | "response") =>
    exchanges
      .filter((exchange) => exchange.name === name)
      .map((exchange) => valueAt(exchange[part].body as PropertyMap, "metadata") as PropertyMap);
  const declared = metadataOf("run-over-metadata", "request");
  const remote = metadataOf("run-over-metadata-read", "response");
  expect(remote).toHaveLength(2);
  for (const [index, metadata] of remote.entries()) {
    expect(metadata).not.toMatchObject(declared[index] as PropertyMap);
    expect(withServerKeys(declared[index], metadata)).toEqual(declared[index]);
  }
});

test("A graph that someone else gave to a thread without a run is a difference", () => {
  expect(withServerKeys({ graph_id: "echo" }, { graph_id: "other" })).toEqual({ graph_id: "other" });
});
