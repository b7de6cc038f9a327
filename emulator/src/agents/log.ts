import { type LogType, writeLog } from "../control-plane/logs/logs";
import { type RevisionRecord, revisionById } from "../control-plane/model/records";
import type { OutputLine } from "../runtime/agents/processes";
import type { Context } from "../runtime/context";

/** Milliseconds for which lines are collected: writing each alone would take a transaction per line. */
const flushMs = 100;
/** The most characters that wait to be written. */
const maxPending = 4 * 1024 * 1024;

/** The build or deploy log of a revision, which keeps the newest lines of `limits.log_lines`. */
export class AgentLog {
  private pending: OutputLine[] = [];
  private pendingLength = 0;
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly context: Context,
    private readonly revisionId: string,
    private readonly type: LogType,
  ) {}

  add(line: OutputLine): void {
    if (this.isClosed) return;
    if (this.pendingLength + line.message.length > maxPending || this.pending.length >= this.maxLines) this.dropHalf();
    this.pending.push(line);
    this.pendingLength += line.message.length;
    this.timer ??= setTimeout(() => this.flush(), flushMs).unref();
  }

  /** Writes the lines that wait. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const lines = this.pending;
    if (lines.length === 0) return;
    if (this.dropped > 0) lines.unshift({ level: "WARNING", message: `${this.dropped} earlier lines were dropped` });
    this.pending = [];
    this.pendingLength = 0;
    this.dropped = 0;
    const { store } = this.context;
    store.transaction(() => {
      const revision = revisionById(store, this.revisionId);
      if (!revision) return;
      writeLog(this.context, revision, this.type, lines);
      this.trim(revision);
    });
  }

  /** Writes the lines that wait and ignores later ones, because the store may be closed. */
  close(): void {
    this.flush();
    this.isClosed = true;
  }

  private get maxLines(): number {
    return this.context.settings.agents?.limits.logLines ?? 0;
  }

  private dropHalf(): void {
    const gone = this.pending.splice(0, Math.ceil(this.pending.length / 2));
    this.pendingLength -= gone.reduce((sum, { message }) => sum + message.length, 0);
    this.dropped += gone.length;
  }

  private trim({ id }: RevisionRecord): void {
    const sql = `DELETE FROM logs WHERE revision_id = ?1 AND type = ?2 AND id <=
      (SELECT id FROM logs WHERE revision_id = ?1 AND type = ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)`;
    this.context.store.run(sql, id, this.type, this.maxLines);
  }
}
