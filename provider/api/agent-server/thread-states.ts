/** The states of threads: one method per endpoint (API `4B`). */
import { inPlaceOfInvalid } from "../../http/errors";
import { pathSegment } from "../../schema/id";
import { UserError } from "../../text/user-error";
import type { JsonClient } from "../json-client";
import { collectAvailable, type Pages, paginateUntilRejected } from "../pagination";
import { type ThreadStateInfo, threadStateSchema } from "./threads";

class NoCheckpointError extends UserError {
  override name = "NoCheckpointError";
}

export class ThreadStates {
  /** Whether the server was seen to expect the ID of a checkpoint in place of an object (API `…/history:before`). */
  private expectsCheckpointId = false;

  constructor(private readonly json: JsonClient) {}

  /** Returns the latest state, or the state at a checkpoint. @throws NoCheckpointError. */
  async get(threadId: string, checkpointId?: string): Promise<ThreadStateInfo> {
    const path = [threadId, "state", ...(checkpointId === undefined ? [] : [checkpointId])];
    const state = await this.json.getObject(threadStateSchema, {
      method: "GET",
      path: `/threads/${path.map(pathSegment).join("/")}`,
    });
    if (checkpointId === undefined || !isEmptyState(state)) return state;
    throw new NoCheckpointError(
      `Thread ${threadId} has no checkpoint ${checkpointId}: its server returned an empty state. Use an ID ` +
        "that getThreadHistory returns.",
    );
  }

  /** Lists a thread's states, newest first. Some servers have no pages after the first. @param limit Per page. */
  list(threadId: string, limit: number): Pages<ThreadStateInfo> {
    return paginateUntilRejected({
      noun: "states of the thread",
      limit,
      idOf: (state) => checkpointIdOf(state),
      read: async (before?: string) => {
        const items = await this.readPage(threadId, limit, before);
        const isFirst = items.some((state) => hasParent(state)) && !hasParent(items.at(-1));
        return { items, next: isFirst ? undefined : checkpointIdOf(items.at(-1)) };
      },
    });
  }

  /** Counts the checkpoints of a thread, up to the limit. Returns the limit where the server does not list all. */
  async count(id: string, limit: number): Promise<number> {
    const states = this.list(id, limit);
    const { items, isTruncated } = await collectAvailable(states, ({ length }) => length >= limit);
    return isTruncated || hasParent(items.at(-1)) ? limit : Math.min(items.length, limit);
  }

  private async readPage(threadId: string, limit: number, before?: string): Promise<ThreadStateInfo[]> {
    const path = `/threads/${pathSegment(threadId)}/history`;
    const send = (form?: unknown) => {
      const body = { limit, ...(form !== undefined && { before: form }) };
      return this.json.getList(threadStateSchema, { method: "POST", path, body, isRead: true });
    };
    if (before === undefined) return send();
    if (!this.expectsCheckpointId) {
      const checkpoint = { checkpoint_id: before };
      const states = await send({ ...checkpoint, configurable: checkpoint }).catch(inPlaceOfInvalid);
      if (states) return states;
    }
    const states = await send(before);
    this.expectsCheckpointId = true;
    return states;
  }
}

const checkpointIdOf = (state: ThreadStateInfo | undefined): string | undefined =>
  state?.checkpointId ?? state?.checkpoint?.checkpointId ?? undefined;

const hasParent = (state: ThreadStateInfo | undefined): boolean =>
  (state?.parentCheckpointId ?? state?.parentCheckpoint?.checkpointId) != null;

/** Whether a state is the one that servers return for a checkpoint that does not exist. */
const isEmptyState = ({ values, metadata, createdAt }: ThreadStateInfo): boolean =>
  createdAt == null && metadata == null && Object.keys(values ?? {}).length === 0;
