import { type Decision, questionOf } from "../../page/data/agent/questions";

const actions = (names: string[]) => names.map((name) => ({ name, args: { order: 17 }, description: "Refund?" }));

/** What is sent for each decision that a question allows. */
function answersOf(value: unknown, text = "too much"): Partial<Record<Decision, unknown>> {
  const { allows, answer } = questionOf(value);
  const allowed = (["approve", "reject", "text"] as const).filter(allows);
  return Object.fromEntries(
    allowed.map((decision) => [decision, answer(decision, decision === "approve" ? "" : text)]),
  );
}

describe("the answer to a question", () => {
  test("of a plain value is true, false, a text, or a JSON object", () => {
    expect(answersOf("Shall I finish?")).toEqual({ approve: true, reject: false, text: "too much" });
    expect(answersOf({ question: "Continue?" }, '{"amount": 5}')).toMatchObject({ text: { amount: 5 } });
    expect(answersOf([])).toMatchObject({ approve: true });
    expect(questionOf("Shall I finish?").subjects).toEqual([{ description: "Shall I finish?" }]);
    expect(questionOf({ amount: 89.9 }).subjects).toEqual([{ value: { amount: 89.9 } }]);
  });

  test("of a review of tool calls has a decision for each call, among those that the review allows", () => {
    const action_requests = actions(["refund", "close"]);
    const review_configs = ["refund", "close"].map((action_name) => ({
      action_name,
      allowed_decisions: ["approve", "reject"],
    }));
    expect(answersOf({ action_requests, review_configs })).toEqual({
      approve: { decisions: [{ type: "approve" }, { type: "approve" }] },
      reject: { decisions: [1, 2].map(() => ({ type: "reject", message: "too much" })) },
    });
    expect(questionOf({ action_requests }).answer("reject", "")).toEqual({
      decisions: [{ type: "reject" }, { type: "reject" }],
    });
    const subject = { name: "refund", value: { order: 17 }, description: "Refund?" };
    expect(questionOf({ action_requests, review_configs }).subjects[0]).toEqual(subject);
  });

  test("of a review in JavaScript has the same form", () => {
    const reviewConfigs = [{ actionName: "ask", allowedDecisions: ["respond"] }];
    expect(answersOf({ actionRequests: actions(["ask"]), reviewConfigs })).toEqual({
      text: { decisions: [{ type: "respond", message: "too much" }] },
    });
  });

  test("of a request for an inbox is a list, among what its configuration allows", () => {
    const config = { allow_accept: true, allow_ignore: true, allow_respond: true, allow_edit: true };
    const request = { action_request: { action: "refund", args: { order: 17 } }, config, description: "Refund?" };
    const answers = {
      approve: [{ type: "accept", args: null }],
      reject: [{ type: "ignore", args: null }],
      text: [{ type: "response", args: "too much" }],
    };
    expect(answersOf(request)).toEqual(answers);
    expect(answersOf([request])).toEqual(answers);
    expect(answersOf({ ...request, config: { ...config, allow_ignore: false } })).not.toHaveProperty("reject");
    expect(questionOf(request).subjects).toEqual([{ name: "refund", value: { order: 17 }, description: "Refund?" }]);
  });
});
