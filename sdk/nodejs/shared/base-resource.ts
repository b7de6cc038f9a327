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
        `${kind} "${name}": deleteBeforeReplace: false is not supported, because names are unique and the engine would delete the new resource. Remove the option.`,
      );
    }
    const depth = Error.stackTraceLimit;
    // The SDK captures a stack trace for each property, used only to debug leaks, and ts-node maps every frame of it.
    if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
    try {
      super(token, name, makeProperties(), { ...options, deleteBeforeReplace: true });
    } catch (error) {
      Error.stackTraceLimit = depth;
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    } finally {
      Error.stackTraceLimit = depth;
    }
  }
}
