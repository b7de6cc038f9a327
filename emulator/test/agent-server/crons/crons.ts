import type { EmulatorOptions } from "../../../src";
import { type Agent, startAgent } from "../../support/agent-server";

const MINUTE = 60_000;

/** The ID of the default assistant of `echo`: its UUID v5, by another implementation. */
export const echoId = "046b5dc7-2108-582c-9c6c-31d556d138f0";

/** The fields of crons that tests read. */
export interface Cron {
  cron_id: string;
  thread_id: string | null;
  metadata: Record<string, unknown>;
  payload: Record<string, unknown>;
  next_run_date: string;
  created_at: string;
  updated_at: string;
}

/** Starts an agent one second after a full minute, so that no result depends on the second at which a test begins. */
export async function startAtFullMinute(options: EmulatorOptions): Promise<Agent> {
  const agent = await startAgent(options);
  await agent.advance(MINUTE - (Date.parse(agent.emulator.clock.read().now) % MINUTE) + 1000);
  return agent;
}

/** Creates a stateless cron. */
export async function createCron(agent: Agent, body: object): Promise<Cron> {
  const response = await agent.call("POST", "/runs/crons", body);
  expect([body, response]).toMatchObject([body, { status: 200 }]);
  return response.body as unknown as Cron;
}

export async function getCron(agent: Agent, id: string): Promise<Cron> {
  const response = await agent.call("GET", `/runs/crons/${id}`);
  expect(response).toMatchObject({ status: 200 });
  return response.body as unknown as Cron;
}
