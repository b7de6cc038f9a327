import type { Problem } from "../errors";
import type { EnumSchema, Fields, ListSchema, NumberSchema, ObjectSchema, Schema, StringSchema } from "./schema";
import { parseUuid } from "./uuid";
import type { Words } from "./vocabulary";

type Loc = readonly (string | number)[];

/** Options that differ between servers. */
export interface CheckOptions {
  words: Words;
  /** Unknown fields are an error (`--strict`); otherwise they are ignored and noted in the request log. */
  refuseUnknown: boolean;
  /** The ceilings of the cloud apply. */
  ceilings: boolean;
  /** Fields that the interface marks as read-only count as unknown in requests. */
  refuseReadOnly: boolean;
}

/** Validates the parts of one request and collects all errors, in the format and wording of FastAPI and pydantic 2. */
export class Checker {
  readonly problems: Problem[] = [];
  /** Fields that the schema does not contain, as dotted paths. */
  readonly unknown: string[] = [];

  /** `shown` is the request by part ("body", "query" and so on), with secret values redacted. */
  constructor(
    private readonly options: CheckOptions,
    private readonly shown: Record<string, unknown>,
  ) {}

  /** Adds an error at `loc`, which is in wire names. Its `input` comes from the redacted request. */
  report(type: string, loc: Loc, msg: string, ctx?: Record<string, unknown>): undefined {
    const input = this.inputFor(type, loc).reduce<unknown>(
      (value, part) => (typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined),
      this.shown,
    );
    this.problems.push({ type, loc: [...loc], msg, input: input ?? null, ...(ctx && { ctx }) });
  }

