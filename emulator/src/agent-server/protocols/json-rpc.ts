/** What the protocols MCP and A2A share: messages of JSON-RPC 2.0. */
import type { ApiResponse, Stream } from "../../http/route";

export type Json = Record<string, unknown>;

/** The outcome of a request. */
export type Outcome = { result: unknown } | { error: { code: number; message: string } };

export const codes = {
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  taskNotFound: -32_001,
  notCancelable: -32_002,
  unsupported: -32_004,
  contentType: -32_005,
} as const;

export const failure = (code: number, message: string): Outcome => ({ error: { code, message } });

/** Returns a response of JSON-RPC, whose HTTP status says nothing about the outcome. */
export const rpcResponse = (id: unknown, outcome: Outcome): ApiResponse => ({
  status: 200,
  body: { jsonrpc: "2.0", id: id ?? null, ...outcome },
});

/** Returns the response to a request that starts a run, once the response to its client would arrive. */
export function whenFinished(response: ApiResponse, toOutcome: (value: Json) => Outcome, id: unknown): ApiResponse {
  const { stream = async () => {} } = response;
  const converted: Stream = (send, disconnected) =>
    stream((text) => send(JSON.stringify({ jsonrpc: "2.0", id, ...toOutcome(JSON.parse(text)) })), disconnected);
  return { status: 200, headers: { "content-type": "application/json" }, stream: converted };
}

/** Returns a value as Python writes it, which is how the server shows values that are no text. */
export function pythonText(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") {
    const json = JSON.stringify(value).slice(1, -1);
    return value.includes("'") && !value.includes('"')
      ? `"${json}"`
      : `'${json.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  }
  if (Array.isArray(value)) return `[${value.map(pythonText).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${pythonText(key)}: ${pythonText(item)}`);
  return `{${entries.join(", ")}}`;
}
