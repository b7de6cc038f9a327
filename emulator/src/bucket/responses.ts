import type { FileHandle } from "node:fs/promises";
import { escapeXml } from "../runtime/text/xml";

export interface BucketResponse {
  status: number;
  headers?: Record<string, string>;
  /** XML, or a part of an open file, which is closed after sending. */
  body?: string | { handle: FileHandle; start: number; end: number };
}

const namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

/** Wraps XML in an element. */
export function element(name: string, ...content: string[]): string {
  return `<${name}>${content.join("")}</${name}>`;
}

/** Creates elements with text; omits undefined values. */
export function fields(values: Record<string, string | number | boolean | undefined>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => element(name, escapeXml(String(value))))
    .join("");
}

/** Returns a success with an XML body. */
export function xmlResponse(root: string, ...content: string[]): BucketResponse {
  const xml = `<${root} xmlns="${namespace}">${content.join("")}</${root}>`;
  return {
    status: 200,
    headers: { "content-type": "application/xml" },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`,
  };
}

export const toIsoString = (at: number) => new Date(at).toISOString();

/** ETags are always quoted. */
export const quoteEtag = (etag: string) => `"${etag}"`;

/** The owner of everything. */
export const ownerElement = (name: string) => element(name, fields({ ID: "emulator", DisplayName: "emulator" }));
