import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { findForeignAddress, type HostSettings } from "../http/allowed-hosts";
import { logError } from "../runtime/text/printable";
import { S3Error } from "./errors";
import { parseAddress, readRequest } from "./requests/request";
import { type BucketKey, verify } from "./requests/signature";
import type { BucketResponse } from "./responses";
import { findOperation } from "./routes";
import type { BucketService } from "./service";

/** What requests use. */
interface BucketContext {
  service: BucketService;
  key: BucketKey;
  settings: HostSettings;
}

/** Handles one request up to the end of its response. Never rejects. */
export async function handleRequest(
  context: BucketContext,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const requestId = randomBytes(8).toString("hex").toUpperCase();
  outgoing.setHeader("x-amz-request-id", requestId);
  // A client that disconnects is not an error.
  outgoing.on("error", () => {});
  try {
    await send(outgoing, incoming, await execute(context, incoming));
  } catch (error) {
    if (outgoing.headersSent || incoming.socket.destroyed) {
      outgoing.destroy();
      return;
    }
    const s3Error = error instanceof S3Error ? error : new S3Error("InternalError");
    if (s3Error !== error) logError(error);
    const headers = { "content-type": "application/xml" };
    await send(outgoing, incoming, { status: s3Error.status, headers, body: s3Error.toXml(requestId) }).catch(() => {});
  }
}

async function execute({ service, key, settings }: BucketContext, incoming: IncomingMessage): Promise<BucketResponse> {
  const address = parseAddress(incoming, settings);
  const foreign = findForeignAddress(settings, address, incoming.headers.origin);
  if (foreign !== undefined) throw new S3Error("AccessDenied", {}, foreign);
  const request = readRequest(incoming, address.bucket);
  const verified = verify(request, key, Date.now());
  const { bucket = "", key: objectKey = "" } = request;
  return findOperation(request)({ service, request, verified, bucket, key: objectKey });
}

async function send(outgoing: ServerResponse, incoming: IncomingMessage, response: BucketResponse): Promise<void> {
  const { status, headers = {}, body } = response;
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
