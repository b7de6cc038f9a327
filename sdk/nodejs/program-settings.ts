/** Checks the settings of a program, with its first resource or function call. */
import * as pulumi from "@pulumi/pulumi";
import { environmentName } from "../../provider/settings/servers";
import type { SettingIssue } from "../../provider/settings/setting-issues";
import { describeUnknownArgument, settingIssues, settingKeys } from "./setting-keys";

/** Warnings already shown, for each run of a program: the Automation API runs several in one process. */
const given = new WeakMap<object, Set<string>>();
const NO_ENGINE = {};

/** Environment variables from which explicit Providers read their API keys. */
const referenced = new Set<string>();

/**
 * Checks the settings of the stack. Warnings are delayed until the main module has run: only then is it known which
 * variables explicit Providers read.
 * @throws pulumi.RunError that names every unknown key in the stack configuration.
 */
export function checkSettings(): void {
  const errors = issues().filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new pulumi.RunError(errors.map(textOf).join("\n"));
  const run = (pulumi.runtime.getMonitor() as object | undefined) ?? NO_ENGINE;
  if (given.has(run)) return;
  const known = new Set<string>();
  given.set(run, known);
  setImmediate(() => {
    for (const text of issues().map(textOf)) void pulumi.log.warn(text).catch(() => undefined);
  });
}

const textOf = ({ message, remedy }: SettingIssue) => `${message} ${remedy}`;

function issues(): SettingIssue[] {
  const config = pulumi.runtime.allConfig();
  const environment = Object.keys(process.env).filter((name) => process.env[name]?.trim());
  const named = [config["agentgraph:apiKeyEnv"], process.env[environmentName("apiKeyEnv")]];
  return settingIssues({
    config: Object.keys(config),
    isSecret,
    environment,
    referenced: [...referenced, ...named.flatMap((name) => name ?? [])],
    project: pulumi.getProject(),
  });
}

/** Whether a configuration value is secret. Uses a function of the Pulumi SDK that its types omit. */
function isSecret(key: string): boolean {
  const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret?: (key: string) => boolean };
  return isConfigSecret === undefined || isConfigSecret(key);
}

/** Checks the arguments of an explicit Provider. @throws pulumi.RunError that names every unknown argument. */
export function checkProviderArgs(provider: string, args: object): void {
  const lines = Object.keys(args)
    .filter((key) => !(settingKeys as string[]).includes(key))
    .map((key) => `  ${key}: ${describeUnknownArgument(key)}`);
  if (lines.length > 0) {
    throw new pulumi.RunError([`Provider "${provider}": unknown arguments:`, ...lines].join("\n"));
  }
  const { apiKeyEnv } = args as { apiKeyEnv?: unknown };
  if (typeof apiKeyEnv === "string") referenced.add(apiKeyEnv);
}
