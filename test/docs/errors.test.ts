/**
 * docs/errors.json is the index of all messages, which test/sdk/generated-files.slow.test.ts keeps up to date. Each
 * message says what to do, or a page explains it; and what pages quote exists.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { anchorsOf, blocksOf, ROOT, textOf } from "./support/markdown";
import { EXCEPTIONS, namesRemedy } from "./support/remedies";

interface Message {
  text: string;
  kind: "error" | "warning" | "part";
  sources: string[];
  page?: string;
}

const { messages } = JSON.parse(textOf("docs/errors.json")) as { messages: Message[] };
const whole = messages.filter(({ kind }) => kind !== "part");
const page = textOf("docs/errors.md");

/** Whether a message contains the constant parts of a quote in their order. */
function isQuote(quote: string, { text }: Message): boolean {
  let from = 0;
  return quote.split("…").every((part) => {
    const at = text.indexOf(part.trim(), from);
    from = at + part.trim().length;
    return at >= 0;
  });
}
const exists = (quote: string) => messages.some((message) => isQuote(quote, message));
const [beforeCli = ""] = page.split("\n## Messages of the Pulumi CLI");
const headings = [...beforeCli.matchAll(/^### (?:`` ?(.+?) ?``|`([^`]+)`)$/gm)].map(
  ([, withCode, plain]) => withCode ?? plain ?? "",
);

test("docs/errors.json has errors, warnings and parts of the provider, the plugin, the SDK and the commands", () => {
  const folders = ["cli", "plugin", "provider", "sdk"];
  expect([...new Set(messages.flatMap(({ sources }) => sources.map((file) => file.split("/")[0])))].sort()).toEqual(
    folders,
  );
  expect(whole.length).toBeGreaterThan(250);
  expect(messages.flatMap(({ sources }) => sources).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test("every heading of docs/errors.md below a subject is a message", () => {
  expect(headings.length).toBeGreaterThan(30);
  expect(beforeCli.match(/^### /gm)).toHaveLength(headings.length);
  expect(headings.filter((heading) => !exists(heading))).toEqual([]);
});

test.each(["troubleshooting", "thread"])("every message in a block of docs/%s.md exists", (name) => {
  const quoted = blocksOf(`docs/${name}.md`).filter(
    ({ language, notes }) => language === "text" && !("output" in notes),
  );
  const lines = quoted.flatMap(({ text }) => text.trimEnd().split("\n"));
  expect(lines.filter((line) => !exists(line))).toEqual([]);
});

test("every page that the index names for a message has the heading", () => {
  const pages = [...new Set(messages.flatMap((message) => message.page ?? []))];
  expect(pages.length).toBeGreaterThan(30);
  const isDead = (target: string) => {
    const [file = "", anchor = ""] = target.split("#");
    return !anchorsOf(textOf(`docs/${file}`)).has(anchor);
  };
  expect(pages.filter(isDead)).toEqual([]);
});

test("every error and warning says what to do, or a page explains it", () => {
  const isKnown = ({ text }: Message) => EXCEPTIONS.some((beginning) => text.startsWith(beginning));
  const unclear = whole.filter((message) => !message.page && !namesRemedy(message.text) && !isKnown(message));
  expect(unclear.map(({ text, sources }) => `${sources[0]}: ${text}`)).toEqual([]);
});

test("every exception is a message without a remedy, so none outlives its message", () => {
  const needed = whole.filter((message) => !message.page && !namesRemedy(message.text));
  expect(EXCEPTIONS.filter((beginning) => !needed.some(({ text }) => text.startsWith(beginning)))).toEqual([]);
});
