/** The settings of one provider of the program: the default one has those of the stack, an explicit one only its arguments. */
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { containsUnknown } from "../provider/plan/property-values";
import { EXPLICIT } from "../provider/settings/settings";
import { decodeProperties } from "./values";

/** Returns a setting by its key, such as `agentgraph:apiKey`. */
export type Config = (key: string) => unknown;

/**
 * Returns the settings that are known.
 * @param name The name of the provider in the program; the engine names default providers `default` or `default_<version>`, and old engines send none.
 */
export function configOf(args: Struct | undefined, name: string): Config {
  const { values } = decodeProperties(args);
  const isExplicit = name !== "" && !/^default(_|$)/.test(name);
  return (key) => {
    if (key === EXPLICIT) return isExplicit ? "true" : undefined;
    const value = values[key.replace(/^agentgraph:/, "")];
    return value === null || containsUnknown(value) ? undefined : value;
  };
}
