/** What a server does that authenticates users. */
import { human, type Step, step, threadId } from "./step.ts";

const custom = "5B.custom";
const owner = "2B.agentgraph_auth_user_id";
const as = (user: string) => ({ headers: { authorization: `Bearer ${user}` } });
const withBody = (user: string, body: unknown) => ({ ...as(user), body });
const thread = `/threads/${threadId(71)}`;

const steps: readonly Step[] = [
  step("auth-ok", "GET /ok", `${custom}:health`),
  step("auth-info", "GET /info", `${custom}:health`),
  step("auth-missing", `GET ${thread}`, `${custom}:missing`),
  step("auth-missing-create", "POST /threads", `${custom}:missing`, { body: {} }),
  step("auth-other-scheme", `GET ${thread}`, `${custom}:missing`, { headers: { authorization: "Basic YTpi" } }),
  step("auth-forbidden", `GET ${thread}`, `${custom}:forbidden`, as("nobody")),
  step("auth-forbidden-create", "POST /threads", `${custom}:forbidden`, withBody("nobody", {})),
  step("auth-forbidden-search", "POST /assistants/search", `${custom}:forbidden`, withBody("nobody", {})),
  step("auth-create", "POST /threads", `${custom}, ${owner}`, withBody("alice", { thread_id: threadId(71) })),
  step("auth-create-owner", "POST /threads", owner, {
    ...withBody("alice", { thread_id: threadId(72), metadata: { agentgraph_auth_user_id: "bob", kept: 1 } }),
  }),
  step("auth-read", `GET ${thread}`, custom, as("alice")),
  step("auth-read-other", `GET ${thread}`, custom, as("bob")),
  step("auth-patch-other", `PATCH ${thread}`, custom, withBody("bob", { metadata: { mine: 1 } })),
  step("auth-state-other", `GET ${thread}/state`, custom, as("bob")),
  step("auth-history-other", `POST ${thread}/history`, custom, withBody("bob", { limit: 1 })),
  step("auth-copy-other", `POST ${thread}/copy`, custom, as("bob")),
  step("auth-create-taken", "POST /threads", custom, withBody("bob", { thread_id: threadId(71) })),
  step("auth-create-taken-do-nothing", "POST /threads", custom, {
    ...withBody("bob", { thread_id: threadId(71), if_exists: "do_nothing" }),
  }),
  step("auth-search", "POST /threads/search", custom, withBody("bob", { select: ["thread_id"] })),
  step("auth-assistants", "POST /assistants/search", "2B.Assistant.default:owner", withBody("alice", {})),
  step("auth-default-run", "POST /runs/wait", "2B.Assistant.default:owner", {
    ...withBody("alice", { assistant_id: "echo", input: { messages: [human("Hello")] } }),
  }),
  step("auth-delete-other", `DELETE ${thread}`, custom, as("bob")),
  step("auth-delete", `DELETE ${thread}`, custom, as("alice")),
];

export const authenticatedSteps: readonly Step[] = steps.map((one) => ({ ...one, authenticated: true }));
