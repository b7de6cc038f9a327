/**
 * What the engine calls -> the same, with every error and every failed check made fit to leave: the resource and the
 * operation come first, then what is known of the cause, without secrets; a cause that many resources meet is explained once.
 */
import type { Definition } from "../definition/definition";
import { HttpError } from "../http/errors";
import { InitError, splitInternal } from "../plan/property-values";
import { secretValues } from "../plan/secrets";
import type { PropertyMap } from "../schema/schema";
import { SettingsError } from "../settings/settings";
import { withMessage } from "../text/clean";
import { UserError } from "../text/user-error";
import type { OutgoingText } from "./outgoing-text";
import type { RunMemory } from "./run-memory";

/** The handlers, as far as they matter here. */
interface Handlers {
  configure(request: never): Promise<void>;
  check(olds: PropertyMap, news: PropertyMap): Promise<{ failures?: { property: string; reason: string }[] }>;
  diff(id: string, olds: PropertyMap, news: PropertyMap): Promise<unknown>;
  create(inputs: PropertyMap): Promise<unknown>;
  read(id: string, props: PropertyMap): Promise<unknown>;
  update(id: string, olds: PropertyMap, news: PropertyMap): Promise<unknown>;
  delete(id: string, props: PropertyMap): Promise<void>;
}

export interface Exit {
  definition: Definition;
  outgoing: OutgoingText;
  memory: RunMemory;
}

/** What an operation is called in the error of a request that failed. */
type Verb = "check" | "diff" | "create" | "refresh" | "update" | "delete";

interface Call {
  verb: Verb;
  id?: string;
  /** State and inputs that came with the call; the last of them says which resource it is. */
  bags: readonly PropertyMap[];
}

export function guarded<H extends Handlers>(inner: H, exit: Exit): H {
  const { definition, outgoing } = exit;
  const run = async <T>(call: Call, work: (owner: string) => Promise<T>): Promise<T> => {
    const bags = call.bags.map(splitInternal);
    const urn = bags.at(-1)?.internal.__urn ?? "";
    // What an import by file made knows no URN.
    const owner = urn || (call.id ?? "");
    outgoing.protect(
      owner,
      bags.flatMap((bag) => secretValues(definition, bag)),
    );
    try {
      return await work(owner);
    } catch (error) {
      throw leaving(error, owner, call, exit);
    }
  };
  const handlers: Handlers = {
    configure: inner.configure,
    check: (olds, news) =>
      run({ verb: "check", bags: [olds, news] }, async (owner) => {
        const result = await inner.check(olds, news);
        const failures = result.failures?.map(({ property, reason }) => ({
          property,
          reason: outgoing.clean(owner, reason),
        }));
        return { ...result, ...(failures && { failures }) };
      }),
    diff: (id, olds, news) => run({ verb: "diff", id, bags: [olds, news] }, () => inner.diff(id, olds, news)),
    create: (inputs) => run({ verb: "create", bags: [inputs] }, () => inner.create(inputs)),
    read: (id, props = {}) => run({ verb: "refresh", id, bags: [props] }, () => inner.read(id, props)),
    update: (id, olds, news) => run({ verb: "update", id, bags: [olds, news] }, () => inner.update(id, olds, news)),
    delete: (id, props) => run({ verb: "delete", id, bags: [props] }, () => inner.delete(id, props)),
  };
  return handlers as H;
}

/** The same error, as it may leave. Those of the settings are shared by all calls, so none is changed in its place. */
function leaving(thrown: unknown, owner: string, call: Call, { definition, outgoing, memory }: Exit): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const isOurs = thrown instanceof UserError || thrown instanceof InitError;
  // A name may hold the separator of URNs.
  const name = owner.split("::").slice(3).join("::") || owner;
  const text = isOurs ? describe(thrown, name, call.verb, definition, memory) : thrown.message;
  const error = withMessage(thrown, text, (message) => outgoing.clean(owner, message));
  return error instanceof InitError ? Object.assign(error, { reasons: [error.message] }) : error;
}

function describe(
  error: UserError | InitError,
  name: string,
  verb: Verb,
  { kind }: Definition,
  memory: RunMemory,
): string {
  const resource = `${kind} "${name}"`;
  const cause = error instanceof InitError ? error.cause : error;
  const shared =
    cause instanceof HttpError ? cause.sharedCause : cause instanceof SettingsError ? cause.message : undefined;
  const reporter = shared === undefined ? undefined : memory.reporterOf(shared, resource);
  const [first = ""] = error.message.split("\n", 1);
  const text = reporter === undefined ? error.message : `${first} (details: ${reporter})`;
  if (cause instanceof HttpError) return `${resource}: ${verb} failed: ${text}`;
  // Some say by themselves what they are about.
  return first.startsWith(`${kind} "`) || first.includes(`"${name}"`) ? text : `${resource}: ${text}`;
}
