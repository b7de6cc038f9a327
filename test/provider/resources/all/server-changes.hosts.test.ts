/** What only the server changed never replaces an object: it is reported, and state keeps what was applied. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createCron } from "../../../support/crons";
import { createDeployment } from "../../../support/deployments/create";
import { createDestination, destination } from "../../../support/destinations";
import { startWorkspace } from "../../../support/exports";
import type { Platform } from "../../../support/platform";
import { type Stack, stateOf } from "../../../support/stack";
import { createThread } from "../../../support/threads";

const OTHER_ID = "99999999-9999-4999-8999-999999999999";

interface Changed {
  platform: Platform;
  stack: Stack;
  declared: PropertyMap;
  /** The path of the object on the server. */
  path: string;
}

const githost = (sourceConfig: PropertyMap = {}): PropertyMap => ({
  ...{ source: "githost", name: "agent" },
  sourceConfig: { repoUrl: "https://git.example/team/agent", deploymentType: "dev", ...sourceConfig },
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
});

async function startGithost(): Promise<Changed> {
  const { platform, stack } = await createDeployment(githost());
  return { platform, stack, declared: githost(), path: `/v2/deployments/${stateOf(stack).id}` };
}

async function startExport(): Promise<Changed> {
  const workspace = await startWorkspace();
  const stack = workspace.stack("ScheduledBulkExport");
  const declared = workspace.daily({ compression: "gzip" });
  await stack.up(declared);
  return { platform: workspace, stack, declared, path: `/api/v1/bulk-exports/${stateOf(stack).id}` };
}

const scenarios: [string, string, PropertyMap, PropertyMap, () => Promise<Changed>][] = [
  [
    "Deployment: a tier",
    'sourceConfig.deploymentType: the server has "prod" instead of "dev"',
    { source_config: { deployment_type: "prod" } },
    githost({ deploymentType: "prod" }),
    startGithost,
  ],
  [
    "Deployment: a repository",
    'sourceConfig.repoUrl: the server has "https://git.example/moved/agent" instead of "https://git.example/team/agent"',
    { source_config: { repo_url: "https://git.example/moved/agent" } },
    githost({ repoUrl: "https://git.example/moved/agent.git" }),
    startGithost,
  ],
  [
    "Deployment: a name",
    'name: the server has "agent-2" instead of "agent"',
    { name: "agent-2" },
    { ...githost(), name: "agent-2" },
    startGithost,
  ],
  [
    "ScheduledBulkExport: a compression",
    'compression: the server has "snappy" instead of "gzip"',
    { compression: "snappy" },
    { compression: "snappy" },
    startExport,
  ],
  [
    "ScheduledBulkExport: a filter",
    'filter: the server has "eq(a, 1)" instead of no value',
    { filter: "eq(a, 1)" },
    { filter: "eq(a, 1)" },
    startExport,
  ],
  [
    "BulkExportDestination: a prefix",
    'config.prefix: the server has "elsewhere" instead of "agents"',
    { config: { prefix: "elsewhere" } },
    { config: { prefix: "elsewhere" } },
    async () => {
      const { platform, stack, id } = await createDestination();
      return { platform, stack, declared: destination(platform), path: `/api/v1/bulk-exports/destinations/${id}` };
    },
  ],
  [
    "Cron: an assistant",
    `assistantId: the server has "${OTHER_ID}" instead of "echo"`,
    { assistant_id: OTHER_ID },
    { assistantId: OTHER_ID },
    async () => {
      const { agents, crons, stack, id } = await createCron();
      return { platform: agents, stack, declared: crons.inputs(), path: `${agents.basePath}/runs/crons/${id}` };
    },
  ],
];

const headers = { "x-api-key": "somebody-else", "x-tenant-id": "11111111-1111-4111-8111-111111111111" };

function merged(value: PropertyMap, change: PropertyMap): PropertyMap {
  const parts = Object.entries(change).map(([key, part]) => {
    const isObject = typeof part === "object" && part !== null && !Array.isArray(part);
    return [key, isObject ? merged((value[key] ?? {}) as PropertyMap, part as PropertyMap) : part];
  });
  return { ...value, ...Object.fromEntries(parts) };
}

describe.each(scenarios)("%s that only the server changed", (_what, warning, change, accepting, start) => {
  async function changed() {
    const { platform, stack, declared, path } = await start();
    const { body } = await platform.call("GET", path, undefined, headers);
    await platform.emulator.faults.add({
      method: "GET",
      path,
      status: 200,
      body: merged(body as never, change),
      times: 9,
    });
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
  await agents.emulator.faults.add({ method: "PATCH", path: "/agents/**", status: 405, times: 99 });
  const changed = agents.threadInputs({ metadata: { graph_id: "echo", team: "sales" } });
  await expect(stack.up(changed)).rejects.toThrow("replace");
  const { body } = await agents.callAgentServer("GET", `/threads/${id}`);
  const remote = { ...body, metadata: { ...body.metadata, team: "other" } };
  await agents.emulator.faults.add({
    method: "GET",
    path: `${agents.basePath}/threads/${id}`,
    status: 200,
    body: remote,
    times: 99,
  });
  stack.messages = [];
  expect(await stack.refresh()).toBe("same");
  expect(stack.messages.join("\n")).toContain('metadata.team: the server has "other" instead of "support"');
  expect((await stack.diff(agents.threadInputs())).replaces ?? []).toEqual([]);
  expect((await stack.diff(changed)).replaces ?? []).toEqual([]);
  expect(agents.requests({ method: "DELETE" })).toEqual([]);
});
