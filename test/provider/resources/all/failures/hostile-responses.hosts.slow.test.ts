/**
 * The whole life of each kind of resource, with every field of every response replaced by values that no API returns.
 */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { UserError } from "../../../../../provider/text/user-error";
import { startAssistants } from "../../../../support/agents/assistants";
import { startCrons } from "../../../../support/agents/crons";
import { startAgents, superstep } from "../../../../support/agents/threads";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { destination } from "../../../../support/exports/destinations";
import { startWorkspace } from "../../../../support/exports/exports";
import { tracingSettings } from "../../../../support/exports/tracing";
import { INTERNAL_ERROR, MAX_MESSAGE } from "../../../../support/hostile/errors";
import { fuzzFields } from "../../../../support/hostile/fuzz";
import { record } from "../../../../support/hostile/recording";
import type { Platform } from "../../../../support/platform";
import { CheckError, isDynamicHost, Stack } from "../../../../support/stack";
import { TestClock } from "../../../../support/time/clock";
import { sampleKinds } from "../kinds";

/** Runs per field of a response; FUZZ_RUNS multiplies them. */
const RUNS = isDynamicHost ? 0.15 : 0.05;

/** Values that once ended an operation with an internal error, by kind and field. */
const REGRESSIONS: Record<string, Record<string, string[]>> = {
  Deployment: { "secrets.1": ["{}"] },
  Thread: { "source_config.custom_url": ['" "', '"ftp://agents.example"'] },
  Assistant: { "source_config.custom_url": ['" "', '"ftp://agents.example"'] },
};

interface Life {
  platform: Platform;
  declared: PropertyMap;
  changed: PropertyMap;
}

/** Kinds with more inputs, or more objects of others, than their samples. */
const KINDS: Record<string, () => Promise<Life>> = {
  Deployment: async () => {
    const platform = (await startAgents()) as Platform;
    const declared = dockerDeployment({ name: "other", secrets: { TOKEN: "s" }, waitFor: "deployed" });
    return { platform, declared, changed: { ...declared, ...withImage("2") } };
  },
  Thread: async () => {
    const agents = await startAgents();
    const supersteps = [superstep({ messages: [{ role: "user", content: "Hello" }] })];
    const declared = agents.threadInputs({ supersteps, ttl: { ttl: 60 } });
    return { platform: agents, declared, changed: { ...declared, metadata: { graph_id: "echo", team: "sales" } } };
  },
  Cron: async () => {
    const { agents, crons } = await startCrons();
    const declared = crons.inputs({ timezone: "Europe/Berlin", metadata: { team: "a" }, config: { tags: ["a"] } });
    return { platform: agents, declared, changed: { ...declared, schedule: "0 4 * * *" } };
  },
  Assistant: async () => {
    const agents = await startAssistants();
    const declared = agents.assistantInputs({ config: { tags: ["a"] }, metadata: { team: "support" } });
    return { platform: agents, declared, changed: { ...declared, context: { prefix: "# " } } };
  },
  BulkExportDestination: async () => {
    const platform = (await startWorkspace()) as Platform;
    const declared = destination(platform, { displayName: "renamed" });
    const credentials = { ...(declared.credentials as PropertyMap), sessionToken: "token" };
    return { platform, declared, changed: { ...declared, credentials } };
  },
  BulkExport: async () => {
    const workspace = await startWorkspace();
    return { platform: workspace, declared: workspace.oneTime(), changed: workspace.oneTime({ waitFor: "none" }) };
  },
  ScheduledBulkExport: async () => {
    const workspace = await startWorkspace();
    return { platform: workspace, declared: workspace.daily(), changed: workspace.daily({ intervalHours: 48 }) };
  },
};

it.each(Object.entries(sampleKinds))(
  "%s: every operation succeeds or fails with an error",
  async (kind, { start }) => {
    const life: Life = await (KINDS[kind] ?? start)();
    const exchanges = await record(life.platform.url, (url) =>
      live(kind, { ...life, url, clock: life.platform.clock }, rethrow),
    );
    const act = (url: string) => live(kind, { ...life, url, clock: new TestClock() }, checkError(kind));
    await fuzzFields({
      name: kind,
      exchanges,
      act,
      checkError: rethrow,
      runs: RUNS,
      examples: REGRESSIONS[kind] ?? {},
    });
  },
  600_000,
);

interface Server extends Life, Pick<Platform, "url" | "clock"> {}

/** Creates, refreshes, changes, imports and deletes a resource. An operation that fails is followed by the next one. */
async function live(kind: string, { url, clock, declared, changed }: Server, onError: (error: unknown) => void) {
  const config = tracingSettings({ url });
  const stack = new Stack({ url, clock }, { kind, name: "other", config });
  const imported = new Stack({ url, clock }, { kind, name: "other", config });
  const id = () => importId(stack, declared);
  await stack.up(declared).catch(onError);
  if (stack.state) await stack.refresh().catch(onError);
  if (stack.state) await stack.up(changed).catch(onError);
  if (stack.state) await stack.refresh().catch(onError);
  if (stack.state && isDynamicHost) await imported.up(changed, imported.host(), { __import: id() }).catch(onError);
  if (stack.state && !isDynamicHost) await imported.import(id()).catch(onError);
  await stack.destroy().catch(onError);
}

function importId({ state }: Stack, { deploymentId }: PropertyMap): string {
  return deploymentId !== undefined && !isDynamicHost ? `${deploymentId}/${state?.id}` : String(state?.id);
}

function rethrow(error: unknown): never {
  throw error;
}

const checkError = (kind: string) => (error: unknown) => {
  if (error instanceof CheckError) return;
  const { name, message } = error as Error;
  const isTyped = error instanceof UserError || name === "InitError";
  const isForUsers = message.startsWith(`${kind} "other": `) && !INTERNAL_ERROR.test(message);
  if (isTyped && isForUsers && message.length < MAX_MESSAGE) return;
  throw new Error(`${name}: ${message.slice(0, 1000)}\n${(error as Error).stack}`);
};
