/** Lists of objects through the plugin, as `pulumi do … list` asks for them. */
import { status } from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { UNKNOWN } from "../../provider/plan/property-values";
import type { PropertyMap } from "../../provider/schema/schema";
import { createSample, sampleKinds } from "../provider/resources/all/kinds";
import { createThread, startAgents } from "../support/agents/threads";
import { startExport } from "../support/exports/exports";
import { type CallError, fromStruct, type PluginClient, toStruct } from "../support/hosts/plugin-client";
import { startPlatform } from "../support/platform";
import { configuredPlugin } from "./support/configured";

const requestOf = (kind: string, query: PropertyMap = {}) =>
  new messages.ListRequest().setToken(`agentgraph:index:${kind}`).setQuery(toStruct(query));

/** Sends a request. @returns The IDs and names of the objects, and the token of the next page. */
async function list(plugin: PluginClient, request: messages.ListRequest) {
  const responses = await plugin.list(request);
  const items = responses.flatMap((response) => response.getResult()?.toObject() ?? []);
  return { items, next: responses.at(-1)?.getContinuation()?.getContinuationToken() };
}

const failureOf = async (plugin: PluginClient, request: messages.ListRequest) =>
  (await plugin.list(request).catch((error: CallError) => error)) as CallError;

/** What a list shows of the sample of a kind, beside its name and that it is managed. */
const MANAGED = /^.+ \((.+, )?managed by Pulumi\)$/;
const NAMES: Record<string, RegExp> = {
  Deployment: /^agent \(managed by Pulumi\)$/,
  BulkExportDestination: /^traces \(s3\)$/,
  BulkExport: /^project-[0-9a-f]{8}-2026-01-01 \(\w+\)$/,
  ScheduledBulkExport: /^project-[0-9a-f]{8}-every-24h \(\w+\)$/,
  Thread: /^thread-[0-9a-f]{8} \(graph echo, managed by Pulumi\)$/,
  Assistant: /^support \(graph echo, managed by Pulumi\)$/,
  Cron: /^cron-[0-9a-f]{8} \(0 3 \* \* \*, managed by Pulumi\)$/,
};

it.each(Object.entries(sampleKinds))("The plugin lists a %s with an ID by which it is read", async (kind, sample) => {
  const { platform, declared, id } = await createSample(sample);
  const plugin = await configuredPlugin(platform);
  const { deploymentId } = declared;
  const { items, next } = await list(plugin, requestOf(kind, deploymentId === undefined ? {} : { deploymentId }));
  expect(items).toEqual([
    {
      id: deploymentId === undefined ? id : `${deploymentId}/${id}`,
      name: expect.stringMatching(NAMES[kind] ?? MANAGED),
    },
  ]);
  expect(next).toBeUndefined();
  const urn = `urn:pulumi:do::do::agentgraph:index:${kind}::${kind}`;
  const read = await plugin.call("read", new messages.ReadRequest().setId(items[0]?.id ?? "").setUrn(urn));
  expect(read.getId()).toBe(id);
  expect(Object.keys(fromStruct(read.getProperties()))).toEqual(expect.arrayContaining(Object.keys(declared)));
});

it("The plugin lists objects of an agent server by its URL, and only those with the requested metadata", async () => {
  const { agents, id } = await createThread({ metadata: { team: "support" } });
  await agents.callAgentServer("POST", "/threads", { metadata: { team: "sales", title: "Refund" } });
  const plugin = await configuredPlugin(agents);
  const deploymentUrl = `${agents.url}${agents.basePath}`;
  const found = await list(plugin, requestOf("Thread", { deploymentUrl, metadata: { team: "support" } }));
  expect(found.items.map((item) => item.id)).toEqual([`${deploymentUrl}/${id}`]);
  const others = await list(plugin, requestOf("Thread", { deploymentUrl, metadata: { team: "sales" } }));
  expect(others.items.map(({ name }) => name)).toEqual(["Refund"]);
});

