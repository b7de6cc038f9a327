/**
 * A collector of OpenTelemetry: it receives spans over gRPC (OTLP), and reads them by the published numbers of their
 * fields.
 */
import * as grpc from "@grpc/grpc-js";
import { BinaryReader } from "google-protobuf";
import { listen } from "./engine";

/** A span as the collector received it. */
export interface ReceivedSpan {
  traceId: string;
  id: string;
  /** Empty for a root. */
  parentId: string;
  name: string;
  kind: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number;
  attributes: Record<string, unknown>;
  events: string[];
  /** The message of an error. */
  error: string | undefined;
  /** The attributes that all spans of a process have. */
  resource: Record<string, unknown>;
}

const METHOD = {
  path: "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
  requestStream: false,
  responseStream: false,
  requestSerialize: (value: Buffer) => value,
  requestDeserialize: (value: Buffer) => value,
  responseSerialize: (value: Buffer) => value,
  responseDeserialize: (value: Buffer) => value,
};

/** @param respond When it responds to a request. Default: at once. */
export async function startCollector(respond: () => Promise<void> = async () => {}) {
  const spans: ReceivedSpan[] = [];
  /** All bytes that it received, as text. */
  const received: string[] = [];
  const server = new grpc.Server();
  const handle: grpc.handleUnaryCall<Buffer, Buffer> = ({ request }, done) => {
    received.push(request.toString("latin1"));
    spans.push(...readRequest(request));
    void respond().then(() => done(null, Buffer.alloc(0)));
  };
  server.addService({ export: METHOD }, { export: handle });
  return { endpoint: await listen(server), spans, received };
}

/** The fields of a message by number: each with the values of all its occurrences, as bytes or as a number. */
type Fields = Map<number, (Uint8Array | number)[]>;

function fieldsOf(bytes: Uint8Array | number | undefined): Fields {
  const reader = new BinaryReader(bytes instanceof Uint8Array ? bytes : new Uint8Array());
  const fields: Fields = new Map();
  const read = [
    () => reader.readInt64(),
    () => Number(reader.readFixed64String()),
    () => reader.readBytes(),
    () => 0,
    () => 0,
    () => reader.readFixed32(),
  ];
  while (reader.nextField()) {
    const value =
      reader.getFieldNumber() === DOUBLE && reader.getWireType() === 1
        ? reader.readDouble()
        : read[reader.getWireType()]?.();
    fields.set(reader.getFieldNumber(), [...(fields.get(reader.getFieldNumber()) ?? []), value ?? 0]);
  }
  return fields;
}

/** The field of a value that is a floating-point number. No time has this number. */
const DOUBLE = 4;

const textOf = (value: Uint8Array | number | undefined) => Buffer.from((value as Uint8Array) ?? []).toString();
const hexOf = (value: Uint8Array | number | undefined) => Buffer.from((value as Uint8Array) ?? []).toString("hex");
const millisecondsOf = (value: Uint8Array | number | undefined) => Number(value) / 1e6;

function readRequest(request: Uint8Array): ReceivedSpan[] {
  return (fieldsOf(request).get(1) ?? []).flatMap((bytes) => {
    const resourceSpans = fieldsOf(bytes);
    const resource = readAttributes(fieldsOf(resourceSpans.get(1)?.[0]).get(1));
    const scopes = resourceSpans.get(2) ?? [];
    return scopes.flatMap((scope) => (fieldsOf(scope).get(2) ?? []).map((span) => ({ ...readSpan(span), resource })));
  });
}

function readSpan(bytes: Uint8Array | number): Omit<ReceivedSpan, "resource"> {
  const span = fieldsOf(bytes);
  const status = span.get(15)?.[0];
  return {
    traceId: hexOf(span.get(1)?.[0]),
    id: hexOf(span.get(2)?.[0]),
    parentId: hexOf(span.get(4)?.[0]),
    name: textOf(span.get(5)?.[0]),
    kind: Number(span.get(6)?.[0]),
    startedAt: millisecondsOf(span.get(7)?.[0]),
    endedAt: millisecondsOf(span.get(8)?.[0]),
    attributes: readAttributes(span.get(9)),
    events: (span.get(11) ?? []).map((event) => textOf(fieldsOf(event).get(2)?.[0])),
    error: status === undefined ? undefined : textOf(fieldsOf(status).get(2)?.[0]),
  };
}

function readAttributes(pairs: (Uint8Array | number)[] = []): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((bytes) => {
      const pair = fieldsOf(bytes);
      return [textOf(pair.get(1)?.[0]), readValue(pair.get(2)?.[0])];
    }),
  );
}

/** A value is a text (1), a boolean (2), an integer (3), a floating-point number (4) or a list (5). */
function readValue(bytes: Uint8Array | number | undefined): unknown {
  const value = fieldsOf(bytes);
  const [field, [content] = []] = [...value][0] ?? [];
  if (field === 1) return textOf(content);
  if (field === 2) return content === 1;
  if (field === 5) return (fieldsOf(content).get(1) ?? []).map(readValue);
  return content;
}
