/** What was found, where it comes from, and what was written. */
import { SERVERS } from "../../provider/settings/servers";
import type { Found } from "./connect";
import type { Value } from "./values";

interface Report {
  found: Found;
  values: readonly Value[];
  /** Whether the API key was left where it is. */
  keepsKey: boolean;
  stack: string | undefined;
}

const ADOPT = "npx agentgraph adopt --out adopted";

/** Returns lines with a value and its source; a credential has no value. */
function findings({
  settings,
  path,
  platform,
  onlyWorkspace,
}: Found): { name: string; value?: string; source: string }[] {
  const { sources, tenantId, auth } = settings;
  const urls = Object.values(SERVERS).flatMap((name) => {
    const [url, source] = [settings[name], sources[name]];
    if (!url || source === undefined) return [];
    const isMoved = name === "controlPlaneUrl" && path !== undefined;
    const value = (isMoved ? new URL(path, url) : url).href.replace(/\/$/, "");
    return [{ name, value, source: isMoved ? `${source}, found below ${path}` : source }];
  });
  const keys = Object.keys(auth ?? {}) as (keyof NonNullable<typeof auth>)[];
  const workspace = tenantId ?? onlyWorkspace?.id;
  const [first, second] = urls;
  const isOne = first && first.value === second?.value && first.source === second.source;
  return [
    ...(isOne ? [{ ...first, name: "url" }] : urls),
    ...keys.map((name) => ({ name, source: sources[name] ?? "the settings" })),
    ...(platform ? [{ name: "platform", value: platform.title, source: platform.how }] : []),
    ...(workspace === undefined
      ? []
      : [{ name: "workspace", value: workspace, source: sources.tenantId ?? describeOnly(onlyWorkspace) }]),
  ];
}

const describeOnly = (one: Found["onlyWorkspace"]) => `${one?.name ? `${one.name}, ` : ""}the only one of the API key`;

export const toJson = ({ found, values }: Report) => ({
  version: 1 as const,
  found: findings(found),
  // The values of secrets are never shown.
  written: values.map(({ key, value, isSecret }) => ({
    key: `agentgraph:${key}`,
    ...(isSecret ? { secret: true } : { value }),
  })),
  deployments: found.deployments.count,
  moreDeployments: found.deployments.isMore,
});

export function toText({ found, values, keepsKey, stack }: Report): string {
  const { count, isMore } = found.deployments;
  const isOutside = !found.settings.stored.some((key) => key === "apiKey" || key === "bearerToken");
  const lines = findings(found).map(
    ({ name, value, source }) => `  ${name}: ${value ? `${value} (${source})` : `from ${source}`}`,
  );
  const written = values.map(({ key, value, isSecret }) => `  agentgraph:${key}: ${isSecret ? "[secret]" : value}`);
  const where = stack === undefined ? "the selected stack" : `stack ${stack}`;
  const deployments = count === 1 ? "1 deployment exists" : `${count}${isMore ? " or more" : ""} deployments exist`;
  return [
    ...["Found:", ...lines],
    ...(keepsKey && isOutside
      ? ["", "The API key stays where it is, and each run reads it there. --store-key stores it, encrypted."]
      : []),
    "",
    ...(written.length > 0
      ? [`Written to the configuration of ${where}:`, ...written]
      : [`Nothing to write: the configuration of ${where} is complete.`]),
    ...(count > 0 ? ["", `${deployments}. \`${ADOPT}\` writes a program for those that no program manages.`] : []),
    ...["", "Next: `pulumi up`. If it fails, `npx agentgraph doctor` finds out why.", ""],
  ].join("\n");
}
