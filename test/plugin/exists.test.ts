/**
 * Reads with which newer engines find out whether an object exists, for `existsResource` of a program. They use a
 * made-up name, and only an empty response says that it does not exist.
 */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { createSample, sampleKinds } from "../provider/resources/all/kinds";
import { createThread } from "../support/agents/threads";
import { type CallError, fromStruct, type PluginClient } from "../support/hosts/plugin-client";
import { startPlatform } from "../support/platform";
import { configuredPlugin } from "./support/configured";

const ABSENT = "11111111-2222-4333-8444-555555555555";

function read(plugin: PluginClient, kind: string, id: string, name = "__exists__1"): Promise<messages.ReadResponse> {
  const urn = `urn:pulumi:dev::shop::agentgraph:index:${kind}::${name}`;
  return plugin.call("read", new messages.ReadRequest().setId(id).setUrn(urn));
}

const failureOf = async (...args: Parameters<typeof read>) =>
  (await read(...args).catch((error: CallError) => error)) as CallError;

describe.each(Object.entries(sampleKinds))("Whether a %s exists", (kind, sampleKind) => {
  it("is answered with its properties, or with an empty response, also for an ID that is no UUID", async () => {
    const { platform, declared, id } = await createSample(sampleKind);
    const plugin = await configuredPlugin(platform);
    const wholeId = (own: string) => (declared.deploymentId === undefined ? own : `${declared.deploymentId}/${own}`);
    const existing = await read(plugin, kind, wholeId(id));
    expect(existing.getId()).toBe(id);
    expect(Object.keys(fromStruct(existing.getProperties()))).not.toEqual([]);
    for (const own of [ABSENT, "support-agent"]) {
      const missing = await read(plugin, kind, wholeId(own));
      expect([missing.getId(), missing.hasProperties(), missing.hasInputs()]).toEqual(["", false, false]);
      expect(await failureOf(plugin, kind, wholeId(own), "agent")).toMatchObject({
        details: expect.stringContaining(own),
      });
    }
  });
});

it.each([ABSENT, "support-agent"])(
  "What is in a deployment that does not exist, such as %s, does not exist",
  async (deploymentId) => {
    const plugin = await configuredPlugin(await startPlatform());
    for (const kind of ["Thread", "Assistant", "Cron"])
      expect((await read(plugin, kind, `${deploymentId}/${ABSENT}`)).getId()).toBe("");
  },
);

describe("Whether an object exists remains an error", () => {
  it("when the server rejects the API key", async () => {
    const plugin = await configuredPlugin(await startPlatform({ apiKey: "the-key" }));
    const { details } = await failureOf(plugin, "Deployment", "support-agent");
    expect(details).toMatch(/^Deployment "__exists__1": read failed: .*403/);
  });

  it("when the ID does not name the deployment of what is in one", async () => {
    const { agents, id } = await createThread();
    const { details } = await failureOf(await configuredPlugin(agents), "Thread", id);
    expect(details).toContain("an ID alone is not enough");
  });
});
