import type { Clock } from "../../../provider/http/clock";
import type { Platform } from "../platform";

const MAX_SHARED_WAIT_MS = 100;

/**
 * A clock for concurrent tasks: when all unfinished tasks are asleep, it advances to the time when the last one wakes.
 */
export class ConcurrentClock implements Clock {
  private sleepers: { at: number; wake: () => void }[] = [];
  private awakeCount = 0;

  constructor(private readonly platform: Pick<Platform, "clock" | "advance">) {}

  now(): number {
    return this.platform.clock.now();
  }

  monotonic(): number {
    return this.now();
  }

  sleep(milliseconds: number): Promise<void> {
    // The wait of a request that several tasks share: each of them would count as asleep.
    if (milliseconds <= MAX_SHARED_WAIT_MS) return this.platform.clock.sleep(milliseconds);
    return new Promise((wake) => {
      this.sleepers.push({ at: this.now() + milliseconds, wake });
      this.awakeCount -= 1;
      void this.wakeWhenAllSleep();
    });
  }

  deadline(milliseconds: number): AbortSignal {
    return this.platform.clock.deadline(milliseconds);
  }

  /** Runs the tasks concurrently until all have ended. */
  async runAll<T>(tasks: (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
    this.awakeCount += tasks.length;
    const finish = async () => {
      this.awakeCount -= 1;
      await this.wakeWhenAllSleep();
    };
    return Promise.allSettled(tasks.map((task) => task().finally(finish)));
  }

  private async wakeWhenAllSleep(): Promise<void> {
    if (this.awakeCount > 0 || this.sleepers.length === 0) return;
    const woken = this.sleepers.splice(0);
    this.awakeCount = woken.length;
    await this.platform.advance(Math.max(0, Math.ceil(Math.max(...woken.map(({ at }) => at)) - this.now())));
    for (const { wake } of woken) wake();
  }
}
