/** Responses with malformed fields: they fail with typed errors, and state is unchanged. */

import type { PropertyMap } from "../../../../provider/schema/schema";
import { UserError } from "../../../../provider/text/user-error";
import { startAssistants } from "../../../support/assistants";
import { cronsOf } from "../../../support/crons";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { destination, destinationStack } from "../../../support/destinations";
import { failureOf } from "../../../support/errors";
import { startWorkspace } from "../../../support/exports";
import { type Platform, startPlatform } from "../../../support/platform";
import { Stack } from "../../../support/stack";
import { startAgents } from "../../../support/threads";

type Started = { platform: Platform; stack: Stack; declared: PropertyMap; path: string };

const kinds: Record<string, [start: () => Promise<Started>, odd: Record<string, unknown>]> = {
  Deployment: [
    async () => {
      const platform = await startPlatform();
      return { platform, stack: new Stack(platform), declared: dockerDeployment(), path: "/v2/deployments/*" };
    },
    { secrets: {}, source_config: [], source_revision_config: "x", secret_references: 5, latest_revision_id: {} },
  ],
  BulkExportDestination: [
    async () => {
      const platform = await startPlatform();
      const path = "/api/v1/bulk-exports/destinations/*";
      return { platform, stack: destinationStack(platform), declared: destination(platform), path };
    },
    { credentials_keys: 5, config: "x", display_name: {} },
  ],
  ScheduledBulkExport: [
    async () => {
      const ws = await startWorkspace();
      const path = "/api/v1/bulk-exports/*";
      return { platform: ws, stack: ws.stack("ScheduledBulkExport"), declared: ws.daily(), path };
    },
    { export_fields: {}, status: [], interval_hours: {}, filter: ["x"] },
  ],
  Cron: [
    async () => {
      const agents = await startAgents();
      const crons = cronsOf(agents);
      return { platform: agents, stack: crons.stack(), declared: crons.inputs(), path: "/agents/*/runs/crons/*" };
    },
    { metadata: "x", payload: [], schedule: {}, enabled: [] },
  ],
  Thread: [
    async () => {
      const agents = await startAgents();
      return { platform: agents, stack: agents.stack(), declared: agents.threadInputs(), path: "/agents/*/threads/*" };
    },
    { metadata: "x", ttl: [] },
  ],
  Assistant: [
    async () => {
      const agents = await startAssistants();
      return {
        platform: agents,
        stack: agents.assistantStack(),
        declared: agents.assistantInputs(),
        path: "/agents/*/assistants/*",
      };
    },
    { metadata: "x", config: [], version: "x", name: {} },
  ],
};

const cases = Object.entries(kinds).flatMap(([kind, [start, malformed]]) =>
  Object.entries(malformed).map(([field, value]) => [kind, field, value, start] as const),
);

it.each(cases)("a %s whose %s is %j fails a refresh with the field's name", async (_kind, field, value, start) => {
  const { platform, stack, declared, path } = await start();
  await stack.up(declared);
  const before = structuredClone(stack.state);
  const whole = await responseOf(platform, stack, path);
  await platform.emulator.faults.add({
    method: "GET",
    path,
    status: 200,
    body: { ...whole, [field]: value },
    times: 20,
  });
  const error = await failureOf(stack.refresh());
  expect(error).toBeInstanceOf(UserError);
  const camel = field.replace(/_[a-z]/g, (part) => part.charAt(1).toUpperCase());
  expect(error.message).toMatch(new RegExp(`GET .*: 200: unexpected response: ${camel}.* is not `));
  expect(stack.state).toEqual(before);
});

/** Returns the server's response to a read of the stack's resource. */
async function responseOf(platform: Platform, stack: Stack, path: string): Promise<PropertyMap> {
  const id = String(stack.state?.id);
  const base = path.replace(/\*$/, id).replace("/agents/*", `/agents/${stack.state?.inputs.deploymentId}`);
  const headers = { "x-api-key": "somebody-else", "x-tenant-id": "11111111-1111-4111-8111-111111111111" };
  return (await platform.call("GET", base, undefined, headers)).body as unknown as PropertyMap;
}
