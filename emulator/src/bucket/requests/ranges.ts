import { Refusal } from "../errors";

/** The first and the last byte of a part of an object. */
export interface Range {
  start: number;
  end: number;
}

/**
 * What a Range header means for an object of this size; undefined where S3 sends it whole: without a header, for one it
 * cannot read, and for several ranges at once. Throws Refusal for a range with nothing in it.
 */
export function rangeOf(header: string | undefined, size: number): Range | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!found || header === undefined) return undefined;
  const [, first = "", last = ""] = found;
  if (first === "" && last === "") return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (start <= end) return { start, end };
  throw new Refusal("InvalidRange", { RangeRequested: header, ActualObjectSize: size });
}
