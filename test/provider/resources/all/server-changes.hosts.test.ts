/** What only the server changed never replaces an object: it is reported, and state keeps what was applied. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createThread } from "../../../support/agents/threads";
import { REPO_URL, repository } from "../../../support/deployments/inputs";
import { fetchSample, type SampleKind, sampleKinds } from "./kinds";

const OTHER_ID = "99999999-9999-4999-8999-999999999999";

const moved = "https://git.example/moved/agent";
const inDev = repository({ deploymentType: "dev" });

interface Scenario {
  kind: string;
  warning: string;
  /** What the server has now, and what a program declares to accept it. */
  remote: PropertyMap;
  accepting?: PropertyMap;
  /** What the program declares before, beside the inputs of the sample. */
  before?: PropertyMap;
}

const scenarios: Record<string, Scenario> = {
  "Deployment: a tier": {
    ...{ kind: "Deployment", before: inDev, remote: { source_config: { deployment_type: "prod" } } },
    warning: 'sourceConfig.deploymentType: the server has "prod" instead of "dev"',
    accepting: { sourceConfig: { deploymentType: "prod" } },
  },
  "Deployment: a repository": {
    ...{ kind: "Deployment", before: inDev, remote: { source_config: { repo_url: moved } } },
    warning: `sourceConfig.repoUrl: the server has "${moved}" instead of "${REPO_URL}"`,
    accepting: { sourceConfig: { repoUrl: `${moved}.git` } },
  },
  "Deployment: a name": {
    ...{ kind: "Deployment", before: inDev, remote: { name: "agent-2" } },
    warning: 'name: the server has "agent-2" instead of "agent"',
  },
  "ScheduledBulkExport: a compression": {
    ...{ kind: "ScheduledBulkExport", before: { compression: "gzip" }, remote: { compression: "snappy" } },
    warning: 'compression: the server has "snappy" instead of "gzip"',
  },
  "ScheduledBulkExport: a filter": {
    ...{ kind: "ScheduledBulkExport", remote: { filter: "eq(a, 1)" } },
    warning: 'filter: the server has "eq(a, 1)" instead of no value',
  },
  "BulkExportDestination: a prefix": {
    ...{ kind: "BulkExportDestination", remote: { config: { prefix: "elsewhere" } } },
    warning: 'config.prefix: the server has "elsewhere" instead of "agents"',
  },
  "Cron: an assistant": {
    ...{ kind: "Cron", remote: { assistant_id: OTHER_ID }, accepting: { assistantId: OTHER_ID } },
    warning: `assistantId: the server has "${OTHER_ID}" instead of "echo"`,
  },
};

function merged(value: PropertyMap, change: PropertyMap): PropertyMap {
  const parts = Object.entries(change).map(([key, part]) => {
    const isObject = typeof part === "object" && part !== null && !Array.isArray(part);
    return [key, isObject ? merged((value[key] ?? {}) as PropertyMap, part as PropertyMap) : part];
  });
  return { ...value, ...Object.fromEntries(parts) };
}

describe.each(Object.entries(scenarios))("%s that only the server changed", (_what, scenario) => {
  const { kind, warning, remote, accepting = remote, before } = scenario;

  async function changed() {
    const sample = await (sampleKinds[kind] as SampleKind).start();
    const { platform, stack, path } = sample;
    const declared = { ...sample.declared, ...before };
    const { id } = await stack.stateAfter(declared);
    const body = merged((await fetchSample(sample, id)).body as never, remote);
    await platform.addFault({ method: "GET", path: path(id), status: 200, body, times: 9 });
    await platform.emulator.requestLog.clear();
    stack.messages = [];
    expect(await stack.refresh()).toBe("same");
    expect(stack.messages).toEqual([expect.stringContaining(`warn: ${warning}, which no`)]);
    expect(stack.messages[0]).toContain(`pulumi up --replace '${stack.urn}'`);
    stack.messages = [];
    return { platform, stack, declared };
  }

  it("replaces nothing, and each preview reports it", async () => {
    const { platform, stack, declared } = await changed();
    expect(await stack.up(declared)).toBe("same");
    expect(stack.messages).toEqual([expect.stringContaining(`warn: ${warning}`)]);
    expect(platform.requests().filter((request) => !/^GET|search$/.test(request))).toEqual([]);
  });

  it("is stored without a change on the server when the program declares it", async () => {
    const { platform, stack, declared } = await changed();
    const next = merged(declared, accepting);
    expect(await stack.up(next)).toBe("update");
    expect(stack.messages).toEqual([expect.stringContaining("changes nothing on the server")]);
    expect(stack.messages[0]).toContain("the server has it already");
    expect(platform.requests().filter((request) => !/^GET|search$/.test(request))).toEqual([]);
    stack.messages = [];
    expect([await stack.refresh(), await stack.up(next)]).toEqual(["same", "same"]);
    expect(stack.messages).toEqual([]);
  });
});

it("Thread: metadata that others change on a server without PATCH replace nothing", async () => {
  const { agents, stack, id } = await createThread();
  await agents.addFault({ method: "PATCH", path: "/agents/**", status: 405, times: 99 });
  const changed = agents.threadInputs({ metadata: { graph_id: "echo", team: "sales" } });
  await expect(stack.up(changed)).rejects.toThrow("replace");
  const { body } = await agents.callAgentServer("GET", `/threads/${id}`);
  const remote = { ...body, metadata: { ...body.metadata, team: "other" } };
  const path = `${agents.basePath}/threads/${id}`;
  await agents.addFault({ method: "GET", path, status: 200, body: remote, times: 99 });
  stack.messages = [];
  expect(await stack.refresh()).toBe("same");
  expect(stack.messages.join("\n")).toContain('metadata.team: the server has "other" instead of "support"');
  expect((await stack.diff(agents.threadInputs())).replaces ?? []).toEqual([]);
  expect((await stack.diff(changed)).replaces ?? []).toEqual([]);
  expect(agents.requests({ method: "DELETE" })).toEqual([]);
});
