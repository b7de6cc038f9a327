/** What a thread that waits asks a person, and the value that its graph expects as the answer. */
import { parse } from "./request";

export type Decision = "approve" | "reject" | "text";

export interface Question {
  /** The calls of tools to decide on, or what else was asked. All get the same decision. */
  subjects: { name?: unknown; description?: unknown; value?: unknown }[];
  /** Whether a person may decide so. */
  allows(decision: Decision): boolean;
  /** `text` is the answer, or the reason of a rejection. */
  answer(decision: Decision, text: string): unknown;
}

/** The words of `HITLRequest`, with which a middleware reviews calls of tools, and of `HumanInterrupt`, for inboxes. */
const REVIEW = { approve: "approve", reject: "reject", text: "respond" };
const INBOX = { approve: "accept", reject: "ignore", text: "response" };
const PERMISSIONS = { approve: "allow_accept", reject: "allow_ignore", text: "allow_respond" };

type Fields = Record<string, unknown>;

export function questionOf(value: unknown): Question {
  const {
    action_requests,
    actionRequests = action_requests,
    review_configs,
    reviewConfigs = review_configs,
  } = Object(value);
  if (Array.isArray(actionRequests)) {
    const configs: Fields[] = [reviewConfigs ?? []].flat().map(Object);
    return {
      subjects: actionRequests.map(({ name, args, description }) => ({ name, value: args, description })),
      allows: (decision) =>
        configs.every(({ allowed_decisions, allowedDecisions = allowed_decisions ?? Object.values(REVIEW) }) =>
          [allowedDecisions].flat().includes(REVIEW[decision]),
        ),
      answer(decision, text) {
        const type = REVIEW[decision];
        return {
          decisions: actionRequests.map(() => ({ type, ...(text && type !== "approve" && { message: text }) })),
        };
      },
    };
  }
  const requests: Record<string, Fields | undefined>[] = [value].flat().map(Object);
  if (requests.length > 0 && requests.every(({ action_request }) => action_request))
    return {
      subjects: requests.map(({ action_request, description }) => ({
        name: action_request?.action,
        value: action_request?.args,
        description,
      })),
      allows: (decision) => requests.every(({ config }) => config?.[PERMISSIONS[decision]] === true),
      // The graph receives a list, as from the inbox for which this schema was made.
      answer: (decision, text) =>
        requests.map(() => ({ type: INBOX[decision], args: decision === "text" ? text : null })),
    };
  return {
    subjects: [typeof value === "string" ? { description: value } : { value }],
    allows: () => true,
    answer: (decision, text) => (decision === "text" ? inputOf(text) : decision === "approve"),
  };
}

/** Returns what a person wrote: a JSON object as such, everything else as text. */
export function inputOf(text: string): unknown {
  const value = parse(text);
  return typeof value === "object" && value !== null ? value : text;
}
