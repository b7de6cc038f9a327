/**
 * Wraps handlers so that every error and every failed check is ready for display: it begins with the resource and the
 * operation, contains no secrets, and explains a cause that many resources share only once.
 */
import type { Definition } from "../definition/definition";
import { parseUrn } from "../definition/type-token";
import { HttpError } from "../http/errors";
import type { ResourceData } from "../plan/facts";
import { InitError, secretValues } from "../plan/property-values";
import { SettingsError } from "../settings/settings";
import { withMessage } from "../text/clean";
import { UserError } from "../text/user-error";
import type { Handlers } from "./handlers";
import type { OutgoingText } from "./host/log";
import type { RunState } from "./run/run-state";

export interface ErrorBoundary {
  definition: Definition;
  outgoing: OutgoingText;
  run: RunState;
}

/** The name of an operation in errors of failed requests. */
type OperationName = "check" | "diff" | "create" | "read" | "refresh" | "update" | "delete";

interface HandlerCall {
  operation: OperationName;
  id?: string;
  /** The resource's data before and after; the last one identifies it. */
  data: readonly ResourceData[];
}

export function withErrorBoundary(inner: Handlers, boundary: ErrorBoundary): Handlers {
  const { definition, outgoing } = boundary;
  const run = async <T>(call: HandlerCall, handle: (resourceKey: string) => Promise<T>): Promise<T> => {
    const urn = call.data.at(-1)?.facts.urn ?? "";
    // State created by `pulumi import --file` has no URN.
    const resourceKey = urn || (call.id ?? "");
    outgoing.protect(
      resourceKey,
      call.data.flatMap((data) => secretValues(definition, data)),
    );
    try {
      const observed = {
        urn,
        kind: definition.kind,
        operation: call.operation,
        clean: (text: string) => outgoing.clean(resourceKey, text),
        debug: (text: string) => {
          outgoing.show("debug", urn, text);
          return outgoing.flush();
        },
        warn: (text: string) => outgoing.show("warn", urn, text),
      };
      return await boundary.run.requests.during(observed, () => handle(resourceKey));
    } catch (error) {
      throw toOutgoingError(error, resourceKey, call, boundary);
    }
  };
  return {
    configure: (request) => inner.configure(request),
    check: (olds, news) =>
      run({ operation: "check", data: [olds, news] }, async (resourceKey) => {
        boundary.run.isProgramRunning = true;
        const result = await inner.check(olds, news);
        const clean = (reason: string) => outgoing.clean(resourceKey, reason);
        return {
          ...result,
          failures: result.failures.map(({ property, reason }) => ({ property, reason: clean(reason) })),
        };
      }),
    diff: (id, olds, news) => run({ operation: "diff", id, data: [olds, news] }, () => inner.diff(id, olds, news)),
    create: (inputs) => run({ operation: "create", data: [inputs] }, () => inner.create(inputs)),
    read: (id, state) =>
      run({ operation: state.facts.schema === undefined ? "read" : "refresh", id, data: [state] }, () =>
        inner.read(id, state),
      ),
    update: (id, olds, news) =>
      run({ operation: "update", id, data: [olds, news] }, () => inner.update(id, olds, news)),
    delete: (id, state) => run({ operation: "delete", id, data: [state] }, () => inner.delete(id, state)),
  };
}

/** For a command that does not run the program, the engine calls no check, and configures the provider from state. */
const STORED_SETTINGS =
  "Without --run-program, this command uses the settings that the last `pulumi up` stored in the state. If you have changed them since then, run `pulumi up`, or add --run-program.";

/** Returns the error ready for display, as a copy: errors of settings are shared by all calls. */
function toOutgoingError(thrown: unknown, resourceKey: string, call: HandlerCall, boundary: ErrorBoundary): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const isUserError = thrown instanceof UserError || thrown instanceof InitError;
  const name = parseUrn(resourceKey).name || resourceKey;
  const text = isUserError ? describeError(thrown, name, call, boundary) : thrown.message;
  const error = withMessage(thrown, text, (message) => boundary.outgoing.clean(resourceKey, message));
  return error instanceof InitError ? Object.assign(error, { reasons: [error.message] }) : error;
}

function describeError(
  error: UserError | InitError,
  name: string,
  { operation }: HandlerCall,
  { definition: { kind }, run }: ErrorBoundary,
): string {
  const resource = `${kind} "${name}"`;
  const cause = error instanceof InitError ? error.cause : error;
  const sharedCause =
    cause instanceof HttpError ? cause.sharedCause : cause instanceof SettingsError ? cause.message : undefined;
  const reporter = sharedCause === undefined ? undefined : run.reportedBy(sharedCause, resource);
  const [firstLine = ""] = error.message.split("\n", 1);
  // Only a program, or `pulumi import`, reads what is not in state.
  const isStored = !run.isProgramRunning && operation !== "read";
  const isAboutSettings = cause instanceof UserError && cause.concernsStoredSettings;
  const message = isStored && isAboutSettings ? `${error.message}\n${STORED_SETTINGS}` : error.message;
  const ownLines = cause instanceof HttpError ? cause.originLines : [];
  const text = reporter === undefined ? message : [`${firstLine} (details: ${reporter})`, ...ownLines].join("\n");
  if (cause instanceof HttpError) return `${resource}: ${operation} failed: ${text}`;
  // Some messages already name the resource.
  return firstLine.startsWith(`${kind} "`) || firstLine.includes(`"${name}"`) ? text : `${resource}: ${text}`;
}
