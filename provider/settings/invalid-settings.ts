/** Says which values of settings are not valid, and what is expected. */
import { z } from "zod";
import { isLoopback } from "../http/loopback";
import { valueAt } from "../schema/schema";
import { formatIssue, printed } from "../text/issue-message";
import type { SettingSources } from "./base-url";
import { howToCorrect } from "./setting-warnings";
import { isSecretSetting, type SettingKey, schemaOf } from "./settings-schema";

const EXAMPLES: Partial<Record<SettingKey, string>> = {
  vocabulary: '{"githost": "github"}',
  agentHeaders: '{"X-Team": "payments"}',
  agentOrigins: '["https://agents.example.com"]',
  streamLogs: 'true or ["support-agent"]',
};

/** Returns one message with all invalid values, and where each comes from. */
export function describeIssues(error: z.ZodError, raw: Record<string, unknown>, sources: SettingSources): string {
  const lines = error.issues.map((issue) => {
    const key = issue.path[0] as SettingKey;
    const source = sources[key] ?? "the settings";
    const text = `  ${issue.path.join(".")}: ${describeIssue(issue, key, raw)} (from ${source})`;
    const url = withScheme(`${raw[key]}`);
    const lacksScheme =
      issue.code === "invalid_format" && issue.format === "url" && /^\w[\w.:/-]*$/.test(`${raw[key]}`);
    return lacksScheme && URL.canParse(url)
      ? `${text}\n    To add the scheme, ${howToCorrect(sources[key], url)}`
      : text;
  });
  return `Invalid settings:\n${[...new Set(lines)].join("\n")}`;
}

const withScheme = (text: string): string => {
  const secure = `https://${text}`;
  return URL.canParse(secure) && isLoopback(new URL(secure)) ? `http://${text}` : secure;
};

function describeIssue(issue: z.core.$ZodIssue, key: SettingKey, raw: Record<string, unknown>): string {
  const schema = schemaOf(key);
  const example = EXAMPLES[key];
  const isWhole = /^invalid_(type|union)$/.test(issue.code) && issue.path.length === 1;
  const actual = isSecretSetting(key) ? "" : `, not ${printed(raw[key])}`;
  if (isWhole && example) return `must be JSON such as ${example}${actual}.`;
  if (isWhole && schema instanceof z.ZodBoolean) return `must be true or false${actual}.`;
  if (isWhole && schema instanceof z.ZodNumber) return `must be a number${actual}.`;
  return formatIssue(issue, valueAt(raw, issue.path), isSecretSetting(key));
}
