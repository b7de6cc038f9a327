/**
 * The crons with the ownership marker of one resource. There should be one, but nothing prevents a second one: two runs at
 * once create one each, and a proxy may deliver a create twice, or after the next run has looked.
 */
import { type Cron, NoCronsError } from "../../api/agent-server/crons";
import { collectAll } from "../../api/pagination";
import { deriveResourceId, deriveStackId } from "../../objects/identity";
import { searchLeftovers } from "../../objects/messages";
import { CRON } from "./fields";
import { type Attempt, hasTag, isCopy, warnOfLeftovers, warnOfTwins } from "./ownership";
import { NoCronRoutesError, withCronSupport } from "./requests";

/** Crons that this resource created. */
export interface OwnCrons {
  /** With the declared immutable inputs, oldest first. */
  current: Cron[];
  /** With other ones: interrupted runs left them. */
  leftovers: Cron[];
}

/** Returns the crons with the ownership marker of this resource, without copies that others made of them. */
export async function findOwn(attempt: Attempt): Promise<OwnCrons> {
  const id = deriveResourceId(attempt.ctx);
  const metadata = { [CRON.keys.resource]: id };
  return divide(await withCronSupport(() => collectAll(attempt.server.crons.list({ metadata })), attempt), attempt);
}

/** Returns the first page, which is enough for a warning. */
const search = (metadata: Record<string, string>, attempt: Attempt): Promise<Cron[]> =>
  withCronSupport(() => collectAll(attempt.server.crons.list({ metadata }), () => true), attempt);

function divide(crons: readonly Cron[], attempt: Attempt): OwnCrons {
  const id = deriveResourceId(attempt.ctx);
  // A server may ignore the filter.
  const own = crons.filter((cron) => cron.metadata?.[CRON.keys.resource] === id && !isCopy(cron));
  return {
    current: own.filter((cron) => hasTag(cron, attempt)),
    leftovers: own.filter((cron) => !hasTag(cron, attempt)),
  };
}

/** The crons of a stack, by server: the reads of a refresh share one search. */
class CronsOfStack {
  private readonly byServer = new Map<string, Promise<Cron[]>>();

  get(attempt: Attempt): Promise<Cron[]> {
    const { url } = attempt.server;
    const crons = this.byServer.get(url) ?? search({ [CRON.keys.stack]: deriveStackId(attempt.ctx) }, attempt);
    this.byServer.set(url, crons);
    return crons;
  }
}

/** Warns of other crons with the marker, by a search that a refresh makes once for all. A failed one fails nothing. */
export const warnOfOthersOnce = (id: string, attempt: Attempt): Promise<void> =>
  warn(id, `This resource manages cron ${id}.`, attempt, async () =>
    divide(await attempt.ctx.scope.get(CronsOfStack).get(attempt), attempt),
  );

/** The same by a separate search. @param outcome What became of the cron of this resource, as a sentence. */
export const warnOfOthers = (id: string, outcome: string, attempt: Attempt): Promise<void> =>
  warn(id, outcome, attempt, async () =>
    divide(await search({ [CRON.keys.resource]: deriveResourceId(attempt.ctx) }, attempt), attempt),
  );

async function warn(id: string, outcome: string, attempt: Attempt, find: () => Promise<OwnCrons>): Promise<void> {
  if (Object.keys(attempt.tags).length === 0) return;
  const isOther = ({ cronId }: Cron) => cronId !== id && !attempt.ctx.isManaged(cronId);
  const warnOfFound = async () => {
    const { current, leftovers } = await find();
    warnOfTwins(current.filter(isOther), outcome, attempt);
    warnOfLeftovers(leftovers.filter(isOther), attempt);
  };
  await searchLeftovers(CRON, warnOfFound, attempt).catch((error: unknown) => {
    if (!(error instanceof NoCronsError || error instanceof NoCronRoutesError)) throw error;
  });
}
