/** What the demo's agents are configured with, and when they run. */
import { addVersion, insertAssistant } from "../../../agent-server/assistants/records";
import { scheduleCron } from "../../../agent-server/crons/firing";
import { insertCron } from "../../../agent-server/crons/records";
import { nextTime } from "../../../agent-server/crons/schedule";
import { traitsOf } from "../../../agent-server/server/server-traits";
import type { Context } from "../../../runtime/context";
import { uuidFromName } from "./prng";

const support = {
  graph_id: "agent",
  name: "customer support",
  description: "Replies to customers of the shop",
  config: {},
  context: { model: "small-2", prompt: "You help customers of a shoe store." },
  metadata: { team: "support" },
};
const report = { schedule: "0 3 * * *", timezone: "Europe/Berlin", question: "Summarize the complaints of yesterday." };

/** Seeds an assistant of two versions with a nightly cron, where the agent server has crons. */
export function seedAssistant(context: Context, deploymentId: string): void {
  const id = uuidFromName("assistant");
  const assistant = insertAssistant(context, { ...support, id, deployment_id: deploymentId });
  addVersion(context, assistant, { context: { ...support.context, model: "large-2" } });
  if (!traitsOf(context).hasCrons) return;
  const { schedule, timezone, question } = report;
  const [cronId, next] = [uuidFromName("cron"), nextTime(schedule, timezone, context.clock.now())];
  const cron =
    next !== undefined &&
    insertCron(context, {
      ...{ id: cronId, deployment_id: deploymentId, assistant: assistant.seq, thread: null, user_id: "" },
      ...{ schedule, timezone, end_time: null, enabled: true, on_run_completed: "delete", metadata: {} },
      next_run_date: new Date(next).toISOString(),
      payload: {
        ...{ assistant_id: id, schedule, timezone, input: { messages: [{ role: "user", content: question }] } },
        config: { configurable: { cron_id: cronId } },
      },
    });
  if (cron) scheduleCron(context, cron);
}
