/** The list of tasks in the Agent2Agent protocol. */
import { runsOfAssistant } from "../runs/records";
import { formatTime } from "../server/server-traits";
import { lastCheckpointOf } from "../threads/checkpoints";
import { threadBySeq } from "../threads/records";
import { findThread } from "../threads/threads";
import { type Call, SCOPE_HEADER } from "./a2a-send";
import { historyOf, stateOf, type Task, taskIdOf } from "./a2a-tasks";
import { codes, failure, type Outcome } from "./json-rpc";

const DEFAULT_PAGE = 50;
const MAX_PAGE = 100;
const STATES = [
  "submitted",
  "working",
  "completed",
  "failed",
  "canceled",
  "input-required",
  "rejected",
  "auth-required",
];

const invalid = (message: string) => failure(codes.invalidParams, message);

/** Returns the tasks of an assistant, newest first. */
export function listTasks(call: Call): Outcome {
  const { pageSize: size = DEFAULT_PAGE, pageToken = "", status, statusTimestampAfter: after } = call.params;
  if (typeof size !== "number" || !Number.isInteger(size) || size < 1 || size > MAX_PAGE)
    return invalid(`pageSize must be an integer between 1 and ${MAX_PAGE}.`);
  if (typeof pageToken !== "string" || !/^\d*$/.test(pageToken)) return invalid("Invalid pageToken.");
  const state = status == null ? undefined : wordOf(String(status));
  if (state !== undefined && !STATES.includes(state)) return invalid(`Invalid status value: '${status}'.`);
  const afterMs = after == null ? Number.NEGATIVE_INFINITY : Date.parse(String(after));
  if (Number.isNaN(afterMs)) return invalid("statusTimestampAfter must be a valid ISO 8601 timestamp.");
  const matches = tasksOf(call).filter(
    (task) =>
      (state ?? stateOf(call.context, task)) === stateOf(call.context, task) &&
      Date.parse(task.run.updated_at) >= afterMs,
  );
  const offset = Number(pageToken);
  const page = matches.slice(offset, offset + size);
  const next = offset + page.length;
  const nextPageToken = next < matches.length ? String(next) : "";
  const tasks = page.map((task) => toListed(call, task));
  return { result: { tasks, totalSize: matches.length, pageSize: page.length, nextPageToken } };
}

const wordOf = (status: string) =>
  status
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");

/** Returns the tasks that the user can see, each with the run that it has reached. */
function tasksOf({ context, agent, assistant, params }: Call): Task[] {
  const byId = new Map<string, Task>();
  for (const run of runsOfAssistant(context.store, agent.deployment.id, assistant.id)) {
    const record = threadBySeq(context.store, run.thread);
    const thread = record && findThread(context, agent, record.id);
    if (!thread || (params.contextId ?? thread.id) !== thread.id) continue;
    const id = taskIdOf(thread, run);
    if (!byId.has(id)) byId.set(id, { id, thread, run });
  }
  return [...byId.values()];
}

function toListed({ context, params, request }: Call, task: Task) {
  const { id, thread, run } = task;
  const { messages } = lastCheckpointOf(context.store, thread, run.id)?.state ?? {};
  const history = historyOf(context, task, messages, { historyScope: request.header(SCOPE_HEADER), ...params });
  const status = { state: stateOf(context, task), timestamp: formatTime(context, run.updated_at) };
  const artifacts = params.includeArtifacts !== true && { artifacts: [] };
  return { kind: "task", id, contextId: thread.id, status, ...artifacts, ...history };
}
