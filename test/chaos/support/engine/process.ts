import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { Clock } from "../../../../provider/http/clock";
import type { Slot } from "../kinds";
import type { VirtualTime } from "../server/virtual-time";

/** A request of a process, from the moment when it is sent until its response was read. */
export interface OutgoingRequest {
  id: string;
  process: PulumiProcess;
  /** The resource on whose behalf it is sent. */
  slot: Slot | undefined;
  /** Time passes while the proxy holds the response back. */
  holdBack(): void;
}

/** By the header that identifies it to the proxy. */
export const outgoingRequests = new Map<string, OutgoingRequest>();
export const REQUEST_HEADER = "x-chaos-request";

/** The operating system's process of one Pulumi command, which may die at any of its requests. */
export class PulumiProcess {
  /** Resolves when the process dies. */
  readonly death: Promise<"dead">;
  isDead = false;
  /** Whether the user pressed Ctrl-C: running operations end, no other begins. */
  isInterrupted = false;
  requestCount = 0;
  readonly clock: Clock;
  private readonly context = new AsyncLocalStorage<Slot>();
  private readonly abortions = new Set<(reason: Error) => void>();
  private resolveDeath: (end: "dead") => void = () => {};

  constructor(
    private readonly time: VirtualTime,
    clockOffsetMs: number,
  ) {
    this.death = new Promise((resolve) => {
      this.resolveDeath = resolve;
    });
    this.clock = {
      now: () => time.now() + clockOffsetMs,
      monotonic: () => time.now(),
      sleep: (milliseconds) => this.sleep(milliseconds),
      deadline: (milliseconds) => this.startRequest(milliseconds),
    };
  }

  /** Runs an operation on behalf of a resource. */
  runFor<T>(slot: Slot, operation: () => Promise<T>): Promise<T> {
    return this.context.run(slot, operation);
  }

  die(): void {
    this.isDead = true;
    for (const abort of [...this.abortions]) abort(new DOMException("the process died", "TimeoutError"));
    this.resolveDeath("dead");
  }

  private sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      // What the process still wanted to do ends here, and frees what it shares with the next one in this test.
      const abort = (reason: Error) => {
        this.abortions.delete(abort);
        reject(reason);
      };
      if (this.isDead) return abort(new Error("the process died"));
      this.abortions.add(abort);
      this.time.after(milliseconds, () => {
        this.abortions.delete(abort);
        resolve();
      });
    });
  }

  /** The client asks for a deadline right before it sends a request. */
  private startRequest(milliseconds: number): AbortSignal {
    const controller = new AbortController();
    const release = this.time.hold();
    let stopWaiting = () => {};
    const finish = () => {
      this.abortions.delete(abort);
      stopWaiting();
      release();
    };
    const abort = (reason: Error) => {
      finish();
      controller.abort(reason);
    };
    this.abortions.add(abort);
    this.requestCount += 1;
    const id = `request-${requestNumber++}`;
    const end = this.time.now() + milliseconds;
    const holdBack = () => {
      release();
      const timeOut = () => abort(new DOMException("its time is over", "TimeoutError"));
      stopWaiting = this.time.after(Math.max(0, end - this.time.now()), timeOut);
    };
    outgoingRequests.set(id, { id, process: this, slot: this.context.getStore(), holdBack });
    started = { id, finish };
    if (this.isDead) abort(new DOMException("the process died", "TimeoutError"));
    return controller.signal;
  }
}

let requestNumber = 0;
/** The request for which a deadline was returned last: undici announces it before anything else runs. */
let started: { id: string; finish(): void } | undefined;
const finishBy = new WeakMap<object, () => void>();

interface UndiciRequest {
  addHeader(name: string, value: string): void;
}
subscribe("undici:request:create", (message) => {
  const { request } = message as { request: UndiciRequest };
  if (!started) return;
  request.addHeader(REQUEST_HEADER, started.id);
  finishBy.set(request, started.finish);
  started = undefined;
});
for (const channel of ["undici:request:trailers", "undici:request:error"])
  subscribe(channel, (message) => finishBy.get((message as { request: object }).request)?.());
