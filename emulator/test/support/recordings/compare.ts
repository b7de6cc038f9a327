/** Compares a response with a recorded one, in which names stand for the values that differ in each run. */
import { resolveNames } from "../../../../scripts/record/names";
import { isObject } from "../../../src/runtime/validation/validator";

/** A place in a response where the two differ: `body.metadata.run_id`. */
export interface Difference<R> {
  path: string;
  recorded: unknown;
  actual: unknown;
  /** Undefined for a defect. */
  known?: R;
}

const NAME = /\{\{([^}]+)\}\}/g;
const FORMS: Readonly<Record<string, string>> = {
  time: "[^)]*",
  time0: "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d",
  time3: "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}",
  // Without a fraction at a full second.
  time6: "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{6})?",
  origin: "http://[\\w.:]+(?:/agents/[\\w-]+)?",
  milliseconds: "\\d{13}",
};

/** Returns the reason why a place may differ, if there is one. */
export type ReasonFor<R> = (path: string, recorded: unknown) => R | undefined;

/** The values of names, as far as responses have shown them. */
export class Bindings {
  private values = new Map<string, string>();

  /** Returns a request with the values of its names. @throws Error if one has none */
  resolve<T>(request: T): T {
    return resolveNames(request, this.values);
  }

  /**
   * Returns the places where a value is not the recorded one. A name without a value takes that of its place.
   * @param reasonFor Of a place with a reason, the names take no values.
   */
  compare<R>(recorded: unknown, actual: unknown, reasonFor: ReasonFor<R>, path = ""): Difference<R>[] {
    const known = reasonFor(path, recorded);
    if (known === undefined) return this.compareValues(recorded, actual, reasonFor, path);
    const before = new Map(this.values);
    const differences = this.compareValues<R>(recorded, actual, () => undefined, path);
    this.values = before;
    return differences.map((difference) => ({ ...difference, known }));
  }

  private compareValues<R>(recorded: unknown, actual: unknown, reasonFor: ReasonFor<R>, path: string): Difference<R>[] {
    if (Array.isArray(recorded) && Array.isArray(actual)) {
      const indices = Array.from({ length: Math.max(recorded.length, actual.length) }, (_, index) => index);
      return indices.flatMap((index) =>
        this.compare(recorded[index], actual[index], reasonFor, join(path, String(index))),
      );
    }
    if (isObject(recorded) && isObject(actual))
      return this.pairs(recorded, actual).flatMap(([key, one, other]) =>
        this.compare(one, other, reasonFor, join(path, key)),
      );
    const isEqual = typeof recorded === "string" ? this.matches(recorded, actual) : recorded === actual;
    return isEqual ? [] : [{ path, recorded, actual }];
  }

  /** Returns the fields of both, whose names may be IDs. An absent field is not one that is null. */
  private pairs(recorded: Record<string, unknown>, actual: Record<string, unknown>): [string, unknown, unknown][] {
    const rest = new Set(Object.keys(actual));
    const pairs = Object.keys(recorded).map((key): [string, unknown, unknown] => {
      const found = [...rest].find((candidate) => this.matches(key, candidate));
      if (found !== undefined) rest.delete(found);
      return [key, recorded[key], found === undefined ? undefined : actual[found]];
    });
    return [...pairs, ...[...rest].map((key): [string, unknown, unknown] => [key, undefined, actual[key]])];
  }

  /** Returns whether a text is the recorded one, and then binds its names. */
  private matches(recorded: string, actual: unknown): boolean {
    if (!recorded.includes("{{") || (typeof actual !== "string" && typeof actual !== "number"))
      return recorded === actual;
    const names: string[] = [];
    const parts = recorded.split(NAME).map((part, index) => {
      if (index % 2 === 0) return escapeRegExp(part);
      if (part in FORMS) return FORMS[part];
      const value = this.values.get(part);
      if (value !== undefined) return escapeRegExp(value);
      return `(${names.push(part) && "[0-9a-f-]{32,36}"})`;
    });
    const match = new RegExp(`^${parts.join("")}$`, "s").exec(String(actual));
    names.forEach((name, index) => {
      if (match) this.values.set(name, match[index + 1] ?? "");
    });
    return match !== null;
  }
}

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const join = (path: string, key: string) => (path === "" ? key : `${path}.${key}`);
