/** A new kind of resource needs nothing in `agentgraph adopt` besides its definition. */
import { discoverResources } from "../../../cli/adopt/adopt-resource";
import { isListedByDefault } from "../../../cli/adopt/discover";
import { typescript } from "../../../cli/adopt/program/typescript";
import { pluralOf } from "../../../cli/adopt/types";
import { adopt } from "../../../cli/commands/adopt";
import { definitions } from "../../../provider/definitions";
import { imageAt, startAgents } from "../../support/agents/threads";
import { createDestination } from "../../support/exports/destinations";
import { tracingSettings } from "../../support/exports/tracing";

const NONE = { includeEnded: false, includeOwned: false, agentUrls: [], threadsOf: [], metadata: {} };

test("the help of adopt --only names every kind", () => {
  const only = adopt.options.find(({ flags }) => flags.startsWith("--only"));
  expect(only?.description).toContain(`: ${definitions.map(pluralOf).join(", ")} (`);
});

test("adopt needs no control plane for what is on the agent servers that --agent-urls names", async () => {
  const agents = await startAgents();
  const url = agents.url + agents.basePath;
  await agents.callAgentServer("POST", "/assistants", { graph_id: "echo", name: "support" });
  await agents.callAgentServer("POST", "/runs/crons", { assistant_id: "echo", schedule: "0 3 * * *", input: {} });
  const filter = { ...NONE, only: ["assistants", "crons"] as const, agentUrls: [url] };
  const { all, notes } = await discoverResources(filter, undefined, {}, typescript);
  expect(notes).toEqual([]);
  expect(all.map(({ kind, inputs }) => [kind, inputs.deploymentUrl])).toEqual([
    ["assistants", url],
    ["crons", url],
  ]);
});

// @covers 10B.credentials
test("adopt skips an agent server whose URL anybody may have written, and names the setting", async () => {
  const [agents, foreign] = [await startAgents(), await startAgents()];
  await agents.emulator.seed({ deployments: [{ name: "own", ...imageAt(`${foreign.url}/agents/one`) }] });
  const settings = { controlPlaneUrl: agents.url, apiKey: "the-key", agentHeaders: '{"x-internal":"token"}' };
  const config = Object.fromEntries(Object.entries(settings).map(([key, value]) => [`agentgraph:${key}`, value]));
  const filter = { ...NONE, only: ["deployments", "assistants", "crons"] as const };
  const { all, notes } = await discoverResources(filter, undefined, config, typescript);
  expect(all.map(({ kind }) => kind)).toEqual(["deployments", "deployments"]);
  for (const kind of ["assistants", "crons"])
    expect(notes.join("\n")).toMatch(
      new RegExp(
        `The ${kind} of deployment own could not be listed.*agentgraph:agentOrigins '\\["${foreign.url}"\\]'`,
        "s",
      ),
    );
  expect(foreign.requests()).toEqual([]);
});

describe("with another kind of the tracing API", () => {
  const destination = definitions.find(({ kind }) => kind === "BulkExportDestination") as (typeof definitions)[number];
  const other = { ...destination.adopt, noun: "lake" };
  beforeEach(() => void definitions.push({ ...destination, adopt: other }));
  afterEach(() => void definitions.pop());

  test("adopt declares its resources, and requests a list once for all kinds in it", async () => {
    const { platform, id } = await createDestination();
    const settings = { controlPlaneUrl: platform.url, apiKey: "the-key", ...tracingSettings(platform) };
    const config = Object.fromEntries(Object.entries(settings).map(([key, value]) => [`agentgraph:${key}`, value]));
    const filter = { ...NONE, only: ["lakes"] };
    const claim = { address: "other.missing", name: "missing", ids: ["99999999-9999-4999-8999-999999999999"] };
    const taken = await discoverResources({ ...NONE, only: definitions.map(pluralOf) }, [claim], config, typescript);
    const nouns = definitions.filter(isListedByDefault).map(({ adopt: { noun } }) => noun);
    expect(taken.notes.join("\n")).toContain(`as a ${nouns.slice(0, -1).join(", ")} or lake: other.missing`);
    await platform.emulator.requestLog.clear();
    const { all } = await discoverResources(filter, undefined, config, typescript);
    expect(all).toMatchObject([{ kind: "lakes", id, title: "traces" }]);
    expect(platform.requests({ method: "GET" }).filter((line) => line.endsWith("/destinations"))).toHaveLength(1);
  });
});
