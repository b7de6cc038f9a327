/** A check that asks the agent a question in a stateless run. */
import type { AgentServerClient } from "../../../api/agent-server/client";
import { describeUnknownTarget, suggestAssistant } from "../../../api/agent-server/unknown-graph";
import { isUnknownPath, parseErrorBody } from "../../../http/error-detail";
import { ignoreHttpError } from "../../../http/errors";
import { isUuid } from "../../../schema/id";
import { isPropertyMap } from "../../../schema/schema";
import { tryOr } from "../../../text/try-or";
import type { AskCheck } from "../schema/verify";
import type { CheckRun, Mismatch } from "./check-run";
import { type AttemptOptions, compare } from "./expectation";
import { describeResponse } from "./http";

/** Asks once. @throws HttpError when the server does not respond. */
export async function ask(
  { assistantId, input, context, config, expect = {} }: AskCheck,
  { server }: Pick<CheckRun, "server">,
  { timeoutMs, show }: AttemptOptions,
): Promise<Mismatch | undefined> {
  const response = await server.runs.wait({ assistantId, input, context, config }, timeoutMs);
  const { status, json, text = "" } = response;
  if (status < 200 || status >= 300) {
    const isMissing = status === 405 || status === 501 || (status === 404 && isUnknownPath(parseErrorBody(json, text)));
    const reason = isMissing ? "the agent server has no stateless runs (POST /runs/wait), which questions need: " : "";
    const unknown = (status === 404 || status === 422) && !isMissing ? await describeUnknown(assistantId, server) : "";
    return { expected: "an answer", actual: `${reason}${describeResponse(response)}${unknown}` };
  }
  const failure = failureIn(json);
  if (failure !== undefined) return { expected: "an answer", actual: `the run failed: ${failure}` };
  if (json === undefined) return { expected: "an answer", actual: `no JSON, but ${describeResponse(response)}` };
  return compare(expect, { text: textOf(json, input), json }, show);
}

/** Returns which graph or assistant the question means, if its server certainly lacks the one that it names. */
async function describeUnknown(assistantId: string, server: AgentServerClient): Promise<string> {
  const unknown = isUuid(assistantId)
    ? await suggestAssistant(assistantId, server).catch(ignoreHttpError)
    : await describeUnknownTarget(assistantId, server).catch(ignoreHttpError);
  return unknown ? `; ${unknown}` : "";
}

/** Returns why a run failed: the status of its response is that of a success. */
function failureIn(json: unknown): string | undefined {
  const error = isPropertyMap(json) ? json.__error__ : undefined;
  if (error === undefined) return undefined;
  if (!isPropertyMap(error)) return JSON.stringify(error);
  const { error: type, message } = unwrap(error);
  return [type, message].filter((part) => typeof part === "string" && part !== "").join(": ") || JSON.stringify(error);
}

/** Servers in JavaScript repeat the error as JSON in its message. */
function unwrap(error: Record<string, unknown>): Record<string, unknown> {
  const inner: unknown = tryOr(() => JSON.parse(String(error.message)), undefined);
  return isPropertyMap(inner) ? inner : error;
}

/** Returns the text of the answer: of the last message, or all texts of a result without messages. */
function textOf(json: unknown, input: unknown): string | undefined {
  const messages = messagesIn(json);
  const last = messages.at(-1);
  if (last === undefined) return textsIn(json).join("\n");
  if (!isQuestion(last, messages.length, input)) return contentOf(last);
  // A run that waits for an answer has asked in its interrupts.
  const { __interrupt__: interrupts } = isPropertyMap(json) ? json : {};
  return interrupts === undefined ? undefined : textsIn(interrupts).join("\n");
}

function messagesIn(value: unknown): unknown[] {
  const { messages } = isPropertyMap(value) ? value : {};
  return [messages].flat().filter((message) => typeof message === "string" || isPropertyMap(message));
}

/** Whether the last message is that of the user, to which the run added nothing. */
function isQuestion(message: unknown, count: number, input: unknown): boolean {
  const { type, role } = isPropertyMap(message) ? message : {};
  if (type !== "human" && role !== "user") return false;
  return count <= messagesIn(input).length || textsIn(input).includes(contentOf(message));
}

function contentOf(message: unknown): string {
  const content = isPropertyMap(message) ? message.content : message;
  const blocks = [content].flat().map((block) => (isPropertyMap(block) ? block.text : block));
  return blocks.filter((text) => typeof text === "string").join("");
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
