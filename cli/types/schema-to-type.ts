/**
 * Converts the JSON Schema of a context to types. Pure: of a server that nobody vouches for, so anything may be missing
 * or wrong.
 */
import { isPropertyMap, type PropertyMap } from "../../provider/schema/schema";
import { describeSchema } from "./comment";
import { breakCycles } from "./cycles";
import {
  flatten,
  hasStructure,
  inferType,
  isAnnotation,
  keysIn,
  listAt,
  lookUp,
  merge,
  othersOf,
  patternsOf,
  propertiesOf,
  withKeys,
} from "./json-schema";
import { type Names, pascalCase } from "./names";
import { compare, type Declaration, type Field, type Type, UNKNOWN, unionOf } from "./type";

/** Schemas may contain themselves in ways that have no end. */
const MAX_DEPTH = 40;
/** Of all parts of a schema, each as often as it is used. A context of 500 keys has about 2,000. */
const MAX_PARTS = 10_000;

/**
 * Stands for the schema of the context, which may also be that of a part: then it has a second name, with required
 * keys.
 */
const MAIN = Symbol("main");
const NULL: Type = { kind: "null" };
const NEVER: Type = { kind: "never" };

/** Returns the declarations of a schema, first the one with this name, which is reserved. */
export function declarationsOf(root: PropertyMap, name: string, names: Names): Declaration[] {
  return new SchemaReader(root, name, names).read();
}

class SchemaReader {
  private readonly declarations = new Map<string, Declaration>();
  /** The names of schemas that are, or will be, declarations. */
  private readonly named = new Map<unknown, string>();
  private readonly begun = new Set<string>();
  /** What the type of the current field cannot express. */
  private notes: string[] = [];
  private depth = 0;
  private parts = 0;

  constructor(
    private readonly root: PropertyMap,
    private readonly mainName: string,
    private readonly names: Names,
  ) {}

  read(): Declaration[] {
    this.named.set(MAIN, this.mainName);
    this.referTo(this.mainSchema(), this.mainName, MAIN);
    const first = ({ name }: Declaration) => (name === this.mainName ? 0 : 1);
    return breakCycles([...this.declarations.values()]).sort((a, b) => first(a) - first(b) || compare(a.name, b.name));
  }

  /** Returns the schema of the context, to which the root may only refer. */
  private mainSchema(): PropertyMap {
    let at = this.root;
    for (const seen = new Set<unknown>(); !seen.has(at); ) {
      seen.add(at);
      const target = Array.isArray(at.allOf) || hasStructure(at) ? undefined : lookUp(this.root, at.$ref);
      if (!isPropertyMap(target)) return at;
      at = target;
    }
    return {};
  }

  /** Returns a reference to a schema, which is declared if it is new. */
  private referTo(schema: PropertyMap, hint: string, node: unknown = schema): Type {
    const name = this.named.get(node) ?? this.names.reserve(hint);
    if (this.begun.has(name)) return { kind: "reference", name };
    this.named.set(node, name);
    this.begun.add(name);
    const [alias, notes] = this.withNotes(() => this.typeOf(schema, name, node));
    // An object has declared itself.
    if (!this.declarations.has(name))
      this.declarations.set(name, { name, comment: describeSchema(schema, "", notes), shape: { alias } });
    return { kind: "reference", name };
  }

  private withNotes<T>(work: () => T): [result: T, notes: string[]] {
    const outer = this.notes;
    this.notes = [];
    const result = [work(), this.notes] as [T, string[]];
    this.notes = outer;
    return result;
  }

  private unknown(note: string): Type {
    this.notes.push(note);
    return UNKNOWN;
  }

  /**
   * @param hint The name of the type, if it needs one.
   * @param node The schema in the document, where this one was merged from it.
   */
  private typeOf(schema: unknown, hint: string, node = schema): Type {
    if (schema === false) return NEVER;
    if (!isPropertyMap(schema)) return UNKNOWN;
    const known = this.named.get(node);
    if (known !== undefined && this.declarations.has(known)) return { kind: "reference", name: known };
    if (this.depth > MAX_DEPTH || this.parts++ > MAX_PARTS) return this.unknown("is too large");
    this.depth++;
    const type = this.composedType(schema, hint, node);
    this.depth--;
    return schema.nullable === true ? unionOf([type, NULL]) : type;
  }

  /** Returns the type of a schema that may consist of others. */
  private composedType(schema: PropertyMap, hint: string, node: unknown): Type {
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    const choices = listAt({ anyOf: anyOf ?? oneOf }, "anyOf");
    const isAlone = !hasStructure(own) && choices.length === 0;
    if ($ref !== undefined) {
      const target = lookUp(this.root, $ref);
      if (target === undefined) return this.unknown(`refers to ${JSON.stringify($ref)}, which is not in the schema`);
      if (isAlone && allOf === undefined) return this.typeOfTarget(String($ref), target);
    }
    if ($ref !== undefined || Array.isArray(allOf)) {
      const parts = listAt(schema, "allOf").filter((part) => part !== true && !isAnnotation(part));
      if ($ref === undefined && parts.length === 1 && isAlone) return this.typeOf(parts[0], hint);
      return this.typeOf(merge(flatten(this.root, schema)), hint, node);
    }
    if (choices.length === 0) return this.ownType(own, hint, node);
    const isMerged = hasStructure(own);
    const types = choices.map((choice) => {
      const whole = isMerged ? merge([own, ...flatten(this.root, choice)]) : choice;
      return this.typeOf(whole, hint + suffixOf(choice));
    });
    return unionOf(types);
  }

