/** Sends the requests of a recording to an emulator. */
import { type Exchange, exchange, type RecordedResponse } from "../../../../scripts/record/exchange";
import { STEPS } from "../../../../scripts/record/steps/index";
import type { Recording } from "../../../../test/support/recordings";
import { type Agent, startAgent } from "../agent-server";
import { Bindings, type Difference } from "./compare";
import { KNOWN_DIFFERENCES, type KnownDifference } from "./differences";

export interface Replayed extends Difference {
  /** The name of the exchange. */
  name: string;
  /** Undefined for a defect. */
  known: KnownDifference | undefined;
}

/** Longer than every run of the script. */
const RUN_MS = 5000;
const POLL_MS = 5;

/** Returns where the responses of an emulator differ. */
export async function replay({ server, exchanges }: Recording): Promise<Replayed[]> {
  const agent = await startAgent({
    agentServer: server,
    graphs: { subgraph: "echo" },
    vocabulary: { githost: "github", agentgraph: "langgraph" },
  });
  const bindings = new Bindings();
  const differences: Replayed[] = [];
  for (const { name, request, response } of exchanges) {
    const known = KNOWN_DIFFERENCES.filter(
      (difference) => (difference.server ?? server) === server && (difference.exchanges?.test(name) ?? true),
    );
    const reasonFor = (path: string) => known.find(({ places }) => places.test(path));
    const actual = await send(agent, { name, request }, bindings);
    const found = bindings.compare(response, actual, (path) => reasonFor(path) !== undefined);
    differences.push(
      ...found.map((difference) => ({ name, ...difference, known: reasonAt(difference.path, reasonFor) })),
    );
  }
  return differences;
}

/** Returns the known difference of a place, or of one that contains it. */
function reasonAt(path: string, reasonFor: (path: string) => KnownDifference | undefined) {
  const keys = path.split(".");
  return keys.flatMap((_, index) => reasonFor(keys.slice(0, index + 1).join(".")) ?? [])[0];
}

async function send(
  agent: Agent,
  { name, request }: Pick<Exchange, "name" | "request">,
  bindings: Bindings,
): Promise<RecordedResponse> {
  const { settle, wait = 0, isLong } = STEPS.find((step) => step.name === name) ?? {};
  // Time passes, so that no two objects have the same age.
  await agent.advance(settle === undefined ? Math.max(wait * 1000, 1) : RUN_MS);
  const origin = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}`;
  const response = exchange(origin, bindings.resolve(request));
  const timer = isLong && setInterval(() => void agent.advance(RUN_MS), POLL_MS);
  return response.finally(() => clearInterval(timer || undefined));
}
