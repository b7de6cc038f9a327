/**
 * Encodes spans as OpenTelemetry's protocol (OTLP) has them in protocol buffers: `ExportTraceServiceRequest` of
 * opentelemetry-proto 1. The numbers are those of its fields.
 */
import type * as Protobuf from "google-protobuf";
import type { Attributes } from "./trace";
import type { FinishedSpan } from "./tracer";

const KINDS = { internal: 1, client: 3 };
const STATUS_ERROR = 2;
/** The flag of a span whose trace is sampled. */
const SAMPLED = 1;

type Writer = Protobuf.BinaryWriter;
type Encode<T> = (value: T, writer: Writer) => void;

/** @param resource What all spans have in common, such as `service.name`. */
export function encodeSpans(
  { BinaryWriter }: typeof Protobuf,
  resource: Attributes,
  spans: readonly FinishedSpan[],
): Uint8Array {
  const request = new BinaryWriter();
  const encodeResource: Encode<Attributes> = (attributes, writer) => writeAttributes(writer, 1, attributes);
  const encodeScope: Encode<Attributes> = (attributes, writer) => {
    writer.writeString(1, String(attributes["service.name"]));
    writer.writeString(2, String(attributes["service.version"]));
  };
  request.writeMessage(1, spans, (_, resourceSpans: Writer) => {
    resourceSpans.writeMessage(1, resource, encodeResource);
    resourceSpans.writeMessage(2, spans, (_, scopeSpans: Writer) => {
      scopeSpans.writeMessage(1, resource, encodeScope);
      writeEach(scopeSpans, 2, spans, encodeSpan);
    });
  });
  return request.getResultBuffer();
}

const encodeSpan: Encode<FinishedSpan> = (span, writer) => {
  writer.writeBytes(1, bytesOf(span.traceId));
  writer.writeBytes(2, bytesOf(span.id));
  if (span.parentId !== undefined) writer.writeBytes(4, bytesOf(span.parentId));
  writer.writeString(5, span.name);
  writer.writeEnum(6, KINDS[span.kind]);
  writer.writeFixed64String(7, nanoseconds(span.startedAt));
  writer.writeFixed64String(8, nanoseconds(span.endedAt));
  writeAttributes(writer, 9, span.attributes);
  writeEach(writer, 11, span.events, encodeEvent);
  if (span.error !== undefined)
    writer.writeMessage(15, span.error, (message: string, status: Writer) => {
      status.writeString(2, message);
      status.writeEnum(3, STATUS_ERROR);
    });
  writer.writeFixed32(16, SAMPLED);
};

const encodeEvent: Encode<FinishedSpan["events"][number]> = ({ time, name, attributes }, writer) => {
  writer.writeFixed64String(1, nanoseconds(time));
  writer.writeString(2, name);
  writeAttributes(writer, 3, attributes);
};

function writeAttributes(writer: Writer, field: number, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    writer.writeMessage(field, value, (_, pair: Writer) => {
      pair.writeString(1, key);
      pair.writeMessage(2, value, encodeValue);
    });
  }
}

const encodeValue: Encode<NonNullable<Attributes[string]>> = (value, writer) => {
  if (typeof value === "string") writer.writeString(1, value);
  else if (typeof value === "boolean") writer.writeBool(2, value);
  else if (typeof value !== "number")
    writer.writeMessage(5, value, (texts: readonly string[], list: Writer) => writeEach(list, 1, texts, encodeValue));
  else if (Number.isInteger(value)) writer.writeInt64(3, value);
  else writer.writeDouble(4, value);
};

function writeEach<T>(writer: Writer, field: number, values: readonly T[], encode: Encode<T>): void {
  for (const value of values) writer.writeMessage(field, value, encode);
}

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

const nanoseconds = (milliseconds: number) => String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
