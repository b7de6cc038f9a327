import { S3Error } from "../errors";

/** The first and last byte of a part of an object, inclusive. */
export interface Range {
  start: number;
  end: number;
}

/**
 * Parses a Range header. Returns undefined where S3 sends the whole object: without a header, for an invalid one, and
 * for several ranges. @throws S3Error for an empty range.
 */
export function parseRange(header: string | undefined, size: number): Range | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || header === undefined) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (start <= end) return { start, end };
  throw new S3Error("InvalidRange", { RangeRequested: header, ActualObjectSize: size });
}
