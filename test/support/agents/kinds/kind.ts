/** What tests of all kinds derive their cases of a kind on agent servers from. */
import type { Arbitrary } from "fast-check";
import type { ObjectNames } from "../../../../provider/objects/kind";
import type { PropertyMap } from "../../../../provider/schema/schema";

/** A resource of a random schedule: where it is, and what the program declares. */
export interface AgentSpec {
  slot: string;
  /** The deployment of a resource; another team's, where it is not declared. */
  on: "api" | "worker" | "shared";
  by: "deploymentId" | "deploymentUrl";
  /** Whether the program declares its ID. */
  declaresId?: true | undefined;
}

/** The inputs of a resource beside its server, and what a change of the program looks like. */
export interface AgentInputs {
  names: Pick<ObjectNames, "kind" | "noun" | "path">;
  /** Name of the resource. */
  name: string;
  declared: PropertyMap;
  /** What an update can make. */
  changed: PropertyMap;
  /** Values of the wrong type, by field of a response. */
  malformed: Record<string, unknown>;
  /** The number of GET requests before the one that removes an object. Default: for the server and the object. */
  readsBefore?: number;
}

/** A kind with a requested ID whose objects need nothing else on their server. */
export interface AgentKind<S extends AgentSpec = AgentSpec> extends AgentInputs {
  names: ObjectNames;
  /** Two resources of random schedules. */
  slots: readonly [S["slot"], S["slot"]];
  /** What schedules declare. Default: `declared` or `changed`. */
  schedules?: {
    fields: { [K in Exclude<keyof S, keyof AgentSpec>]: Arbitrary<S[K]> };
    inputsOf(spec: S): PropertyMap;
    /** What the server must then have, by the name of the field. */
    contentOf(spec: S, outputs: PropertyMap): PropertyMap;
  };
}

/** A spec without fields for what is declared. */
export interface VersionSpec<Slot extends string = string> extends AgentSpec {
  slot: Slot;
  version: 0 | 1;
}

export const idKeyOf = ({ names: { noun } }: Pick<AgentInputs, "names">): string => `${noun}_id`;
/** Whether the server itself made an object. */
export const isOfServer = ({ created_by: by, pulumi_cron: cron }: PropertyMap) => by === "system" || cron !== undefined;