it("The plugin lists nothing that cannot be imported: what a schedule created, and default assistants", async () => {
  const { ws, stack } = await startExport("ScheduledBulkExport");
  await stack.up(ws.daily());
  await ws.advance(3_600_000);
  expect((await ws.exports()).length).toBeGreaterThan(1);
  const plugin = await configuredPlugin(ws);
  expect((await list(plugin, requestOf("BulkExport"))).items).toEqual([]);
  expect((await list(plugin, requestOf("ScheduledBulkExport"))).items).toHaveLength(1);

  const agents = await startAgents();
  const agentPlugin = await configuredPlugin(agents);
  expect(await list(agentPlugin, requestOf("Assistant", { deploymentId: agents.deploymentId }))).toEqual({ items: [] });
});

describe("A list of several threads", () => {
  async function startThreads(count: number) {
    const agents = await startAgents();
    for (let number = 0; number < count; number++) {
      const metadata = { title: `thread ${number}` };
      expect(await agents.callAgentServer("POST", "/threads", { metadata })).toMatchObject({ status: 200 });
    }
    const request = () => requestOf("Thread", { deploymentId: agents.deploymentId });
    return { agents, request, plugin: await configuredPlugin(agents) };
  }

  it("ends at the limit of the caller", async () => {
    const { plugin, request } = await startThreads(3);
    const { items, next } = await list(plugin, request().setLimit(2));
    expect([items.length, next]).toEqual([2, undefined]);
  });

  it("comes in pages of the requested size, each object once, up to the limit", async () => {
    const { plugin, request } = await startThreads(5);
    const names: string[] = [];
    const sizes: number[] = [];
    let token: string | undefined = "";
    while (token !== undefined) {
      const page = await list(plugin, request().setPageSize(2).setContinuationToken(token));
      names.push(...page.items.map(({ name }) => name));
      sizes.push(page.items.length);
      token = page.next;
    }
    expect(sizes).toEqual([2, 2, 1]);
    expect(new Set(names).size).toBe(5);
    const last = request().setPageSize(2).setLimit(3).setContinuationToken("2");
    expect(await list(plugin, last)).toMatchObject({ items: [{ name: names[2] }], next: undefined });
  });

  it("requires no request when the query is not known yet", async () => {
    const { agents, plugin } = await startThreads(0);
    await agents.emulator.requestLog.clear();
    const [response, ...rest] = await plugin.list(requestOf("Thread", { deploymentId: UNKNOWN }));
    expect([response?.hasComputed(), rest.length, agents.requests()]).toEqual([true, 0, []]);
  });
});

describe("The error of a list", () => {
  const ABSENT = "11111111-2222-4333-8444-555555555555";

  it.each<[string, string, PropertyMap, string]>([
    ["a server that is not named", "Thread", {}, "specify deploymentId or deploymentUrl."],
    ["a misspelled input", "Assistant", { deploymentID: "a" }, 'deploymentID"; did you mean "deploymentId"?'],
    ["a deployment that is absent", "Thread", { deploymentId: ABSENT }, `No deployment with ID ${ABSENT} exists in`],
  ])("names %s", async (_what, kind, query, message) => {
    const plugin = await configuredPlugin(await startPlatform());
    const { code, details } = await failureOf(plugin, requestOf(kind, query));
    expect(details).toContain(message);
    expect(code).toBe(status.UNKNOWN);
  });

  it("is the usual one for an API key that the server rejects, and contains no key", async () => {
    const platform = await startPlatform({ apiKey: "the-key" });
    const plugin = await configuredPlugin(platform, { apiKey: "another-key" });
    const { details } = await failureOf(plugin, requestOf("Deployment"));
    expect(details).toMatch(/^GET \/v2\/deployments: 403: Invalid API key\n.*agentgraph:apiKey/s);
    expect(details).not.toContain("another-key");
  });

  it("says that the request is invalid for a type that the provider lacks, and a token of another one", async () => {
    const plugin = await configuredPlugin(await startPlatform());
    for (const request of [requestOf("Agent"), requestOf("Deployment").setContinuationToken("x")])
      expect(await failureOf(plugin, request)).toMatchObject({ code: status.INVALID_ARGUMENT });
  });
});
