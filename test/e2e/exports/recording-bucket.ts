/** A bucket that records which key does what, and can reject keys. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Access {
  keyId: string;
  action: string;
  arn: string;
}

/** Accepts and records every request, unless it rejects its key. */
export class RecordingBucket {
  readonly accesses: Access[] = [];
  /** Whether it rejects the keys that it has not seen yet. */
  rejectsNewKeys = false;
  private filesAccepted: Promise<void> = Promise.resolve();
  private readonly known = new Set<string>();
  private readonly server: Server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    const keyId = /Credential=([^/]+)/.exec(headers.authorization ?? "")?.[1] ?? "";
    const action = { PUT: "s3:PutObject", DELETE: "s3:DeleteObject" }[method] ?? `${method} ${url}`;
    const isRejected = this.rejectsNewKeys && !this.known.has(keyId);
    if (!isRejected) this.known.add(keyId);
    this.accesses.push({ keyId, action, arn: `arn:aws:s3:::${url.slice(1).split("?")[0]}` });
    request.resume().on("end", async () => {
      if (url.includes(".parquet")) await this.filesAccepted;
      this.respond(response, isRejected);
    });
  });

  /** Leaves uploads of files unfinished. @returns Finishes them. */
  holdFiles(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.filesAccepted = promise;
    return resolve;
  }

  private respond(response: ServerResponse, isRejected: boolean): void {
    response.writeHead(isRejected ? 403 : 200, { "x-amz-request-id": "1", etag: '"1"' });
    const code = "<Code>InvalidAccessKeyId</Code><Message>The key does not exist.</Message>";
    response.end(isRejected ? `<Error>${code}</Error>` : "");
  }

  async start(): Promise<string> {
    await once(this.server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
