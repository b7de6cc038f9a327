import type { Readable } from "node:stream";
import { limits } from "../../runtime/limits";

/** The beginning of a body that streams through, for the request log. */
export class Capture {
  private readonly chunks: Buffer[] = [];
  private length = 0;

  constructor(
    stream: Readable,
    private readonly isEncoded: boolean,
  ) {
    stream.on("data", (chunk: Buffer) => {
      if (this.length <= limits.requestLog.maxBodyBytes) this.chunks.push(chunk);
      this.length += chunk.length;
      if (this.length > limits.requestLog.maxBodyBytes) this.chunks.length = 0;
    });
  }

  /** Returns the body, or the number of bytes of a long or compressed one. */
  read(): Buffer | number {
    if (this.length > limits.requestLog.maxBodyBytes || (this.isEncoded && this.length > 0)) return this.length;
    return Buffer.concat(this.chunks);
  }
}
