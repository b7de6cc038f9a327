/** What the resource classes of both providers have in common. */
import * as pulumi from "@pulumi/pulumi";

export class BaseResource extends pulumi.CustomResource {
  /** @throws Error for `deleteBeforeReplace: false`. */
  constructor(
    { kind, token }: { kind: string; token: string },
    name: string,
    makeProperties: () => pulumi.Inputs,
    options: pulumi.CustomResourceOptions,
  ) {
    if (options.deleteBeforeReplace === false) {
      throw new Error(
        `${kind} "${name}": deleteBeforeReplace: false is not supported, because names are unique and the ` +
          "engine would delete the new resource. Remove the option.",
      );
    }
    const restore = disableStackTraces();
    try {
      const properties = makeProperties();
      // Names are unique. With these, diff decides: under another name, the new one can exist beside the old one.
      const { keepConversations } = properties;
      super(token, name, properties, {
        ...(keepConversations === undefined && { deleteBeforeReplace: true }),
        ...options,
      });
    } catch (error) {
      restore();
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    } finally {
      restore();
    }
  }

  /** Makes each input that the program does not declare an Output without a value, which also a preview knows. */
  protected addUndeclared(inputs: readonly string[]): void {
    for (const key of inputs) if (!(key in this)) Object.assign(this, { [key]: pulumi.output(undefined) });
  }
}

/**
 * The SDK captures a stack trace for each property, used only to debug leaks, and ts-node maps every frame of it. For
 * each resource, it also stores the trace in state, which begins in this file. It raises the limit for that, so it may
 * not.
 * @returns A function that enables them again.
 */
function disableStackTraces(): () => void {
  const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit");
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS || !limit?.configurable) return () => undefined;
  Object.defineProperty(Error, "stackTraceLimit", { get: () => 0, set: () => undefined, configurable: true });
  return () => void Object.defineProperty(Error, "stackTraceLimit", limit);
}
