import { useEffect, useState } from "preact/hooks";
import { applyEvent, NO_PROGRESS, type Progress } from "../../data/agent/progress";
import type { AgentError } from "../../data/agent/request";
import { type RunStart, run } from "../../data/agent/run";
import { createThread, readThread, type Thread } from "../../data/agent/threads";
import { useLive } from "../../data/live";
import type { AgentServer } from "../../data/types";

/** Keys stay in the memory of this page, by deployment. */
const keys = new Map<string, string>();

interface State {
  id?: string | undefined;
  thread?: Thread;
  /** The run that was started here, until the thread shows what it did. */
  run?: { sent: string | undefined; progress: Progress; isRunning: boolean } | undefined;
  error?: AgentError | undefined;
  /** Why the thread could not be read. */
  unread?: AgentError | undefined;
}

export type Conversation = ReturnType<typeof useConversation>;

/** Talks to an agent on a thread, which the first message creates unless there is an ID. */
export function useConversation(deploymentId: string, agent: AgentServer, id?: string) {
  const { threads } = useLive();
  const [state, setState] = useState<State>({ id });
  const [key, setKey] = useState(keys.get(deploymentId) ?? "");
  keys.set(deploymentId, key);
  const access = { deploymentId, key };
  const change = (part: State) => setState((before) => ({ ...before, ...part }));
  const isRunning = state.run?.isRunning === true;
  const row = threads.find((thread) => thread.id === state.id && thread.deployment_id === deploymentId);
  useEffect(() => {
    let isCurrent = true;
    if (state.id === undefined || isRunning) return;
    readThread(access, state.id, agent.process !== null).then(
      (thread) => isCurrent && change({ thread, run: undefined, unread: undefined }),
      (unread) => isCurrent && change({ unread }),
    );
    return () => {
      isCurrent = false;
    };
  }, [state.id, key, isRunning, row && JSON.stringify(row)]);

  /** Returns whether the thread contains what was sent: a run that failed stored it, a rejected one did not. */
  const start = async (assistant: string, body: RunStart, sent?: string) => {
    let { id } = state;
    let progress = NO_PROGRESS;
    const show = (isRunning: boolean) => change({ id, run: { sent, progress, isRunning } });
    change({ error: undefined });
    show(true);
    try {
      id ??= await createThread(access);
      await run(access, { thread: id, assistant, ...body }, (event, data) => {
        progress = applyEvent(progress, event, data);
        show(true);
      });
      show(false);
      return true;
    } catch (problem) {
      const error = problem as AgentError;
      change({ error, id, run: error.status === 200 ? { sent, progress, isRunning: false } : undefined });
      return error.status === 200;
    }
  };
  const error = state.error ?? state.unread;
  const needsKey = agent.agent_auth !== "none" || error?.status === 401 || key !== "";
  return { ...state, error, agent, access, setKey, needsKey, isRunning, row, start, reset: () => setState({}) };
}
