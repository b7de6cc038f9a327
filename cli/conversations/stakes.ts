/** Asks the agent servers of deployments what they keep. Read-only, and bounded in time. */
import type { AgentServerClient } from "../../provider/api/agent-server/client";
import { Clients } from "../../provider/api/clients";
import { realClock } from "../../provider/http/clock";
import { HttpError } from "../../provider/http/errors";
import { ConcurrencyLimiter } from "../../provider/http/limits";
import { noRetry } from "../../provider/http/retry";
import type { Settings } from "../../provider/settings/settings";
import { cleanMessage } from "../../provider/text/clean";
import { UserError } from "../../provider/text/user-error";
import { countAtStake, type Stake } from "./at-stake";

/** For all requests to the server of one deployment. */
const TIMEOUT_MS = 10_000;
/** Servers that are asked at once. */
const MAX_CONCURRENT = 16;
/** For the request by which the control plane names the server. */
const CONTROL_PLANE_TIMEOUT_MS = 5000;

export class Stakes {
  private readonly clients: Clients;
  private readonly hasCredentials: boolean;
  /** The time of each server begins with its first request. */
  private readonly limiter = new ConcurrencyLimiter(MAX_CONCURRENT);

  constructor(
    settings: Settings,
    private readonly secrets: Iterable<string>,
  ) {
    this.clients = new Clients({ ...settings, requestTimeoutMs: CONTROL_PLANE_TIMEOUT_MS }, realClock, noRetry);
    this.hasCredentials = settings.auth !== undefined || Object.keys(settings.agentHeaders).length > 0;
  }

  /** @param find Returns the ID of a deployment. */
  ask(find: (clients: Clients) => string | Promise<string>): Promise<Stake> {
    return this.limiter.run(() => this.askOne(find));
  }

  private async askOne(find: (clients: Clients) => string | Promise<string>): Promise<Stake> {
    const { agentServers } = this.clients;
    try {
      const deploymentId = await find(this.clients);
      const agent = await agentServers.resolve("conversations", { deploymentId });
      return await count(agent, this.hasCredentials ? agentServers.withoutCredentials(agent.url) : undefined);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (!(error instanceof HttpError) || error.status !== undefined)
        return { unknown: cleanMessage(error.message, this.secrets) };
      return { unknown: `the server did not respond${error.code === undefined ? "" : ` (${error.code})`}` };
    }
  }

  close(): Promise<void> {
    return this.clients.close();
  }
}

const count = ({ probe }: AgentServerClient, stranger: AgentServerClient | undefined): Promise<Stake> => {
  const { monotonic: now, sleep } = realClock;
  return countAtStake({ probe, probeWithoutKey: stranger?.probe, now, sleep, deadline: now() + TIMEOUT_MS });
};
