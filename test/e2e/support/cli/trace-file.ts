/** Reads what `pulumi up --otel-traces file://…` wrote. */
import { readFile } from "node:fs/promises";

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string } }[];
  status: { code?: number; message?: string };
}

/** Returns the spans of this provider, and those of others. */
export async function readTraces(path: string): Promise<{ ours: Span[]; others: Span[] }> {
  const all = (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line).resourceSpans)
    .map(({ resource, scopeSpans }) => ({
      isOurs: JSON.stringify(resource).includes('"pulumi-agentgraph"'),
      spans: scopeSpans.flatMap((scope: { spans: Span[] }) => scope.spans) as Span[],
    }));
  const spansOf = (isOurs: boolean) => all.filter((one) => one.isOurs === isOurs).flatMap(({ spans }) => spans);
  return { ours: spansOf(true), others: spansOf(false) };
}
