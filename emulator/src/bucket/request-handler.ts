import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { Refusal } from "./errors";
import { type BucketRequest, readRequest } from "./requests/request";
import { type BucketKey, verify } from "./requests/signature";
import type { BucketAnswer } from "./responses";
import { operationOf } from "./routes";
import type { BucketRoom } from "./service";

/** Handles one request up to the end of its response. Never rejects. */
export async function serve(
  room: BucketRoom,
  key: BucketKey,
  host: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const requestId = randomBytes(8).toString("hex").toUpperCase();
  outgoing.setHeader("x-amz-request-id", requestId);
  // A client that disconnects is not an error.
  outgoing.on("error", () => {});
  try {
    await send(outgoing, incoming, await perform(room, key, readRequest(incoming, host)));
  } catch (error) {
    if (outgoing.headersSent || incoming.socket.destroyed) {
      outgoing.destroy();
      return;
    }
    const refusal = error instanceof Refusal ? error : new Refusal("InternalError");
    if (refusal !== error) console.error(error);
    const headers = { "content-type": "application/xml" };
    await send(outgoing, incoming, { status: refusal.status, headers, body: refusal.toXml(requestId) }).catch(() => {});
  }
}

async function perform(room: BucketRoom, key: BucketKey, request: BucketRequest): Promise<BucketAnswer> {
  const proof = verify(request, key, Date.now());
  const { bucket = "", key: objectKey = "" } = request;
  return operationOf(request)({ room, request, proof, bucket, key: objectKey });
}

async function send(outgoing: ServerResponse, incoming: IncomingMessage, answer: BucketAnswer): Promise<void> {
  const { status, headers = {}, body } = answer;
  if (typeof body === "object") {
    outgoing.writeHead(status, headers);
    if (body.end < body.start) {
      await body.handle.close();
      outgoing.end();
    } else await pipeline(body.handle.createReadStream({ start: body.start, end: body.end }), outgoing);
    return;
  }
  // A HEAD response has the Content-Length of GET and no body.
  const text = incoming.method === "HEAD" || body === undefined ? "" : body;
  if (incoming.method !== "HEAD" && status !== 204 && status !== 304) {
    outgoing.setHeader("content-length", Buffer.byteLength(text));
  }
  outgoing.writeHead(status, headers);
  outgoing.end(text);
}
