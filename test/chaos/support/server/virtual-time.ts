/**
 * Time that passes only while every process waits: for a timer, or for a response that the proxy holds back. Then it
 * jumps to the earliest end of a wait, so nothing sleeps and an operation takes as long as it would.
 */
export class VirtualTime {
  private readonly waits = new Set<Wait>();
  /** Requests for which a response is still coming. */
  private busy = 0;
  private activity = 0;
  private isChecking = false;
  private isAdvancing = false;

  constructor(private readonly server: { now(): number; advance(milliseconds: number): Promise<void> }) {}

  now(): number {
    return this.server.now();
  }

  /** Calls back after a time. @returns A function that cancels it. */
  after(milliseconds: number, end: () => void): () => void {
    const wait = { at: this.now() + Math.ceil(milliseconds), end };
    this.waits.add(wait);
    this.touch();
    return () => void this.waits.delete(wait);
  }

  /** Time stands still until the returned function is called. */
  hold(): () => void {
    this.busy += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.busy -= 1;
      this.touch();
    };
  }

  /** Notes that something happened, after which code may run. */
  touch(): void {
    this.activity += 1;
    if (this.isChecking) return;
    this.isChecking = true;
    void this.advanceWhenQuiet();
  }

  private async advanceWhenQuiet(): Promise<void> {
    for (let quiet = 0, seen = this.activity; quiet < QUIET_TURNS; quiet++) {
      await new Promise(setImmediate);
      if (seen !== this.activity) quiet = 0;
      seen = this.activity;
    }
    this.isChecking = false;
    if (this.busy > 0 || this.isAdvancing || this.waits.size === 0) return;
    this.isAdvancing = true;
    const at = Math.min(...[...this.waits].map((wait) => wait.at));
    await this.server.advance(Math.max(0, at - this.now()));
    this.isAdvancing = false;
    for (const wait of [...this.waits]) {
      if (wait.at > this.now()) continue;
      this.waits.delete(wait);
      wait.end();
    }
    this.touch();
  }
}

interface Wait {
  at: number;
  end(): void;
}

/** Turns of the event loop without any activity after which every process waits. */
const QUIET_TURNS = 3;
