/** Runs a check of `Deployment.verify` against a server. */
import type { AgentServerClient } from "../../../provider/api/agent-server/client";
import type { Deployment } from "../../../provider/api/control-plane/client";
import type { Definition } from "../../../provider/definition/definition";
import { definitions } from "../../../provider/definitions";
import { OutgoingText } from "../../../provider/engine/host/log";
import { RunState } from "../../../provider/engine/run/run-state";
import { ProviderSession } from "../../../provider/engine/session";
import type { Clock } from "../../../provider/http/clock";
import type { Check } from "../../../provider/resources/deployment/schema/verify";
import { runCheck } from "../../../provider/resources/deployment/verify/run-check";

export const LABEL = "check 1 of 1";
const URN = "urn:pulumi:test::test::agentgraph:index:Deployment::agent";
const live = { id: "d-1", activeRevisionId: "r-2", url: "https://agent.example" } as Deployment;

interface Checked {
  agent: AgentServerClient;
  clock: Clock;
  /** What the program marks as secret, by path. */
  secrets?: Record<string, string>;
  /** What the run has seen before. */
  run?: RunState;
}

/** Runs a check as an update of a deployment does. Returns why it failed, and what its row showed. */
export async function check(declared: Check, { agent, clock, secrets = {}, run = new RunState() }: Checked) {
  const rows: string[] = [];
  const report = new OutgoingText({ show: (_kind, _urn, text) => void rows.push(text), flush: async () => {} });
  report.protect(URN, Object.values(secrets));
  const session = new ProviderSession(
    (key) => ({ "agentgraph:controlPlaneUrl": "https://plane.example", "agentgraph:apiKey": "the-key" })[key],
    definitions.find(({ kind }) => kind === "Deployment") as Definition,
    { clock, report, run },
  );
  const facts = { urn: URN, secretInputs: Object.keys(secrets) };
  const ctx = session.context("update", { properties: {}, facts });
  const mismatch = await runCheck(declared, { live, server: agent, label: LABEL, ctx });
  return { mismatch, rows };
}
