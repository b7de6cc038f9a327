import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { AgentError, createThread, graphsOf, sendMessage, type Values } from "../../data/agent";
import { useAdmin } from "../../data/api";
import type { Live } from "../../data/live";
import { linkTo } from "../../data/route";
import type { AgentServer, Deployment } from "../../data/types";
import { visible } from "../../ui/format";
import { Messages } from "../../ui/messages";
import { Status } from "../../ui/status";
import { Code, Json, Problem } from "../../ui/text";
import { AgentThreads } from "./agent-threads";

/** The graphs of every agent that the emulator plays; its own ones come first. */
const BUILT_IN = ["echo", "counter", "interrupt", "failing"];

interface Conversation {
  thread?: string;
  values?: Values;
  /** What was sent and is not part of the state, as far as it is known. */
  sent?: string;
  error?: AgentError;
  isRunning?: boolean;
}

/** Sends messages to the live agent, on one thread until another one is started, and shows its responses. */
export function MessageBox({ live, deployment: { id, active_revision_id } }: { live: Live; deployment: Deployment }) {
  const agent = useAdmin<AgentServer>(`/agents/${encodeURIComponent(id)}`, active_revision_id).data;
  const [text, setText] = useState("");
  const [key, setKey] = useState("");
  const [state, setState] = useState<Conversation>({});
  const graphs = useGraphs(agent, { deploymentId: id, key });
  const send = async () => {
    const access = { deploymentId: id, key };
    const { values } = state;
    let { thread } = state;
    const show = (change: Conversation) => setState({ thread, values, sent: text, ...change });
    show({ isRunning: true });
    setText("");
    try {
      const graph = graphs.selected ?? (await graphs.load());
      thread ??= await createThread(access);
      const answer = await sendMessage(access, thread, graph, text);
      show({ values: answer, sent: undefined });
    } catch (error) {
      // A run that failed has stored the message; a request that was rejected has not.
      const isStored = error instanceof AgentError && error.status === 200;
      if (!isStored) setText(text);
      show({ error: error as AgentError, ...(!isStored && { sent: undefined }) });
    }
  };
  if (!agent) return null;
  const needsKey = agent.agent_auth !== "none" || state.error?.status === 401 || key !== "";
  const prepare = () => {
    // A failure is shown when the message is sent.
    if (!needsKey || key !== "") void graphs.load().catch(() => {});
  };
  return (
    <section aria-labelledby="message" class="message-box">
      <h3 id="message">Send a message</h3>
      <Answer live={live} deploymentId={id} agent={agent} isProtected={needsKey} state={state}>
        {state.thread !== undefined && !state.isRunning && (
          <button type="button" class="link" onClick={() => setState({})}>
            New thread
          </button>
        )}
      </Answer>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "" && !state.isRunning) void send();
        }}
      >
        {needsKey && <KeyField agentAuth={agent.agent_auth} value={key} onChange={setKey} />}
        {graphs.names.length > 1 && (
          <label class="graph">
            Graph
            <select value={graphs.selected} onChange={({ currentTarget }) => graphs.select(currentTarget.value)}>
              {graphs.names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        <label class="text">
          Message to the agent
          <input
            autocomplete="off"
            value={text}
            onFocus={prepare}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={state.isRunning}>
          Send
        </button>
      </form>
      {agent.process && (
        <AgentThreads access={{ deploymentId: id, key }} isProtected={needsKey} version={state.values} />
      )}
    </section>
  );
}

/** The graphs of an agent. Only a process has to be asked, which happens when its user begins to write. */
function useGraphs(agent: AgentServer | undefined, access: { deploymentId: string; key: string }) {
  const [found, setFound] = useState<string[]>();
  const [chosen, select] = useState<string>();
  const emulated = Object.keys(agent?.graphs ?? {});
  const isOwn = (name: string) => !BUILT_IN.includes(name);
  const names = agent?.process ? (found ?? []) : [...emulated.filter(isOwn), ...BUILT_IN];
  const load = async () => {
    if (!agent?.process || found?.length) return names[0] ?? "agent";
    const loaded = await graphsOf(access);
    setFound(loaded);
    // An agent that lists none may still run the usual one.
    return loaded[0] ?? "agent";
  };
  return { names, selected: chosen ?? names[0], select, load };
}

/** What the thread contains, and how its last run ended. */
function Answer({
  live,
  deploymentId,
  agent,
  isProtected,
  state: { thread, values, sent, error, isRunning },
  children,
}: {
  live: Live;
  deploymentId: string;
  agent: AgentServer;
  /** Whether requests need a key, which a link cannot send. */
  isProtected: boolean;
  state: Conversation;
  children: ComponentChildren;
}): JSX.Element {
  const stored = Array.isArray(values?.messages) ? values.messages : [];
  const messages = sent === undefined ? stored : [...stored, { type: "human", content: sent }];
  const row = live.threads.find((candidate) => candidate.id === thread && candidate.deployment_id === deploymentId);
  return (
    <>
      <div role="log" aria-label="Conversation">
        {messages.length > 0 && <Messages messages={messages} />}
        {values && stored.length === 0 && <Json value={values} label="State of the thread" />}
        {isRunning && (
          <p class="hint">
            {live.clock.frozen && !agent.process
              ? "The clock is frozen: the agent responds when it advances."
              : "The agent is working …"}
          </p>
        )}
      </div>
      {error && <Problem>{visible(`${error.message.replace(/[.\s]+$/, "")}. ${adviceFor(error, agent)}`)}</Problem>}
      {thread !== undefined && (
        <p class="thread-link">
          {row ? (
            <a href={linkTo("threads", deploymentId, thread)}>Thread {thread.slice(0, 8)}</a>
          ) : (
            <Code>{thread}</Code>
          )}
          {!row && !isProtected && <a href={`/agents/${deploymentId}/threads/${thread}`}>Thread as JSON</a>}
          {row && <Status status={row.status} />}
          {children}
        </p>
      )}
    </>
  );
}

function adviceFor({ status }: AgentError, { agent_auth, process }: AgentServer): string {
  if (status === 401 && agent_auth !== "none")
    return `The emulator runs with --agent-auth ${agent_auth}, which requires an API key. Enter one below.`;
  if (status === 401) return "The agent itself requires credentials. Enter its API key below.";
  if (status === 404 && !process) return "With --interface-only or --without, agent servers have no runs.";
  return "";
}

/** The key stays in the memory of this page. */
function KeyField({
  agentAuth,
  value,
  onChange,
}: {
  agentAuth: string;
  value: string;
  onChange: (value: string) => void;
}): JSX.Element {
  return (
    <label class="key">
      {agentAuth === "none" ? "API key of the agent" : `API key, required by --agent-auth ${agentAuth}`}
      <input
        type="password"
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
