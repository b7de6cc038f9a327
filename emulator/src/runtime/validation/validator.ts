import type { ValidationError } from "../errors";
import type { EnumSchema, Fields, ListSchema, NumberSchema, ObjectSchema, Schema, StringSchema } from "./schema";
import { parseUuid } from "./uuid";
import type { Vocabulary } from "./vocabulary";

type Loc = readonly (string | number)[];

/** Options that differ between servers. */
export interface ValidatorOptions {
  vocabulary: Vocabulary;
  /** Unknown fields are an error (`--strict`); otherwise they are ignored and noted in the request log. */
  rejectUnknown: boolean;
  /** The ceilings of the cloud apply. */
  enforceCeilings: boolean;
  /** Bodies contain numbers and booleans as such (`--strict`); otherwise texts are converted, as pydantic does. */
  exactTypes: boolean;
  /** Fields that the interface marks as read-only count as unknown in requests. */
  rejectReadOnly: boolean;
}

/** Validates the parts of one request and collects all errors, in the format and wording of FastAPI and pydantic 2. */
export class Validator {
  readonly issues: ValidationError[] = [];
  /** Fields that the schema does not contain, as dotted paths. */
  readonly unknownFields: string[] = [];

  /** `shown` is the request by part ("body", "query" and so on), with secret values redacted. */
  constructor(
    private readonly options: ValidatorOptions,
    private readonly redactedRequest: Record<string, unknown>,
  ) {}

  /** Adds an error at `loc`, which is in wire names. Its `input` comes from the redacted request. */
  addIssue(type: string, loc: Loc, msg: string, ctx?: Record<string, unknown>): undefined {
    const input = this.inputFor(type, loc).reduce<unknown>(
      (value, part) => (typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined),
      this.redactedRequest,
    );
    this.issues.push({ type, loc: [...loc], msg, input: input ?? null, ...(ctx && { ctx }) });
  }

