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

export function withErrorBoundary(inner: Handlers, boundary: ErrorBoundary): Handlers {
  const { definition, outgoing, run } = boundary;
  /** Returns a handler whose last argument identifies the resource; others may be its ID and its earlier data. */
  const guarded =
    <A extends readonly (string | ResourceData)[], T>(operation: string, handle: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const [id = ""] = args.filter((arg) => typeof arg === "string");
      const data = args.filter((arg) => typeof arg !== "string");
      const { urn = "", schema } = data.at(-1)?.facts ?? {};
      // State created by `pulumi import --file` has no URN.
      const resourceKey = urn || id;
      const call = {
        urn,
        kind: definition.kind,
        operation: operation === "read" && schema !== undefined ? "refresh" : operation,
        clean: (text: string) => outgoing.clean(resourceKey, text),
        debug: (text: string) => {
          outgoing.show("debug", urn, text);
          return outgoing.flush();
        },
        warn: (text: string) => outgoing.show("warn", urn, text),
      };
      // Where only one of them is secret, the other one may show what the server still holds.
      for (const one of data)
        for (const { properties } of data) outgoing.protect(resourceKey, secretValues(definition, one, properties));
      try {
        return await run.requests.during(call, () => handle(...args));
      } catch (error) {
        throw toOutgoingError(error, resourceKey, call.operation, boundary);
      }
    };
  return {
    configure: inner.configure,
    check: guarded("check", inner.check),
    diff: guarded("diff", inner.diff),
    plan: guarded("preview", inner.plan),
    create: guarded("create", inner.create),
    read: guarded("read", inner.read),
    update: guarded("update", inner.update),
    delete: guarded("delete", inner.delete),
  };
}

/** For a command that does not run the program, the engine calls no check, and configures the provider from state. */
const STORED_SETTINGS =
  "Without --run-program, this command uses the settings that the last `pulumi up` stored in the state. If " +
  "you have changed them since then, run `pulumi up`, or add --run-program.";

/** Returns the error ready for display, as a copy: errors of settings are shared by all calls. */
function toOutgoingError(thrown: unknown, resourceKey: string, operation: string, boundary: ErrorBoundary): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const isUserError = thrown instanceof UserError || thrown instanceof InitError;
  const name = parseUrn(resourceKey).name || resourceKey;
  const text = isUserError ? describeError(thrown, name, operation, boundary) : thrown.message;
  const error = withMessage(thrown, text, (message) => boundary.outgoing.clean(resourceKey, message));
  return error instanceof InitError ? Object.assign(error, { reasons: [error.message] }) : error;
}

function describeError(
  error: UserError | InitError,
  name: string,
  operation: string,
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
