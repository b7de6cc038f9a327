/** The setting `streamLogs`: shows the build and deploy log on the row of a deployment while its rollout is awaited. */
import type { LogLine, LogQuery, Logs } from "../../../api/control-plane/revisions";
import type { Context } from "../../../definition/context";
import { parseUrn } from "../../../definition/type-token";
import { HttpError } from "../../../http/errors";
import { truncate } from "../../../text/format";
import type { Inputs } from "../schema/inputs";
import { MAX_LINE_LENGTH, MAX_REDACTED_LENGTH, redactLines } from "./logs";

const PAGE_SIZE = 100;
const MAX_LINES_PER_SECOND = 20;
const MAX_LINES = 500;
/** Failed requests in a row after which the log is no longer read. */
const MAX_FAILURES = 3;
/** Earlier lines that are searched together with new ones for secrets that span several lines. */
const CONTEXT_LINES = 20;
/** Statuses of a revision that has no log yet, or whose log nobody needs. */
const WITHOUT_LOG = /^(CREATING|QUEUED|SKIPPED)$/;
const ALL_LINES = "The function getRevisionLogs returns all of them.";

/** Returns the log to show for a rollout where the setting is set; undefined if it names other resources alone. */
export function createLiveLog(deploymentId: string, { source }: Inputs, ctx: Context): LiveLog | undefined {
  const { streamLogs } = ctx.settings;
  const isNamed = typeof streamLogs === "boolean" || streamLogs.includes(parseUrn(ctx.urn).name);
  // Images are not built.
  return isNamed ? new LiveLog(deploymentId, source.endsWith("_docker") ? "deploy" : "build", ctx) : undefined;
}

class LiveLog {
  private revisionId = "";
  private type: LogQuery["type"];
  private reader: LogReader;
  private readonly queue: string[] = [];
  /** The last lines that were read, as the server returned them. */
  private recentLines: string[] = [];
  private shownCount = 0;
  private failureCount = 0;
  private lastShownAt: number;
  private isInProgress = false;
  private hasEnded = false;

  constructor(
    private readonly deploymentId: string,
    private readonly firstType: LogQuery["type"],
    private readonly ctx: Context,
  ) {
    this.lastShownAt = ctx.clock.monotonic();
    this.type = firstType;
    this.reader = this.createReader();
  }

  /**
   * Shows the new lines after a poll that found the rollout in progress. Returns whether there were any.
   * @param status The status of the revision; undefined if the poll read only the list of deployments.
   */
  async update(revisionId: string, status: string | undefined): Promise<boolean> {
    this.isInProgress = true;
    if (this.hasEnded || status === undefined) return false;
    const budget = this.takeBudget();
    if (WITHOUT_LOG.test(status)) return false;
    await this.read(revisionId, status, budget);
    return this.show(budget);
  }

  /** Shows the last lines of a rollout that has ended, and says how many were left out. */
  async finish(revisionId: string, status: string): Promise<void> {
    // A revision that is live at the first poll was rolled out before.
    if (this.hasEnded || !this.isInProgress) return;
    const budget = this.takeBudget();
    await this.read(revisionId, status, budget);
    this.show(budget);
    const { length } = this.queue;
    if (this.hasEnded || (length === 0 && !this.reader.hasMore)) return;
    this.hasEnded = true;
    const lines = this.reader.isAtEnd ? `the last ${length} lines` : "the last lines";
    this.ctx.log.warn(
      `streamLogs: ${lines} of the log were left out, because at most ${MAX_LINES_PER_SECOND} lines a second ` +
        `are shown. ${ALL_LINES}`,
    );
  }

  /** Returns how many lines may be shown now: as many as the time since the last call allows. */
  private takeBudget(): number {
    const now = this.ctx.clock.monotonic();
    const seconds = (now - this.lastShownAt) / 1000;
    this.lastShownAt = now;
    return Math.min(Math.floor(MAX_LINES_PER_SECOND * seconds), MAX_LINES - this.shownCount);
  }

