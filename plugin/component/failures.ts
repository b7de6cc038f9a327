/**
 * Errors that no caller awaits, such as one of a resource of a component that the engine rejected. Node would end the
 * plugin, and what its other resources have begun would be lost. Each fails the request that it belongs to.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { missingResource } from "./missing-resource";

type Fail = (error: unknown) => void;

export class RequestFailures {
  private readonly request = new AsyncLocalStorage<Fail>();
  private readonly call = new AsyncLocalStorage<Fail>();
  private readonly inFlight = new Set<Fail>();

  /** @param otherwise Is told of an error while no request is in flight. */
  constructor(private readonly otherwise: (error: unknown) => void) {
    process.on("unhandledRejection", (error) => this.report(error, this.request.getStore()));
    process.on("uncaughtException", (error) => this.report(error, this.request.getStore() ?? this.call.getStore()));
  }

  /** Returns the result of a function, or fails with the first error that it causes at any time until then. */
  async of<T>(run: () => Promise<T>): Promise<T> {
    const { promise: failed, reject: fail } = Promise.withResolvers<never>();
    this.inFlight.add(fail);
    try {
      return await Promise.race([this.request.run(fail, run), failed]);
    } finally {
      this.inFlight.delete(fail);
    }
  }

  /** Returns the result of a function, or fails with an exception in a callback, which could keep it from ending. */
  ofCall<T>(run: () => Promise<T>): Promise<T> {
    const { promise: failed, reject: fail } = Promise.withResolvers<never>();
    return Promise.race([this.call.run(fail, run), failed]);
  }

  /** Node reports an error in the context that caused it; without one, it may belong to any of the requests. */
  private report(error: unknown, own: Fail | undefined): void {
    // The engine has shown why, and the run continues without that resource.
    if (missingResource(error)) return;
    const failed = own ? [own] : [...this.inFlight];
    if (failed.length === 0) this.otherwise(error);
    for (const fail of failed) fail(error);
  }
}
