/** Steps of an operation that the request log has among its requests, such as the checks of a deployment. */
import type { Clock } from "../http/clock";
import { messageOf } from "../text/user-error";
import type { LoggedStep } from "./request-log";
import type { Attributes, SpanOptions, StepSpan, Trace } from "./trace";

export type StepTrace = Pick<Trace, "span" | "start" | "event" | "describe">;

/** Returns a trace that also passes on each span that is to be logged. */
export function withLoggedSteps(trace: Trace, clock: Clock, log: (step: Step) => void): StepTrace {
  const span = <T>(options: SpanOptions, act: (span?: StepSpan) => Promise<T>) =>
    trace.span(options, (recorded) => (options.isLogged ? logged(options, act, recorded) : act(recorded)));
  const logged = async <T>(options: SpanOptions, act: (span: StepSpan) => Promise<T>, recorded?: StepSpan) => {
    const started = { time: clock.now(), startedAt: clock.monotonic() };
    const step = new RecordedStep(options.attributes ?? {}, recorded);
    try {
      return await act(step);
    } catch (error) {
      step.error = messageOf(error);
      throw error;
    } finally {
      const durationMs = clock.monotonic() - started.startedAt;
      log({ ...step.facts, step: options.name, time: started.time, durationMs, error: step.error });
    }
  };
  return {
    span,
    start: (options) => trace.start(options),
    event: (name, attributes) => trace.event(name, attributes),
    describe: (attributes) => trace.describe(attributes),
  };
}

/** A step before it is known which call it belongs to. */
export type Step = Pick<LoggedStep, "time" | "step" | "durationMs" | "error"> & { [attribute: string]: unknown };

class RecordedStep implements StepSpan {
  error: string | undefined;

  constructor(
    private attributes: Attributes,
    private readonly recorded: StepSpan | undefined,
  ) {}

  get facts(): Record<string, unknown> {
    const entries = Object.entries(this.attributes);
    return Object.fromEntries(entries.map(([key, value]) => [key.replace("agentgraph.", ""), value]));
  }

  set(attributes: Attributes): void {
    this.attributes = { ...this.attributes, ...attributes };
    this.recorded?.set(attributes);
  }

  fail(message: string, type?: string): void {
    this.error = message;
    this.recorded?.fail(message, type);
  }
}
