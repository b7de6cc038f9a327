/** What a restore has written, so that one that was killed continues and doubles nothing. */
import { createHash } from "node:crypto";
import type { Log, Place } from "../place/place";
import { parse } from "./manifest";

export interface Line {
  id: string;
  /** `begin`: it may be on the server in parts. `done`: it is there as a whole. `failed`: it is not there. */
  state: "begin" | "done" | "failed";
  /** Of a thread: what was written. */
  digest?: string;
  /** Of a cron: its ID on the server. */
  created?: string;
  /** Of a cron: IDs of equal ones that were there before, so that they are of someone else. */
  others?: string[];
  level?: string;
  losses?: string[];
  ranAgain?: string[];
}

export class Journal {
  private readonly lines = new Map<string, Line>();
  private isForgotten = false;

  private constructor(private readonly log: Log) {
    for (const text of log.lines) {
      const line = parse(text) as (Line & { forget?: true }) | undefined;
      if (line?.forget) this.lines.clear();
      if (typeof line?.id === "string") this.lines.set(line.id, line);
    }
  }

  /** It is created when a restore begins to write: one that is refused leaves none. */
  static async open(place: Place, targetUrl: string): Promise<Journal> {
    // Several agents may share a host.
    const { host, href } = new URL(targetUrl);
    const digest = createHash("sha256").update(href).digest("hex").slice(0, 8);
    return new Journal(await place.openLog(`restored-to-${host.replace(/[^\w.-]/g, "_")}-${digest}.ndjson`));
  }

  /** The IDs of crons on the server. */
  get created(): string[] {
    return [...this.lines.values()].flatMap(({ created = [] }) => created);
  }

  /** Forgets everything, for good when this restore begins to write: it is on another server. */
  forget(): void {
    this.lines.clear();
    this.isForgotten = true;
  }

  get(id: string): Line | undefined {
    return this.lines.get(id);
  }

  /** Notes that this restore writes. @throws UserError where nothing can be noted, or another restore runs. */
  async begin(): Promise<void> {
    await this.log.append(JSON.stringify({ begin: true, ...(this.isForgotten && { forget: true }) }));
  }

  /** It is safe when this returns. */
  async note(line: Line): Promise<void> {
    this.lines.set(line.id, line);
    await this.log.append(JSON.stringify(line));
  }

  close(): Promise<void> {
    return this.log.close();
  }
}
