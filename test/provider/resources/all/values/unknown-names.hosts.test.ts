/**
 * Inputs that name a graph, an assistant, a node or a project which does not exist: the error suggests what is meant.
 */
import { defaultTenantId } from "../../../../../emulator/src";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { cronsOf } from "../../../../support/agents/crons";
import { type AgentPlatform, startAgents, superstep } from "../../../../support/agents/threads";
import { failureOf } from "../../../../support/errors";
import { startWorkspace } from "../../../../support/exports/exports";

const UNKNOWN_ID = "99999999-9999-4999-8999-999999999999";
const CONCIERGE_ID = "11111111-1111-4111-8111-111111111111";

async function startConcierge() {
  const agents = await startAgents();
  const body = { assistant_id: CONCIERGE_ID, graph_id: "echo", name: "concierge" };
  await agents.callAgentServer("POST", "/assistants", body);
  return agents;
}

const cron = (agents: AgentPlatform, assistantId: string) =>
  cronsOf(agents).stack().up(cronsOf(agents).inputs({ assistantId }));
const thread = (agents: AgentPlatform, graph_id: string, node: string) =>
  agents.stack().up(agents.threadInputs({ metadata: { graph_id }, supersteps: [superstep({ messages: [] }, node)] }));
const assistant = ({ stack, deploymentId }: AgentPlatform) =>
  stack({ kind: "Assistant", name: "a" }).up({ deploymentId, graphId: "ecko", name: "a" });

describe("an agent server", () => {
  it.each<[string, (agents: AgentPlatform) => Promise<unknown>, RegExp]>([
    ["a graph for an assistant", assistant, /graphId: .* has no graph "ecko".* Did you mean "echo"\?/],
    ["a graph for a cron", (agents) => cron(agents, "ecko"), /assistantId: .* no graph "ecko"\. Did you mean "echo"\?/],
    [
      "an assistant, by a name that is close to one, for a cron",
      (agents) => cron(agents, "concirge"),
      new RegExp(
        String.raw`assistantId: .* no graph "concirge"\. Did you mean the assistant "concierge"\? Its ID is ` +
          String.raw`11111111-\S+-111111111111\.`,
      ),
    ],
    [
      "an assistant, by an ID that is close to one, for a cron",
      (agents) => cron(agents, CONCIERGE_ID.replace(/1$/, "2")),
      /no assistant 11111111-\S+2\. Did you mean "concierge" \(11111111-1111-4111-8111-111111111111\)\?/,
    ],
    [
      "an assistant, by another ID, for a cron",
      (agents) => cron(agents, UNKNOWN_ID),
      /no assistant 99999999-\S+\. It has "concierge" \(11111111-1111-4111-8111-111111111111\)\./,
    ],
    ["a graph for a thread", (agents) => thread(agents, "ecko", "echo"), /no graph "ecko"\. Did you mean "echo"\?/],
    ["a node for a thread", (agents) => thread(agents, "echo", "ecko"), /no node "ecko"\. Did you mean "echo"\?/],
  ])("that lacks %s leads to an error that suggests the closest one", async (_what, up, expected) => {
    await expect(up(await startConcierge())).rejects.toThrow(expected);
  });

  it("without assistants but the default ones leads to an error with its graphs", async () => {
    await expect(cron(await startAgents(), UNKNOWN_ID)).rejects.toThrow(
      /no assistant 99999999-\S+\. Its graphs are echo, .*agent: name one for its default assistant\./,
    );
  });
});

it("a server in JavaScript that lacks a graph is not said to lack the route", async () => {
  const { message } = await failureOf(thread(await startAgents({ agentServer: "javascript" }), "ecko", "echo"));
  expect(message).toContain('has no graph "ecko". Did you mean "echo"?');
  expect(message).not.toContain("route");
});

describe.each(["BulkExport", "ScheduledBulkExport"] as const)("%s", (kind) => {
  const start = async () => {
    const workspace = await startWorkspace();
    const declare = (change: PropertyMap) =>
      kind === "BulkExport" ? workspace.oneTime(change) : workspace.daily(change);
    const failure = async (change: PropertyMap) => (await failureOf(workspace.stack(kind).up(declare(change)))).message;
    return { workspace, declare, failure };
  };

  // @covers 4C.GET /api/v1/sessions/{session_id}
  it("of a project that does not exist fails with the closest one, by its ID or its name", async () => {
    const { workspace, failure } = await start();
    const { sessionId } = workspace;
    const close = sessionId.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    for (const [named, expected] of [
      [UNKNOWN_ID, `sessionId: project ${UNKNOWN_ID} does not exist in this workspace. It has "agent" (${sessionId}).`],
      [close, `sessionId: project ${close} does not exist in this workspace. Did you mean "agent" (${sessionId})?`],
      ["agnt", `sessionId: project agnt does not exist in this workspace. Did you mean "agent" (${sessionId})?`],
    ] as const) {
      const message = await failure({ sessionId: named });
      for (const text of [expected, "Nothing was created."]) expect(message).toContain(text);
    }
  });

  it("to a destination that does not exist fails with those that do", async () => {
    const { workspace, failure } = await start();
    expect(await failure({ bulkExportDestinationId: UNKNOWN_ID })).toContain(
      `bulkExportDestinationId: destination ${UNKNOWN_ID} does not exist in this workspace. It has "`,
    );
    expect(await failure({ bulkExportDestinationId: UNKNOWN_ID })).toContain(`(${workspace.destinationId}).`);
  });

  it("of a project that the API does not show fails in the words of the server alone", async () => {
    const { workspace, failure } = await start();
    await workspace.addFault({ method: "GET", path: "/api/v1/sessions*", status: 403, times: 9 });
    expect(await failure({ sessionId: UNKNOWN_ID })).toMatch(/404: Session \S+ not found\n {2}request ID/);
  });
});

it("an export moves to a project that only the end of a long list shows", async () => {
  const workspace = await startWorkspace();
  for (let number = 0; number <= 500; number++)
    await workspace.emulator.loadRuns({ tenant_id: defaultTenantId, project: `project-${number}` }, []);
  const listed = await workspace.callTracingApi("GET", "sessions?limit=2&offset=500");
  const [{ id: sessionId }] = listed.body as unknown as [{ id: string }];
  await workspace.addFault({ method: "GET", path: "/api/v1/sessions/*", status: 404, times: 99 });
  const stack = workspace.stack("BulkExport");
  await stack.up(workspace.oneTime());
  expect(await stack.up(workspace.oneTime({ sessionId }))).toBe("replace");
});
