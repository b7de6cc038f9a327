import type { Bodies } from "./descriptions";
import { limits } from "./limits";
import type { SecretBox } from "./storage/secret-box";
import type { Store } from "./storage/store";
import { parseJson } from "./validation/json";
import { redactSecrets } from "./validation/redact";

/** The bodies of a request and its response: text, or the number of bytes of a long one. */
interface SentBodies {
  request: string | number | null;
  response: string | number | null;
}

const noBodies: Bodies = { request_body: null, response_body: null, has_secrets: false };

/** The bodies of the newest requests, encrypted because they contain secret values. */
export class RequestBodies {
  constructor(
    private readonly store: Store,
    private readonly secretBox: SecretBox,
  ) {}

  /** Adds the bodies; a number stands for one of so many bytes. */
  append(id: number, request: Buffer | number, response: string | number | null): void {
    const { maxBodyBytes, maxBodies } = limits.requestLog;
    const shorten = (text: string, length: number) => (length > maxBodyBytes ? length : text);
    const sent: SentBodies = {
      request: typeof request === "number" ? request : shorten(request.toString(), request.length) || null,
      response: typeof response === "string" ? shorten(response, response.length) : response,
    };
    this.store.run("DELETE FROM request_bodies WHERE id <= ?", id - maxBodies);
    if (sent.request === null && sent.response === null) return;
    const sealed = this.secretBox.seal(JSON.stringify(sent), ownerOf(id));
    this.store.run("INSERT INTO request_bodies (id, sealed) VALUES (?, ?)", id, sealed);
  }

  /** Returns the bodies of a request, with secret values only if `showsSecrets`. */
  read(id: number, showsSecrets: boolean): Bodies {
    const row = this.store.get("SELECT sealed FROM request_bodies WHERE id = ?", id);
    if (row === undefined) return noBodies;
    const { request, response }: SentBodies = JSON.parse(this.secretBox.open(String(row.sealed), ownerOf(id)));
    // Secret values are found by their names, so a request that is not JSON could contain any.
    const sent = [toBody(request, (text) => `${text.length} bytes of invalid JSON`), toBody(response, (text) => text)];
    const redacted = sent.map(redactSecrets);
    const [request_body, response_body] = showsSecrets ? sent : redacted;
    return { request_body, response_body, has_secrets: JSON.stringify(sent) !== JSON.stringify(redacted) };
  }

  clear(): void {
    this.store.run("DELETE FROM request_bodies");
  }
}

function ownerOf(id: number): string {
  return `request ${id}`;
}

function toBody(sent: string | number | null, describeText: (text: string) => unknown): unknown {
  if (sent === null) return null;
  if (typeof sent === "number") return `${sent} bytes`;
  try {
    return parseJson(sent, limits.body.maxDepth);
  } catch {
    return describeText(sent);
  }
}