  /** Returns the validated value in neutral names; undefined if it has an error. */
  validate(schema: Schema, value: unknown, loc: Loc): unknown {
    if (value === null && schema.nullable) return null;
    switch (schema.type) {
      case "string":
        return this.validateString(schema, value, loc);
      case "integer":
      case "number":
        return this.validateNumber(schema, value, loc);
      case "boolean":
        return this.validateBoolean(value, loc);
      case "uuid":
        return this.validateUuid(value, loc);
      case "datetime":
        return this.validateDatetime(value, loc);
      case "enum":
        return this.validateEnum(schema, value, loc);
      case "list":
        return this.validateList(schema, value, loc);
      case "map":
        if (!isObject(value)) return this.addIssue("dict_type", loc, "Input should be a valid dictionary");
        return Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, this.validate(schema.values, item, [...loc, key])]),
        );
      case "free":
        return isObject(value) ? value : this.addIssue("dict_type", loc, "Input should be a valid dictionary");
      case "any":
        return value;
      case "object":
        return this.validateObject(schema, value, loc);
    }
  }

  /** Validates named values: the fields of an object or query parameters. */
  validateFields(fields: Fields, values: Record<string, unknown>, loc: Loc): Record<string, unknown> {
    const { vocabulary, rejectReadOnly } = this.options;
    const schemasByWireName = new Map(
      Object.entries(fields)
        .filter(([, schema]) => !(rejectReadOnly && schema.readOnly))
        .map(([name, schema]) => [vocabulary.fieldName(name), { name, schema }]),
    );
    const result: Record<string, unknown> = {};
    for (const [wire, { name, schema }] of schemasByWireName) {
      const value = values[wire];
      if (value !== undefined) result[name] = this.validate(schema, value, [...loc, wire]);
      else if (schema.required) this.addIssue("missing", [...loc, wire], "Field required");
      else if (schema.default !== undefined) result[name] = schema.default;
    }
    for (const key of Object.keys(values)) {
      if (schemasByWireName.has(key)) continue;
      this.unknownFields.push([...loc, key].join("."));
      if (this.options.rejectUnknown) this.addIssue("extra_forbidden", [...loc, key], "Extra inputs are not permitted");
    }
    return result;
  }

  /** Returns what `input` refers to: for a missing field its object, for a missing parameter or body nothing. */
  private inputFor(type: string, loc: Loc): Loc {
    if (type !== "missing") return loc;
    return loc.length > 1 && loc[0] === "body" ? loc.slice(0, -1) : ["nothing"];
  }

  private validateObject(schema: ObjectSchema, value: unknown, loc: Loc): unknown {
    if (isObject(value)) return this.validateFields(schema.fields, value, loc);
    const msg = "Input should be a valid dictionary or object to extract fields from";
    return this.addIssue("model_attributes_type", loc, msg);
  }

  private validateList({ items, maxItems = Number.POSITIVE_INFINITY }: ListSchema, value: unknown, loc: Loc): unknown {
    if (!Array.isArray(value)) return this.addIssue("list_type", loc, "Input should be a valid list");
    if (value.length <= maxItems) return value.map((item, index) => this.validate(items, item, [...loc, index]));
    const msg = `List should have at most ${maxItems} items after validation, not ${value.length}`;
    return this.addIssue("too_long", loc, msg, {
      field_type: "List",
      max_length: maxItems,
      actual_length: value.length,
    });
  }

  private validateString(schema: StringSchema, value: unknown, loc: Loc): unknown {
    if (typeof value !== "string") return this.addIssue("string_type", loc, "Input should be a valid string");
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
    const length = [...value].length;
    if (length < minLength) {
      const msg = `String should have at least ${minLength} character${minLength === 1 ? "" : "s"}`;
      return this.addIssue("string_too_short", loc, msg, { min_length: minLength });
    }
    if (length > maxLength) {
      const msg = `String should have at most ${maxLength} character${maxLength === 1 ? "" : "s"}`;
      return this.addIssue("string_too_long", loc, msg, { max_length: maxLength });
    }
    if (pattern === undefined || new RegExp(pattern, "u").test(value)) return value;
    return this.addIssue("string_pattern_mismatch", loc, `String should match pattern '${pattern}'`, { pattern });
  }

  private validateNumber(schema: NumberSchema, value: unknown, loc: Loc): unknown {
    const parsed = schema.type === "integer" ? this.parseInteger(value, loc) : this.parseNumber(value, loc);
    if (parsed === undefined) return undefined;
    if (typeof value !== "number" && this.isExact(loc)) {
      const type = schema.type === "integer" ? "int_type" : "float_type";
      return this.addIssue(type, loc, `Input should be a valid ${schema.type}`);
    }
    const { minimum, multipleOf } = schema;
    const maximum = schema.maximum ?? (this.options.enforceCeilings ? schema.ceiling : undefined);
    if (multipleOf !== undefined && parsed % multipleOf !== 0) {
      return this.addIssue("multiple_of", loc, `Input should be a multiple of ${multipleOf}`, {
        multiple_of: multipleOf,
      });
    }
    if (maximum !== undefined && parsed > maximum) {
      return this.addIssue("less_than_equal", loc, `Input should be less than or equal to ${maximum}`, { le: maximum });
    }
    if (minimum !== undefined && parsed < minimum) {
      const msg = `Input should be greater than or equal to ${minimum}`;
      return this.addIssue("greater_than_equal", loc, msg, { ge: minimum });
    }
    return parsed;
  }

  /** Parameters are always texts. */
  private isExact(loc: Loc): boolean {
    return this.options.exactTypes && loc[0] === "body";
  }

  /** Implements pydantic's lax mode: numbers may be strings, and booleans count as 1 and 0. */
  private parseInteger(value: unknown, loc: Loc): number | undefined {
    if (typeof value === "boolean") return Number(value);
    if (typeof value === "number") {
      if (Number.isInteger(value)) return value;
      return this.addIssue(
        "int_from_float",
        loc,
        "Input should be a valid integer, got a number with a fractional part",
      );
    }
    if (typeof value !== "string") return this.addIssue("int_type", loc, "Input should be a valid integer");
    const msg = "Input should be a valid integer, unable to parse string as an integer";
    return /^\s*[+-]?\d+(\.0+)?\s*$/.test(value) ? Number(value) : this.addIssue("int_parsing", loc, msg);
  }

  private parseNumber(value: unknown, loc: Loc): number | undefined {
    if (typeof value === "number" || typeof value === "boolean") return Number(value);
    if (typeof value !== "string") return this.addIssue("float_type", loc, "Input should be a valid number");
    const number = Number(value);
    const msg = "Input should be a valid number, unable to parse string as a number";
    return value.trim() !== "" && Number.isFinite(number) ? number : this.addIssue("float_parsing", loc, msg);
  }

  private validateBoolean(value: unknown, loc: Loc): unknown {
    const scalar = ["boolean", "number", "string"].includes(typeof value);
    if (!scalar) return this.addIssue("bool_type", loc, "Input should be a valid boolean");
    const text = String(value).toLowerCase();
    const isTrue = ["true", "1", "yes", "on", "t", "y"].includes(text);
    if (isTrue || ["false", "0", "no", "off", "f", "n"].includes(text)) {
      if (typeof value === "boolean" || !this.isExact(loc)) return isTrue;
      return this.addIssue("bool_type", loc, "Input should be a valid boolean");
    }
    return this.addIssue("bool_parsing", loc, "Input should be a valid boolean, unable to interpret input");
  }

  private validateUuid(value: unknown, loc: Loc): unknown {
    if (typeof value !== "string") {
      return this.addIssue("uuid_type", loc, "UUID input should be a string, bytes or UUID object");
    }
    const parsed = parseUuid(value);
    if ("uuid" in parsed) return parsed.uuid;
    return this.addIssue("uuid_parsing", loc, `Input should be a valid UUID, ${parsed.error}`, { error: parsed.error });
  }

  private validateDatetime(value: unknown, loc: Loc): unknown {
    if (typeof value !== "string") return this.addIssue("datetime_type", loc, "Input should be a valid datetime");
    const zoneless = /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(value);
    const at = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value + (zoneless ? "Z" : "")) : Number.NaN;
    // A Date has milliseconds; timestamps of the interface have microseconds.
    const microseconds = /\.\d{3}(\d{1,3})/.exec(value)?.[1] ?? "";
    // Date.parse turns 30 February into 2 March.
    const day = value.slice(0, 10);
    const dayExists = !Number.isNaN(at) && new Date(day).toISOString().startsWith(day);
    if (dayExists) return new Date(at).toISOString().replace("Z", `${microseconds}Z`);
    const unreadable = value.length < 10 ? "input is too short" : "invalid character in year";
    const error = Number.isNaN(at) ? unreadable : "day value is outside expected range";
    const msg = `Input should be a valid datetime or date, ${error}`;
    return this.addIssue("datetime_from_date_parsing", loc, msg, { error });
  }

  private validateEnum(schema: EnumSchema, value: unknown, loc: Loc): unknown {
    const neutral = schema.values.find((word) => this.options.vocabulary.enumValue(word) === value);
    if (neutral !== undefined) return neutral;
    const allowed = schema.values.map((word) => `'${this.options.vocabulary.enumValue(word)}'`);
    const expected = allowed.length < 2 ? allowed.join() : `${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`;
    return this.addIssue("enum", loc, `Input should be ${expected}`, { expected });
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