  private typeOfTarget($ref: string, target: unknown): Type {
    if (!isPropertyMap(target)) return this.typeOf(target, this.mainName);
    return this.referTo(target, this.mainName + (pascalCase(keysIn($ref).at(-1) ?? "") || "Item"));
  }

  /** Returns the type of a schema that does not consist of others. */
  private ownType(schema: PropertyMap, hint: string, node: unknown): Type {
    if ("const" in schema) return this.literal(schema.const);
    if (Array.isArray(schema.enum)) return unionOf(schema.enum.map((value) => this.literal(value)));
    const types = [schema.type ?? inferType(schema) ?? []].flat();
    if (types.length === 0) return UNKNOWN;
    return unionOf(types.map((type) => this.simpleType(type, schema, { hint, node })));
  }

  private literal(value: unknown): Type {
    if (value === null) return NULL;
    if (typeof value === "string" || typeof value === "boolean") return { kind: "literal", value };
    // JSON.parse has rounded a larger one.
    if (typeof value === "number")
      return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? { kind: "literal", value } : { kind: "number" };
    return this.unknown(`has the value ${JSON.stringify(value)}`);
  }

  private simpleType(type: unknown, schema: PropertyMap, { hint, node }: { hint: string; node: unknown }): Type {
    switch (type) {
      case "string":
      case "number":
      case "integer":
      case "boolean":
      case "null":
        return { kind: type };
      case "array":
        return this.listType(schema, hint);
      case "object":
        return this.objectType(schema, hint, node);
      default:
        return this.unknown(`has the type ${JSON.stringify(type)}`);
    }
  }

  /** Returns the type of a list. Libraries mean a list of exactly these items where they name some. */
  private listType(schema: PropertyMap, hint: string): Type {
    const { prefixItems, items, additionalItems, minItems } = schema;
    const first = Array.isArray(prefixItems) ? prefixItems : items;
    if (!Array.isArray(first))
      return { kind: "list", item: items === undefined ? UNKNOWN : this.typeOf(items, `${hint}Item`) };
    const further = Array.isArray(prefixItems) ? items : additionalItems;
    const isOpen = further !== undefined && further !== false;
    const types = first.map((item, index) => this.typeOf(item, `${hint}${index + 1}`));
    const required = typeof minItems === "number" ? Math.min(minItems, types.length) : types.length;
    return { kind: "tuple", items: types, required, ...(isOpen && { rest: this.typeOf(further, `${hint}Item`) }) };
  }

  private objectType(given: PropertyMap, hint: string, node: unknown): Type {
    const schema = withKeys(given);
    const properties = propertiesOf(schema);
    const known = this.named.get(node);
    const others = othersOf(schema);
    // Libraries say of every context that it accepts other keys, which its graph ignores.
    const isIgnored = known === this.mainName && others === true && properties.length > 0;
    const open = [...Object.values(patternsOf(schema)), ...(others === undefined || isIgnored ? [] : [others])];
    const otherTypes = open.map((one) => this.typeOf(one, `${hint}Value`));
    if (properties.length === 0) {
      const isUnknown = open.length === 0 && schema.additionalProperties !== false;
      return { kind: "map", value: isUnknown ? UNKNOWN : unionOf(otherTypes) };
    }
    const name = known ?? this.names.reserve(hint);
    this.named.set(node, name);
    this.begun.add(name);
    // Reserves the place: a field may contain the same object.
    this.declarations.set(name, { name, comment: [], shape: { fields: [] } });
    const required = new Set(listAt(schema, "required"));
    // Sorted first, because each may reserve names.
    const fields = properties
      .sort(([a], [b]) => compare(a, b))
      .map(([key, property]) =>
        this.field(key, property, { name, isRequired: required.has(key) && !hasDefault(property) }),
      );
    const shape = { fields, ...(otherTypes.length > 0 && { others: unionOf(otherTypes) }) };
    this.declarations.set(name, { name, comment: describeSchema(schema, ""), shape });
    return { kind: "reference", name };
  }

  /** A run may add the keys of the context itself, so that none of them is required of an assistant. */
  private field(key: string, schema: unknown, { name, isRequired }: { name: string; isRequired: boolean }): Field {
    const [type, notes] = this.withNotes(() => this.typeOf(schema, name + pascalCase(key)));
    const isMain = name === this.mainName;
    const comment = describeSchema(schema, key, notes);
    return {
      ...{ key, type, isRequired: isRequired && !isMain },
      comment: isRequired && isMain ? [...comment, "Required: by the assistant, or by each run."] : comment,
    };
  }
}

/** Some libraries say that a key with a default is required, because it is always there afterwards. */
const hasDefault = (schema: unknown): boolean => isPropertyMap(schema) && "default" in schema;

/** Returns the end of a name that distinguishes a choice from the others: its title, or a text that only it has. */
function suffixOf(choice: unknown): string {
  if (!isPropertyMap(choice)) return "";
  const constants = propertiesOf(choice).flatMap(([, property]) => (isPropertyMap(property) ? [property.const] : []));
  return pascalCase([choice.title, ...constants].find((text) => typeof text === "string") ?? "");
}
