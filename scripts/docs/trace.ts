/** Reads what `pulumi up --otel-traces file://…` wrote, and selects what the picture shows. */
import type { DrawnSpan } from "./trace-svg.ts";

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string };
}

interface Span {
  spanId: string;
  parentSpanId: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Attribute[];
  events?: { name: string; timeUnixNano: string }[];
  status?: { code?: number };
  isOurs: boolean;
}

/**
 * Returns the spans of the operation and of all that the engine did above it, as lines of JSON. Of the engine's spans,
 * only names and times are kept, because attributes contain paths of this machine.
 * @param operation The name of the operation's span.
 */
export function selectSpans(file: string, operation: string): string {
  const spans = file
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line).resourceSpans)
    .flatMap(({ resource, scopeSpans }): Span[] => {
      const isOurs = JSON.stringify(resource).includes('"pulumi-agentgraph"');
      return scopeSpans.flatMap(({ spans }: { spans: Span[] }) => spans).map((span: Span) => ({ ...span, isOurs }));
    });
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const ancestors = (span: Span): Span[] => {
    const parent = byId.get(span.parentSpanId);
    return parent ? [...ancestors(parent), parent] : [];
  };
  const top = spans.find(({ name, isOurs }) => isOurs && name === operation);
  if (!top) throw new Error(`The trace has no span named ${operation}.`);
  const above = ancestors(top);
  const start = nanoseconds(above[0]?.startTimeUnixNano);
  const below = (span: Span, depth: number): DrawnSpan[] => {
    const children = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
    children.sort((left, right) => Number(nanoseconds(left.startTimeUnixNano) - nanoseconds(right.startTimeUnixNano)));
    return [toDrawn(span, depth, start), ...merge(children.flatMap((child) => below(child, depth + 1)))];
  };
  const drawn = [...above.map((span, depth) => toDrawn(span, depth, start)), ...below(top, above.length)];
  return `${drawn.map((span) => JSON.stringify(span)).join("\n")}\n`;
}

function toDrawn(span: Span, depth: number, start: bigint): DrawnSpan {
  const at = (time: string) => Number((nanoseconds(time) - start) / 1_000_000n);
  const attribute = (name: string) => span.attributes?.find(({ key }) => key === name)?.value;
  const status = attribute("http.response.status_code")?.intValue;
  const isRequest = attribute("http.request.method") !== undefined;
  const kind = span.name.startsWith("wait for ") ? "wait" : isRequest ? "request" : "operation";
  return {
    name: span.name.replace("pulumirpc.ResourceProvider/", ""),
    ...{ depth, count: 1, startMs: at(span.startTimeUnixNano), endMs: at(span.endTimeUnixNano) },
    kind: span.isOurs ? kind : "engine",
    ...(status !== undefined && { status: Number(status) }),
    isFailed: span.isOurs && span.status?.code === 2,
    events: span.isOurs ? (span.events ?? []).map(({ name, timeUnixNano }) => ({ name, atMs: at(timeUnixNano) })) : [],
  };
}

/** Merges polls: requests that follow each other and have the same name, depth and status. */
function merge(spans: readonly DrawnSpan[]): DrawnSpan[] {
  const merged: DrawnSpan[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    const isSame = last?.name === span.name && last.depth === span.depth && last.status === span.status;
    if (last && isSame && span.kind === "request" && !span.isFailed)
      merged.splice(-1, 1, { ...last, count: last.count + span.count, endMs: span.endMs });
    else merged.push(span);
  }
  return merged;
}

const nanoseconds = (time = "0") => BigInt(time);

/** Reads what `selectSpans` returned. */
export const readSpans = (text: string): DrawnSpan[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** What differs from run to run: times, and how often a status was polled. */
export const maskSpans = (text: string) => text.replace(/"(startMs|endMs|atMs|count)":\d+/g, '"$1":0');
