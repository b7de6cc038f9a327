/** Crons whose assistant or graph is missing: an agent server says so only in its log. */
import { checkCrons } from "../../../cli/doctor/crons";
import { numberedId, startAgentClient } from "../../support/servers/agent-client";
import { json } from "../../support/servers/server";

const notFound = json(404, { detail: "Assistant not found" });
const cron = (n: number) => ({ cron_id: numberedId(n), assistant_id: numberedId(10 + n), enabled: true });
const assistant = (n: number) => ({ assistant_id: numberedId(10 + n), graph_id: "support", metadata: {} });
const byDefault = { assistant_id: numberedId(99), graph_id: "echo", metadata: { created_by: "system" } };
const named = (n: number) => ({ name: `cron-${n}`, id: numberedId(n) });

// @covers 4B.GET /assistants/{assistant_id}
it("of many crons, those whose graph is missing are notes, after one request for each graph", async () => {
  const { agent, requests } = await startAgentClient(
    json(200, [cron(1), cron(2), cron(3)]),
    json(200, [assistant(1), assistant(2), assistant(3)]),
    notFound,
  );
  const checks = await checkCrons([1, 2, 3].map(named), agent);
  expect(checks.map(({ message }) => message)).toEqual(
    [1, 2, 3].map((n) => `cron cron-${n} makes runs that fail: the server lacks the graph support`),
  );
  expect(requests()).toEqual([
    ...["POST /runs/crons/search", "POST /assistants/search"],
    `GET /assistants/${numberedId(11)}`,
  ]);
});

it.each([
  [
    [byDefault],
    [
      "cron cron-1 makes runs that fail: its assistant 00000000-0000-4000-8000-000000000011 does not exist, or its graph is missing",
    ],
  ],
  [[], ["1 cron of this stack is in order"]],
])(
  "an assistant that is not found is a note if the server shows default assistants (%j), which custom authentication hides",
  async (listed, expected) => {
    const { agent } = await startAgentClient(json(200, cron(1)), notFound, json(200, listed), json(200, []));
    const checks = await checkCrons([named(1)], agent);
    expect(checks.map(({ message }) => message)).toEqual(expected);
  },
);
