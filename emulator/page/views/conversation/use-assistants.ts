import { useEffect, useState } from "preact/hooks";
import { type Assistant, assistantsOf } from "../../data/agent/threads";
import { useLive } from "../../data/live";
import type { Conversation } from "./use-conversation";

/** The assistants of an agent, own ones first. A process is asked for its own once a user writes or opens a thread. */
export function useAssistants({ agent, access, thread }: Conversation) {
  const { assistants } = useLive();
  const [found, setFound] = useState<Assistant[]>();
  const [chosen, select] = useState<string>();
  const own = assistants
    .filter((row) => row.deployment_id === access.deploymentId && !/"created_by": ?"system"/.test(row.metadata))
    .map(({ id, name, graph_id }) => ({ id, name, graph: graph_id, isDefault: false }));
  const all = found ?? [...(agent.process ? [] : own), ...defaultsOf(agent.graphs)];
  const load = async () => {
    if (!agent.process || found) return all;
    // A failure shows with that of the run.
    const loaded = await assistantsOf(access).catch(() => []);
    if (loaded.length === 0) return all;
    setFound(loaded);
    return loaded;
  };
  useEffect(() => {
    if (thread) void load();
  }, [thread === undefined]);
  /** Of these, the one that was chosen, else the one that ran last on the thread, else the first. */
  const selectedOf = (all: Assistant[]): string => {
    const { assistant_id, graph_id } = thread?.metadata ?? {};
    const last =
      all.find(({ id }) => id === assistant_id) ?? all.find(({ isDefault, graph }) => isDefault && graph === graph_id);
    // An agent that lists none may still run the usual one.
    return chosen ?? last?.id ?? all[0]?.id ?? "agent";
  };
  return { all, load, select, selectedOf };
}

/** Built-in graphs that every agent has come last. */
function defaultsOf(graphs: Readonly<Record<string, string>>): Assistant[] {
  const names = Object.keys(graphs).sort((a, b) => Number(graphs[a] === a) - Number(graphs[b] === b));
  return names.map((name) => ({ id: name, name, graph: name, isDefault: true }));
}
