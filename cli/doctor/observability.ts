/** Reports what shows the requests and rollouts of a run: the settings for logs, and traces. */
import { kindOfToken, parseUrn } from "../../provider/definition/type-token";
import type { Settings } from "../../provider/settings/settings";
import { collectorOf, ENDPOINT } from "../../provider/telemetry/open-trace";
import { closestMatch } from "../../provider/text/did-you-mean";
import type { Check } from "../shared/check";
import type { StateResource } from "../shared/pulumi/state";
import type { CommandContext } from "../shared/subcommand";

/** The variable in place of the option `--otel-traces` of the Pulumi CLI. */
const TRACES_OPTION = "PULUMI_OPTION_OTEL_TRACES";

/** Returns a check for each that is active. @param settings Undefined if they are invalid. */
export function checkObservability(
  settings: Settings | undefined,
  resources: readonly StateResource[],
  { env }: CommandContext,
): Check[] {
  return [
    ...(settings ? [...checkStreamLogs(settings, resources), ...checkRequestLog(settings)] : []),
    ...checkTraces(env),
  ];
}

/** Shows which logs are streamed, if any, and names that the state does not have: a misspelled one has no effect. */
function checkStreamLogs({ streamLogs, sources }: Settings, resources: readonly StateResource[]): Check[] {
  const id = "streamLogs";
  if (streamLogs === false) return [];
  const which = streamLogs === true ? "all deployments" : streamLogs.join(", ");
  const active: Check = { id, status: "ok", message: `${id}: shows the logs of ${which}, from ${sources[id]}` };
  const deployments = resources.flatMap(({ type = "", urn = "" }) =>
    kindOfToken(type) === "Deployment" ? [parseUrn(urn).name] : [],
  );
  const unknown = streamLogs === true ? [] : streamLogs.filter((name) => !deployments.includes(name));
  if (deployments.length === 0 || unknown.length === 0) return [active];
  const suggestions = unknown.flatMap((name) => closestMatch(name, deployments) ?? []);
  const hint = suggestions.length > 0 ? `; did you mean ${suggestions.join(", ")}?` : "";
  const message = `${id}: the state has no Deployment named ${unknown.join(", ")}${hint}`;
  return [
    active,
    { id, status: "note", message, remedy: "Check the spelling, unless the program is going to create it." },
  ];
}

function checkRequestLog({ requestLog, requestLogBodies, sources }: Settings): Check[] {
  const id = "requestLog";
  if (requestLog === undefined) return [];
  const bodies = requestLogBodies ? " with bodies" : "";
  return [{ id, status: "ok", message: `${id}: appends each request${bodies} to ${requestLog}, from ${sources[id]}` }];
}

function checkTraces(env: NodeJS.ProcessEnv): Check[] {
  const option = env[TRACES_OPTION];
  const [target, variable] = option ? [withoutQuery(option), TRACES_OPTION] : [collectorOf(env), ENDPOINT];
  if (target === undefined) return [];
  return [
    { id: "traces", status: "ok", message: `traces: exported to ${target}, from the environment variable ${variable}` },
  ];
}

/** The query may contain the API key of a collector. */
const withoutQuery = (url: string) => url.split("?", 1)[0];
