/** Sends the requests of a recording to an emulator. */
import { exchange, type RecordedResponse, type Step } from "../../../../scripts/record/exchange";
import type { Recording } from "../../../../test/support/agent-servers/recordings";
import { type Agent, startAgent } from "../agent-server";
import { Bindings, type Difference } from "./compare";
import { KNOWN_DIFFERENCES, type KnownDifference } from "./differences";

export interface Replayed extends Difference<KnownDifference> {
  /** The name of the exchange. */
  name: string;
}

/** Longer than every run of the script. */
const RUN_MS = 5000;
const POLL_MS = 5;

/** Returns where the responses of an emulator differ. */
export async function replay({ server, exchanges }: Recording): Promise<Replayed[]> {
  const options = { agentServer: server, graphs: { subgraph: "echo" } } as const;
  const agents = {
    anonymous: await startAgent({ ...options, vocabulary: { githost: "github", agentgraph: "langgraph" } }),
    authenticated: await startAgent({ ...options, agentAuth: "custom" }),
  };
  const bindings = new Bindings();
  const differences: Replayed[] = [];
  for (const { response, ...step } of exchanges) {
    const { name, authenticated = false } = step;
    const known = KNOWN_DIFFERENCES.filter(
      (difference) => (difference.server ?? server) === server && concerns(difference, name),
    );
    const reasonFor = (path: string, recorded: unknown) =>
      known.find(
        ({ places, isAbsent = false, isText = false }) =>
          places.test(path) &&
          (!isAbsent || recorded == null) &&
          (!isText || path !== "body" || typeof recorded === "string"),
      );
    const actual = await send(authenticated ? agents.authenticated : agents.anonymous, step, bindings);
    differences.push(...bindings.compare(response, actual, reasonFor).map((difference) => ({ name, ...difference })));
  }
  return differences;
}

const concerns = ({ exchanges }: KnownDifference, name: string) =>
  exchanges === undefined || (Array.isArray(exchanges) ? exchanges.includes(name) : (exchanges as RegExp).test(name));

async function send(agent: Agent, step: Step, bindings: Bindings): Promise<RecordedResponse> {
  const { settle, wait = 0, until, request } = step;
  // Time passes, so that no two objects have the same age.
  await agent.advance(settle === undefined ? Math.max(wait * 1000, 1) : RUN_MS);
  const origin = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}`;
  const response = exchange(origin, bindings.resolve(request), until);
  // These respond when a run has ended.
  const timer =
    /\/(wait|join|stream)$|^\/a2a\//.test(request.path) && setInterval(() => void agent.advance(RUN_MS), POLL_MS);
  return response.finally(() => clearInterval(timer || undefined));
}