  /** Returns the validated value in neutral names; undefined if it has an error. */
  check(schema: Schema, value: unknown, loc: Loc): unknown {
    if (value === null && schema.nullable) return null;
    switch (schema.type) {
      case "string":
        return this.text(schema, value, loc);
      case "integer":
      case "number":
        return this.numeric(schema, value, loc);
      case "boolean":
        return this.boolean(value, loc);
      case "uuid":
        return this.uuid(value, loc);
      case "datetime":
        return this.datetime(value, loc);
      case "enum":
        return this.enum(schema, value, loc);
      case "list":
        return this.list(schema, value, loc);
      case "map":
        if (!isObject(value)) return this.report("dict_type", loc, "Input should be a valid dictionary");
        return Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, this.check(schema.values, item, [...loc, key])]),
        );
      case "free":
        return isObject(value) ? value : this.report("dict_type", loc, "Input should be a valid dictionary");
      case "any":
        return value;
      case "object":
        return this.object(schema, value, loc);
    }
  }

  /** Validates named values: the fields of an object or query parameters. */
  fields(fields: Fields, values: Record<string, unknown>, loc: Loc): Record<string, unknown> {
    const { words, refuseReadOnly } = this.options;
    const known = new Map(
      Object.entries(fields)
        .filter(([, schema]) => !(refuseReadOnly && schema.readOnly))
        .map(([name, schema]) => [words.field(name), { name, schema }]),
    );
    const result: Record<string, unknown> = {};
    for (const [wire, { name, schema }] of known) {
      const value = values[wire];
      if (value !== undefined) result[name] = this.check(schema, value, [...loc, wire]);
      else if (schema.required) this.report("missing", [...loc, wire], "Field required");
      else if (schema.default !== undefined) result[name] = schema.default;
    }
    for (const key of Object.keys(values)) {
      if (known.has(key)) continue;
      this.unknown.push([...loc, key].join("."));
      if (this.options.refuseUnknown) this.report("extra_forbidden", [...loc, key], "Extra inputs are not permitted");
    }
    return result;
  }

  /** Returns what `input` refers to: for a missing field its object, for a missing parameter or body nothing. */
  private inputFor(type: string, loc: Loc): Loc {
    if (type !== "missing") return loc;
    return loc.length > 1 && loc[0] === "body" ? loc.slice(0, -1) : ["nothing"];
  }

  private object(schema: ObjectSchema, value: unknown, loc: Loc): unknown {
    if (isObject(value)) return this.fields(schema.fields, value, loc);
    const msg = "Input should be a valid dictionary or object to extract fields from";
    return this.report("model_attributes_type", loc, msg);
  }

  private list({ items, maxItems = Number.POSITIVE_INFINITY }: ListSchema, value: unknown, loc: Loc): unknown {
    if (!Array.isArray(value)) return this.report("list_type", loc, "Input should be a valid list");
    if (value.length <= maxItems) return value.map((item, index) => this.check(items, item, [...loc, index]));
    const msg = `List should have at most ${maxItems} items after validation, not ${value.length}`;
    return this.report("too_long", loc, msg, { field_type: "List", max_length: maxItems, actual_length: value.length });
  }

  private text(schema: StringSchema, value: unknown, loc: Loc): unknown {
    if (typeof value !== "string") return this.report("string_type", loc, "Input should be a valid string");
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
    const length = [...value].length;
    if (length < minLength) {
      const msg = `String should have at least ${minLength} character${minLength === 1 ? "" : "s"}`;
      return this.report("string_too_short", loc, msg, { min_length: minLength });
    }
    if (length > maxLength) {
      const msg = `String should have at most ${maxLength} character${maxLength === 1 ? "" : "s"}`;
      return this.report("string_too_long", loc, msg, { max_length: maxLength });
    }
    if (pattern === undefined || new RegExp(pattern, "u").test(value)) return value;
    return this.report("string_pattern_mismatch", loc, `String should match pattern '${pattern}'`, { pattern });
  }

  private numeric(schema: NumberSchema, value: unknown, loc: Loc): unknown {
    const parsed = schema.type === "integer" ? this.integer(value, loc) : this.float(value, loc);
    if (parsed === undefined) return undefined;
    const { minimum, multipleOf } = schema;
    const maximum = schema.maximum ?? (this.options.ceilings ? schema.ceiling : undefined);
    if (multipleOf !== undefined && parsed % multipleOf !== 0) {
      return this.report("multiple_of", loc, `Input should be a multiple of ${multipleOf}`, {
        multiple_of: multipleOf,
      });
    }
    if (maximum !== undefined && parsed > maximum) {
      return this.report("less_than_equal", loc, `Input should be less than or equal to ${maximum}`, { le: maximum });
    }
    if (minimum !== undefined && parsed < minimum) {
      const msg = `Input should be greater than or equal to ${minimum}`;
      return this.report("greater_than_equal", loc, msg, { ge: minimum });
    }
    return parsed;
  }

  /** Implements pydantic's lax mode: numbers may be strings, and booleans count as 1 and 0. */
  private integer(value: unknown, loc: Loc): number | undefined {
    if (typeof value === "boolean") return Number(value);
    if (typeof value === "number") {
      if (Number.isInteger(value)) return value;
      return this.report("int_from_float", loc, "Input should be a valid integer, got a number with a fractional part");
    }
    if (typeof value !== "string") return this.report("int_type", loc, "Input should be a valid integer");
    const msg = "Input should be a valid integer, unable to parse string as an integer";
    return /^\s*[+-]?\d+(\.0+)?\s*$/.test(value) ? Number(value) : this.report("int_parsing", loc, msg);
  }

  private float(value: unknown, loc: Loc): number | undefined {
    if (typeof value === "number" || typeof value === "boolean") return Number(value);
    if (typeof value !== "string") return this.report("float_type", loc, "Input should be a valid number");
    const number = Number(value);
    const msg = "Input should be a valid number, unable to parse string as a number";
    return value.trim() !== "" && Number.isFinite(number) ? number : this.report("float_parsing", loc, msg);
  }

  private boolean(value: unknown, loc: Loc): unknown {
    const scalar = ["boolean", "number", "string"].includes(typeof value);
    if (!scalar) return this.report("bool_type", loc, "Input should be a valid boolean");
    const text = String(value).toLowerCase();
    if (["true", "1", "yes", "on", "t", "y"].includes(text)) return true;
    if (["false", "0", "no", "off", "f", "n"].includes(text)) return false;
    return this.report("bool_parsing", loc, "Input should be a valid boolean, unable to interpret input");
  }

  private uuid(value: unknown, loc: Loc): unknown {
    if (typeof value !== "string") {
      return this.report("uuid_type", loc, "UUID input should be a string, bytes or UUID object");
    }
    const parsed = parseUuid(value);
    if ("uuid" in parsed) return parsed.uuid;
    return this.report("uuid_parsing", loc, `Input should be a valid UUID, ${parsed.error}`, { error: parsed.error });
  }

  private datetime(value: unknown, loc: Loc): unknown {
    if (typeof value !== "string") return this.report("datetime_type", loc, "Input should be a valid datetime");
    const zoneless = /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(value);
    const at = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value + (zoneless ? "Z" : "")) : Number.NaN;
    // A Date has milliseconds; timestamps of the interface have microseconds.
    const beyond = /\.\d{3}(\d{1,3})/.exec(value)?.[1] ?? "";
    if (!Number.isNaN(at)) return new Date(at).toISOString().replace("Z", `${beyond}Z`);
    const error = value.length < 10 ? "input is too short" : "invalid character in year";
    const msg = `Input should be a valid datetime or date, ${error}`;
    return this.report("datetime_from_date_parsing", loc, msg, { error });
  }

  private enum(schema: EnumSchema, value: unknown, loc: Loc): unknown {
    const neutral = schema.values.find((word) => this.options.words.value(word) === value);
    if (neutral !== undefined) return neutral;
    const words = schema.values.map((word) => `'${this.options.words.value(word)}'`);
    const expected = words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
    return this.report("enum", loc, `Input should be ${expected}`, { expected });
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
