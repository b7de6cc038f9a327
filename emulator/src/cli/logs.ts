/** `agentgraph-emulator logs`: shows the request log, or the logs of a deployment. */
import { setTimeout as sleep } from "node:timers/promises";
import type { DeploymentLogLine } from "../admin/deployment-logs";
import type { JournalEntry } from "../runtime/request-log";
import { Client } from "./client";
import { type Paint, painter } from "./colors";
import { mistake, type Options, type Subcommand } from "./subcommand";

/** Interval of --follow in milliseconds. */
const lookEvery = 250;
/** Lines without --tail. */
const usualTail = 100;

export const logs: Subcommand = {
  name: "logs",
  summary: "Show the request log, or the logs of a deployment.",
  options: [
    { flags: "--deployment <name>", meaning: "show the build and deploy logs of this deployment (name or ID) instead" },
    { flags: "--type <type>", meaning: "with --deployment: build or deploy (default: both)", read: readType },
    { flags: "--method <method>", meaning: "only requests with this method" },
    {
      flags: "--path <pattern>",
      meaning: "only requests to these paths; * matches any text without a slash, ** any text",
    },
    {
      flags: "--status <status>",
      meaning: "only this status, such as 404 or 4xx; none for closed connections",
      read: readStatus,
    },
    { flags: "--tail <number>", meaning: `number of newest lines to show (default: ${usualTail})`, read: readCount },
    { flags: "-f, --follow", meaning: "keep printing new lines until interrupted" },
  ],
  help: `
Times are those of the emulator's clock. Secrets, credentials and signatures are redacted. The log keeps the newest 10,000
requests until "reset". --json prints one object per line, including queries, bodies and notes.

Examples:
  agentgraph-emulator logs --follow --path '/v2/**'
  agentgraph-emulator logs --status 4xx --json
  agentgraph-emulator logs --deployment my-agent --type build`,

  async run(_words, options, surroundings) {
    const look = options.deployment === undefined ? lookAtJournal(options) : lookAtDeployment(options);
    const client = await Client.find(options, surroundings);
    const paint = painter(surroundings);
    const { stdout } = surroundings;
    let after = 0;
    let limit: number | undefined = Number(options.tail ?? usualTail);
    do {
      const lines: Line[] = await look(client, { after, limit });
      for (const line of lines) stdout.write(`${options.json ? JSON.stringify(line.data) : line.text(paint)}\n`);
      if (lines.length === 0 && !options.follow && !options.json) stdout.write(`${nothing(options, client)}\n`);
      after = lines.at(-1)?.data.id ?? after;
      limit = undefined;
      if (options.follow) await sleep(lookEvery);
    } while (options.follow);
  },
};

interface Line {
  data: { id: number };
  text(paint: Paint): string;
}

type Look = (client: Client, part: { after: number; limit: number | undefined }) => Promise<Line[]>;

function lookAtJournal({ method, path, status, type }: Options): Look {
  if (type !== undefined) throw mistake("--type requires --deployment.");
  return async (client, part) => {
    const { entries } = await client.ask<{ entries: JournalEntry[] }>(
      "GET",
      `journal${queryOf({ method, path, status, ...part })}`,
    );
    return entries.map((data) => ({ data, text: (paint) => showEntry(data, paint) }));
  };
}

function lookAtDeployment({ deployment, type, ...others }: Options): Look {
  const strange = ["method", "path", "status"].find((name) => others[name] !== undefined);
  if (strange !== undefined) {
    throw mistake(`--${strange} cannot be combined with --deployment.`);
  }
  return async (client, part) => {
    const { lines } = await client.ask<{ lines: DeploymentLogLine[] }>(
      "GET",
      `logs${queryOf({ deployment, type, ...part })}`,
    );
    return lines.map((data) => ({ data, text: (paint) => showLine(data, paint) }));
  };
}

function showEntry({ time, method, path, query, status, fault, notes }: JournalEntry, paint: Paint): string {
  const answered = status === null ? paint("red", "---") : paint(status < 400 ? "green" : "red", String(status));
  const remarks = [...(fault === null ? [] : [`fault: ${fault}`]), ...notes].map((remark) =>
    paint("yellow", `(${remark})`),
  );
  return [time, method.padEnd(6), answered, printable(path + queryOf(query)), ...remarks].join("  ");
}

function showLine({ time, revision_id, type, level, message }: DeploymentLogLine, paint: Paint): string {
  const colour = ({ ERROR: "red", WARNING: "yellow" } as const)[level] ?? "gray";
  return [time, revision_id.slice(0, 8), type.padEnd(6), paint(colour, level.padEnd(7)), printable(message)].join("  ");
}

/** Escapes control characters except tabs, so that a line cannot control the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (letter) => (letter === "\t" ? letter : JSON.stringify(letter).slice(1, -1)));
}

function queryOf(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of [value ?? []].flat()) query.append(name, String(one));
  }
  return query.size === 0 ? "" : `?${query}`;
}

function nothing({ deployment, method, path, status }: Options, { url }: Client): string {
  if (deployment !== undefined) return `Deployment ${deployment} has no logs yet.`;
  const isFiltered = [method, path, status].some((value) => value !== undefined);
  return isFiltered ? `No matching requests at ${url}.` : `No requests at ${url} yet.`;
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw mistake("Expected a number from 1.");
}

function readStatus(text: string): string {
  if (/^([1-5](\d\d|xx)|none)$/.test(text)) return text;
  throw mistake("Expected a status such as 404, a class such as 4xx, or none.");
}

function readType(text: string): string {
  if (text === "build" || text === "deploy") return text;
  throw mistake("Expected build or deploy.");
}
