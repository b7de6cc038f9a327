import { EventSourceParserStream } from "eventsource-parser/stream";
import { type AgentAccess, AgentError, isMissing, parse, readJson, send } from "./request";

/** What a run begins with: an input, or the answer to the question of a thread that waits. */
export type RunStart = { input: unknown } | { command: { resume: unknown } };

/** The state after each step, what each step wrote, and tokens as a model returns them. */
const STREAM_MODES = ["values", "updates", "messages-tuple"];

/**
 * Runs an assistant on a thread until the run ends. `onEvent` receives what the server streams, or the final state as
 * `values` from one that does not. @throws AgentError with the status 200 for a run that failed
 */
export async function run(
  access: AgentAccess,
  { thread, assistant, ...start }: RunStart & { thread: string; assistant: string },
  onEvent: (event: string, data: unknown) => void,
): Promise<void> {
  const path = `/threads/${encodeURIComponent(thread)}/runs`;
  const body = { assistant_id: assistant, ...start };
  const stream = { ...body, stream_mode: STREAM_MODES };
  const response = await send(access, "POST", `${path}/stream`, stream).catch((error: AgentError) => {
    if (isMissing(error)) return send(access, "POST", `${path}/wait`, body);
    throw error;
  });
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
    const values = await readJson(response);
    const { __error__ } = Object(values);
    if (__error__ !== undefined) throw toError(__error__);
    return onEvent("values", values);
  }
  const reader = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (let next = await reader.read(); next.value; next = await reader.read()) {
    const { event = "", data } = next.value;
    if (event === "error") throw toError(parse(data));
    onEvent(event, parse(data));
  }
}

const toError = (failure: unknown) => new AgentError(200, describeFailure(failure));

/** Describes the error of a run or a thread, which is a text or an object. */
export function describeFailure(failure: unknown): string {
  const { error, message } = Object(failure);
  return typeof failure === "string" ? failure : [error, message].filter(Boolean).join(": ") || "The run failed.";
}
