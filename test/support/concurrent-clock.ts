import type { Clock } from "../../provider/http/clock";
import type { Platform } from "./platform";

/** A clock for many who wait at once: when all who have not finished are asleep, it moves on to when the last one wakes. */
export class CrowdClock implements Clock {
  private sleepers: { at: number; wake: () => void }[] = [];
  private awake = 0;

  constructor(private readonly platform: Pick<Platform, "clock" | "pass">) {}

  now(): number {
    return this.platform.clock.now();
  }

  monotonic(): number {
    return this.now();
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.sleepers.push({ at: this.now() + milliseconds, wake });
      this.awake -= 1;
      void this.moveOn();
    });
  }

  deadline(milliseconds: number): AbortSignal {
    return this.platform.clock.deadline(milliseconds);
  }

  /** All at once; ends when the last has. */
  async all<T>(acts: (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
    this.awake += acts.length;
    const left = async () => {
      this.awake -= 1;
      await this.moveOn();
    };
    return Promise.allSettled(acts.map((act) => act().finally(left)));
  }

  private async moveOn(): Promise<void> {
    if (this.awake > 0 || this.sleepers.length === 0) return;
    const woken = this.sleepers.splice(0);
    this.awake = woken.length;
    await this.platform.pass(Math.max(0, Math.ceil(Math.max(...woken.map(({ at }) => at)) - this.now())));
    for (const { wake } of woken) wake();
  }
}
