/** `agentgraph-emulator logs`: shows the request log, or the logs of a deployment. */
import { setTimeout as sleep } from "node:timers/promises";
import type { DeploymentLogLine, RequestLogEntry } from "../runtime/descriptions";
import { printable, printableJson, printableValue } from "../runtime/text/printable";
import { Client } from "./client";
import { createPaint, type Paint } from "./colors";
import { type Options, type Subcommand, usageError } from "./subcommand";

/** Interval of --follow in milliseconds. */
const FOLLOW_INTERVAL_MS = 250;
/** Lines without --tail. */
const DEFAULT_TAIL = 100;

export const logs: Subcommand = {
  name: "logs",
  summary: "Show the request log, or the logs of a deployment.",
  options: [
    { flags: "--deployment <name>", meaning: "show the build and deploy logs of this deployment (name or ID) instead" },
    { flags: "--type <type>", meaning: "with --deployment: build or deploy (default: both)", parse: parseType },
    { flags: "--method <method>", meaning: "only requests with this method" },
    {
      flags: "--path <pattern>",
      meaning: "only requests to these paths; * matches any text without a slash, ** any text",
    },
    {
      flags: "--status <status>",
      meaning: "only this status, such as 404 or 4xx; none for closed connections",
      parse: parseStatus,
    },
    {
      flags: "--tail <number>",
      meaning: `number of newest lines to show (default: ${DEFAULT_TAIL})`,
      parse: parseCount,
    },
    { flags: "-f, --follow", meaning: "keep printing new lines until interrupted" },
  ],
  help: `
Times are those of the emulator's clock. Secrets, credentials and signatures are redacted. The log keeps the newest
100,000 requests until "reset". --json prints one object per line, including queries, bodies and notes.

Examples:
  agentgraph-emulator logs --follow --path '/v2/**'
  agentgraph-emulator logs --status 4xx --json
  agentgraph-emulator logs --deployment my-agent --type build`,

  async run(_args, options, io) {
    const readLines = options.deployment === undefined ? requestLogReader(options) : deploymentLogReader(options);
    const client = await Client.find(options, io);
    const paint = createPaint(io);
    const { stdout } = io;
    let after = 0;
    let limit: number | undefined = Number(options.tail ?? DEFAULT_TAIL);
    do {
      const lines: Line[] = await readLines(client, { after, limit });
      for (const line of lines) stdout.write(`${options.json ? printableJson(line.data) : line.text(paint)}\n`);
      if (lines.length === 0 && !options.follow && !options.json)
        stdout.write(`${printable(emptyMessage(options, client))}\n`);
      after = lines.at(-1)?.data.id ?? after;
      limit = undefined;
      if (options.follow) await sleep(FOLLOW_INTERVAL_MS);
    } while (options.follow);
  },
};

interface Line {
  data: { id: number };
  text(paint: Paint): string;
}

type LineReader = (client: Client, part: { after: number; limit: number | undefined }) => Promise<Line[]>;

function requestLogReader({ method, path, status, type }: Options): LineReader {
  if (type !== undefined) throw usageError("--type requires --deployment.");
  return async (client, part) => {
    const { entries } = await client.request<{ entries: RequestLogEntry[] }>(
      "GET",
      `request-log${toQuery({ method, path, status, ...part })}`,
    );
    // The query is encoded as in a URL.
    const shown = (data: RequestLogEntry) => ({ ...printableValue(data), query: data.query });
    return entries.map((data) => ({ data, text: (paint) => formatEntry(shown(data), paint) }));
  };
}

function deploymentLogReader({ deployment, type, ...others }: Options): LineReader {
  const unexpected = ["method", "path", "status"].find((name) => others[name] !== undefined);
  if (unexpected !== undefined) {
    throw usageError(`--${unexpected} cannot be combined with --deployment.`);
  }
  return async (client, part) => {
    const { lines } = await client.request<{ lines: DeploymentLogLine[] }>(
      "GET",
      `logs${toQuery({ deployment, type, ...part })}`,
    );
    return lines.map((data) => ({ data, text: (paint) => formatLine(printableValue(data), paint) }));
  };
}

function formatEntry({ id, time, method, path, query, status, fault, notes }: RequestLogEntry, paint: Paint): string {
  const statusText = status === null ? paint("red", "---") : paint(status < 400 ? "green" : "red", String(status));
  // Clients show the ID of what failed.
  const requestId = status === null || status < 400 ? [] : [`request ID ${id}`];
  const notesText = [...(fault === null ? [] : [`fault: ${fault}`]), ...notes, ...requestId].map((note) =>
    paint("yellow", `(${note})`),
  );
  return [time, method.padEnd(6), statusText, path + toQuery(query), ...notesText].join("  ");
}

function formatLine({ time, revision_id, type, level, message }: DeploymentLogLine, paint: Paint): string {
  const color = ({ ERROR: "red", WARNING: "yellow" } as const)[level] ?? "gray";
  return [time, revision_id.slice(0, 8), type.padEnd(6), paint(color, level.padEnd(7)), message].join("  ");
}

function toQuery(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const item of [value ?? []].flat()) query.append(name, String(item));
  }
  return query.size === 0 ? "" : `?${query}`;
}

function emptyMessage({ deployment, method, path, status }: Options, { url }: Client): string {
  if (deployment !== undefined) return `Deployment ${deployment} has no logs yet.`;
  const isFiltered = [method, path, status].some((value) => value !== undefined);
  return isFiltered ? `No matching requests at ${url}.` : `No requests at ${url} yet.`;
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw usageError("Expected a number from 1.");
}

function parseStatus(text: string): string {
  if (/^([1-5](\d\d|xx)|none)$/.test(text)) return text;
  throw usageError("Expected a status such as 404, a class such as 4xx, or none.");
}

function parseType(text: string): string {
  if (text === "build" || text === "deploy") return text;
  throw usageError("Expected build or deploy.");
}
