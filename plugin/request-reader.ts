/**
 * Reads the engine's requests from their bytes. google-protobuf alone loses keys, does not notice a false length, and
 * converts texts byte by byte, which takes seconds for large ones.
 */
import { BinaryReader, type Map as FieldMap, type Message } from "google-protobuf";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb.js";

/** A class of messages, as google-protobuf generates it. */
export interface MessageType {
  new (): Message;
  deserializeBinaryFromReader(message: Message, reader: BinaryReader): Message;
}

/** Reads a request. @throws Error if the bytes are not a message of this type. */
export function readRequest(type: MessageType, bytes: Uint8Array): Message {
  return type.deserializeBinaryFromReader(new type(), new RequestReader(bytes));
}

/**
 * The map of a struct is an object that drops the key `__proto__`. In the map, this key and those that begin with it
 * therefore have one more underscore.
 */
const PROTO = "__proto__";
const toMapKey = (key: string): string => (key.startsWith(PROTO) ? `${key}_` : key);

/** Returns the key as the engine sent it. */
export const fromMapKey = (mapKey: string): string => (mapKey.startsWith(PROTO) ? mapKey.slice(0, -1) : mapKey);

/** Bytes from which on a text is converted as a whole. */
const LONG_TEXT = 1000;

class RequestReader extends BinaryReader {
  /** Where the message that is being read ends, in bytes. */
  private end: number;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.end = bytes.length;
  }

  override readMessage: BinaryReader["readMessage"] = (message, readFields) => {
    const { end } = this;
    this.end = this.endOfField();
    BinaryReader.prototype.readMessage.call(this, message, message instanceof Struct ? readStruct : readFields);
    this.end = end;
  };

  override readString(): string {
    if (this.endOfField() - this.getCursor() < LONG_TEXT) return super.readString();
    const { buffer, byteOffset, byteLength } = this.readBytes();
    return Buffer.from(buffer, byteOffset, byteLength).toString();
  }

  /**
   * Returns where the field ends that begins with its length.
   * @throws RangeError if that is outside of its message: google-protobuf would read billions of bytes that do not
   *   exist.
   */
  private endOfField(): number {
    const bytes = this.getBuffer();
    let cursor = this.getCursor();
    let length = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[cursor++] ?? 0;
      length += (byte & 127) * factor;
      if (byte < 128) break;
    }
    if (cursor + length > this.end) throw new RangeError("Inconsistent lengths.");
    return cursor + length;
  }
}

/** The numbers of fields in google/protobuf/struct.proto. An entry of a map is a message of a key and a value. */
const FIELDS = 1;
const KEY = 1;
const VALUE = 2;

function readStruct(struct: Struct, reader: BinaryReader): void {
  const fields = struct.getFieldsMap();
  while (reader.nextField()) {
    if (reader.getFieldNumber() === FIELDS) reader.readMessage(fields, readEntry);
    else reader.skipField();
  }
}

function readEntry(fields: FieldMap<string, Value>, reader: BinaryReader): void {
  let key = "";
  const value = new Value();
  while (reader.nextField()) {
    const field = reader.getFieldNumber();
    if (field === KEY) key = reader.readString();
    else if (field === VALUE) reader.readMessage(value, Value.deserializeBinaryFromReader);
    else reader.skipField();
  }
  fields.set(toMapKey(key), value);
}
