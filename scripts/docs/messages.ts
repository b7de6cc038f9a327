/** Which page of the website explains which message, so that its search finds them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";

interface Message {
  text: string;
  sources: string[];
  /** The section that explains it; absent where the message explains itself. */
  page?: string;
}

/** The page about what shows a message that explains itself, by the beginning of the path of its source. */
const GUIDES: [source: string, page: string][] = [
  ["provider/resources/deployment/verify/", "verified-rollouts.md"],
  ["provider/resources/deployment/conversations/", "backups.md"],
  ["provider/resources/deployment", "deployment.md"],
  ["provider/resources/assistant", "assistant.md"],
  ["provider/resources/cron", "cron.md"],
  ["provider/resources/thread", "thread.md"],
  ["provider/resources/", "exports.md"],
  ["provider/conversations/", "backups.md"],
  ["provider/functions/", "functions.md"],
  ["provider/settings/", "settings.md"],
  ["sdk/nodejs/components/", "agent-service.md"],
  ["plugin/", "plugin.md"],
  ["cli/adopt", "adopting.md"],
  ["cli/review", "pipelines.md"],
  ["cli/types", "typed-contexts.md"],
  ["", "troubleshooting.md"],
];

/** Returns the messages of each page, by the anchor of the section; an empty one is the beginning of the page. */
export function messagesOfPages(): Record<string, Record<string, string[]>> {
  const { messages } = JSON.parse(readFileSync(join(ROOT, "docs/errors.json"), "utf8")) as { messages: Message[] };
  const pages: Record<string, Record<string, string[]>> = {};
  for (const { text, page, sources } of messages) {
    const [path = "", anchor = ""] = (page ?? guideOf(sources)).split("#");
    pages[path] ??= {};
    const sections = pages[path];
    sections[anchor] = [...(sections[anchor] ?? []), text];
  }
  return pages;
}

function guideOf([source = ""]: readonly string[]): string {
  const [, page = ""] = GUIDES.find(([prefix]) => source.replace("/commands/", "/").startsWith(prefix)) ?? [];
  return page;
}
