// Talks to the deployed agent: npm test
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

test("the agent greets with the greeting of its assistant", async () => {
  const outputs = execFileSync("pulumi", ["stack", "output", "--json"], { encoding: "utf8" });
  const { url, assistantId, threadId } = JSON.parse(outputs);
  const input = { messages: [{ type: "human", content: "Ada" }] };
  const response = await fetch(`${url}/threads/${threadId}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ assistant_id: assistantId, input }),
  });
  assert.equal(response.status, 200);
  const { messages } = await response.json();
  assert.equal(messages.at(-1).content, "Good morning: Ada");
});
