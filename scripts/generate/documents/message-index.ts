/** docs/errors.json: every text of errors and warnings, with the section of the documentation that explains it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../setup/paths.mjs";
import { messages } from "./messages.ts";
import { MIN_WORDS, wordsIn } from "./text-forms.ts";

interface Quote {
  /** The constant parts of the quoted text. */
  parts: string[];
  /** The page and the anchor of its heading, relative to docs/. */
  page: string;
}

/** The pages that explain messages, the most specific first. */
const PAGES = ["errors.md", "troubleshooting.md", "thread.md"];

const COMMAND = /^(pulumi|agentgraph|npx|npm|curl) /;

const isMessage = (code: string) => wordsIn(code) >= MIN_WORDS && !COMMAND.test(code);
const partsOf = (text: string) =>
  text
    .split("…")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Returns the anchor that common hosts of repositories generate. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

/** Returns the messages that a page quotes below its headings: code, and blocks of text. */
function quotesOf(page: string): Quote[] {
  const quotes: Quote[] = [];
  let [anchor, fence] = ["", ""];
  for (const line of readFileSync(join(ROOT, "docs", page), "utf8").split("\n")) {
    const [, language] = /^ *```(\w*)$/.exec(line) ?? [];
    if (language !== undefined) fence = fence === "" ? language || "code" : "";
    const [, heading] = (fence === "" && /^##+ (.+)/.exec(line)) || [];
    if (heading !== undefined) anchor = anchorOf(heading);
    const inline = fence === "" ? [...line.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code) : [];
    const texts = (fence === "text" ? [line] : inline).filter(isMessage);
    if (anchor !== "") quotes.push(...texts.map((text) => ({ parts: partsOf(text), page: `${page}#${anchor}` })));
  }
  return quotes;
}

/** Whether a text contains the parts of a quote in their order. */
function isQuoted(text: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

const quotes = PAGES.flatMap(quotesOf);
const entries = messages().map((message) => {
  const page = quotes.find(({ parts }) => isQuoted(message.text, parts))?.page;
  return page === undefined ? message : { ...message, page };
});

export const text = `${JSON.stringify({ version: 1, messages: entries }, null, 2)}\n`;
