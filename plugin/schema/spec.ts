/** The part of Pulumi's package schema that this package uses. `pulumi schema check` validates the result. */

export interface TypeSpec {
  type?: "boolean" | "integer" | "number" | "string" | "array" | "object";
  $ref?: string;
  items?: TypeSpec;
  additionalProperties?: TypeSpec;
  oneOf?: readonly TypeSpec[];
  /** Set for an argument of a component that cannot be an Output. */
  plain?: true;
}

export interface PropertySpec extends TypeSpec {
  description: string;
  deprecationMessage?: string;
  secret?: true;
  willReplaceOnChanges?: true;
  defaultInfo?: { environment: readonly string[] };
}

/** The properties of an object, and the names of those that are required. */
export interface ObjectSpec {
  properties: Record<string, PropertySpec>;
  required?: readonly string[];
}

export interface EnumSpec {
  description: string;
  type: "string";
  enum: readonly { name: string; value: string; description?: string }[];
}

export type ComplexTypeSpec = EnumSpec | (ObjectSpec & { description: string; type: "object" });

export interface ProviderSpec {
  description: string;
  inputProperties: Record<string, PropertySpec>;
  requiredInputs?: readonly string[];
}

export interface ResourceSpec extends ProviderSpec, ObjectSpec {
  aliases?: readonly { type: string }[];
  isComponent?: true;
  /** Without it, the CLI offers no list. */
  listInputs?: ObjectSpec;
}

export interface FunctionSpec {
  description: string;
  inputs: ObjectSpec;
  outputs: ObjectSpec;
}

export interface PackageSpec {
  name: string;
  displayName: string;
  version: string;
  description: string;
  keywords: readonly string[];
  license: string;
  publisher?: string;
  repository?: string;
  homepage?: string;
  logoUrl?: string;
  pluginDownloadURL?: string;
  meta: { supportPack: true };
  config: { variables: Record<string, PropertySpec> };
  types: Record<string, ComplexTypeSpec>;
  provider: ProviderSpec;
  resources: Record<string, ResourceSpec>;
  functions: Record<string, FunctionSpec>;
  language: Record<string, unknown>;
}