  /** Reads the pages that may be shown. A failure is ignored at first, since the log is not what the user waits for. */
  private async read(revisionId: string, status: string, budget: number): Promise<void> {
    if (revisionId !== this.revisionId) this.follow(revisionId);
    try {
      await this.readPages(budget);
      if (this.type === "build" && this.reader.isAtEnd && !/BUILD/.test(status)) {
        this.type = "deploy";
        this.reader = this.createReader();
        await this.readPages(budget);
      }
      this.failureCount = 0;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      this.failureCount += 1;
      if (!error.isUnsupportedRoute && this.failureCount < MAX_FAILURES) return;
      this.hasEnded = true;
      this.ctx.log.warn(
        `streamLogs: the log could not be read (${error.shortCode}), so no more of its lines are shown. ` +
          "The rollout continues, and the function getRevisionLogs reads the log.",
      );
    }
  }

  private follow(revisionId: string): void {
    this.revisionId = revisionId;
    this.type = this.firstType;
    this.reader = this.createReader();
  }

  private createReader(): LogReader {
    const { deploymentId, revisionId, type } = this;
    const { revisions } = this.ctx.clients;
    return new LogReader((offset) =>
      revisions.logs(deploymentId, revisionId, { type, order: "asc", limit: PAGE_SIZE, offset }, { maxAttempts: 1 }),
    );
  }

  private async readPages(budget: number): Promise<void> {
    while (this.queue.length < budget) {
      const lines = await this.reader.readNew();
      this.queue.push(...this.format(lines));
      if (lines.length === 0 || this.reader.isAtEnd) return;
    }
  }

  /** Formats lines as `build | ERROR the message`, one for each line of a message. */
  private format(lines: readonly LogLine[]): string[] {
    const { type, recentLines } = this;
    const rows = lines.flatMap(({ level, message }) =>
      truncate(message ?? "", MAX_REDACTED_LENGTH)
        .split(/\r?\n/)
        .map((text, index) => ({ text, label: index === 0 && level && !/^info$/i.test(level) ? `${level} ` : "" })),
    );
    const texts = [...recentLines, ...rows.map(({ text }) => text)];
    const safe = redactLines(texts, this.ctx.log.redact).slice(recentLines.length);
    this.recentLines = texts.slice(-CONTEXT_LINES);
    return rows.map(({ label }, index) => truncate(`${type} | ${label}${safe[index]}`, MAX_LINE_LENGTH));
  }

  private show(budget: number): boolean {
    const lines = this.queue.splice(0, budget);
    for (const line of lines) this.ctx.log.progress(line);
    this.shownCount += lines.length;
    if (this.shownCount >= MAX_LINES && !this.hasEnded) {
      this.hasEnded = true;
      this.ctx.log.warn(`streamLogs: ${MAX_LINES} lines of the log were shown, the most for one rollout. ${ALL_LINES}`);
    }
    return lines.length > 0;
  }
}

/** Reads what a log has gained since it was last read. */
class LogReader {
  private offset: string | undefined;
  private readonly knownLines = new Set<string>();
  private lastPage: "unread" | "full" | "end" = "unread";

  /** @param readPage Reads a page, oldest line first. Without an offset, reads the first one. */
  constructor(private readonly readPage: (offset: string | undefined) => Promise<Logs>) {}

  get isAtEnd(): boolean {
    return this.lastPage === "end";
  }

  get hasMore(): boolean {
    return this.lastPage === "full";
  }

  /** Returns a page's new lines. The last page is read again until there is a next one (API `2A.LogPage`). */
  async readNew(): Promise<LogLine[]> {
    const { logs, nextOffset } = await this.readPage(this.offset);
    const page = this.offset ?? "";
    const lines = (logs ?? []).filter((line, index) => this.isNew(line.id || `${page} ${index}`));
    this.lastPage = !nextOffset || nextOffset === this.offset ? "end" : "full";
    if (nextOffset) this.offset = nextOffset;
    return lines;
  }

  private isNew(key: string): boolean {
    const isNew = !this.knownLines.has(key);
    this.knownLines.add(key);
    return isNew;
  }
}
