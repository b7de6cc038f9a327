/** Writes responses to bytes. google-protobuf alone converts texts unit by unit, which takes seconds for large ones. */
import { BinaryWriter, type Message } from "google-protobuf";

export function writeResponse(message: Message): Buffer {
  const writer = new ResponseWriter();
  (message.constructor as typeof Message).serializeBinaryToWriter(message, writer);
  return Buffer.from(writer.getResultBuffer().buffer);
}

/** Characters from which on a text is converted as a whole. Each adds a block of bytes to the result. */
const LONG_TEXT = 1000;

class ResponseWriter extends BinaryWriter {
  override writeString(field: number, text?: string): void {
    if (text === undefined || text.length < LONG_TEXT) super.writeString(field, text);
    else this.writeBytes(field, Buffer.from(text));
  }
}
