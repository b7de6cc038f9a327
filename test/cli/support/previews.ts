/** Previews as the CLI prints them, of what a test declares. */
import { readPreview } from "../../../cli/review/preview/preview-json";
import { markerOf, type Review, reviewJson, reviewOf } from "../../../cli/review/summary";
import { assertOutput } from "./output-schema";

export type Bag = Record<string, unknown>;

/** A time that all previews of tests are made at. */
export const NOW = Date.parse("2026-01-11T00:00:00Z");

const OURS = "pulumi-nodejs:dynamic/agentgraph:";
const urnOf = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;

interface Resource {
  op: string;
  kind?: string;
  /** In place of a kind: the type of another provider. */
  type?: string;
  name?: string;
  /** Its ID in the state. */
  id?: string;
  before?: Bag;
  /** What the server said, in addition to `before`. */
  outputs?: Bag;
  after?: Bag;
  retainOnDelete?: boolean;
  deletedWith?: string;
  /** It groups other resources. */
  isComponent?: boolean;
  /** The engine's detailed diff: path to kind. */
  differing?: Record<string, string>;
  replaceReasons?: string[];
  /** Lines on its row: severity and text. */
  diagnostics?: [severity: string, message: string][];
}

/** The text of `pulumi preview --json`. */
export function digest(resources: Resource[], whole: [severity: string, message: string][] = []): string {
  const stack = { op: "same", urn: urnOf("pulumi:pulumi:Stack", "shop-dev"), oldState: {}, newState: {} };
  const all = resources.map((resource) => ({ ...resource, urn: urnFor(resource) }));
  const steps = all.map(
    ({ op, urn, id = "an-id", before, outputs, after, differing, replaceReasons, isComponent, ...more }) => ({
      ...{ op, urn, replaceReasons },
      ...(before && { oldState: { ...more, id, inputs: before, outputs: { ...before, ...outputs } } }),
      ...(after && { newState: { inputs: after, ...(isComponent && { custom: false }) } }),
      detailedDiff: differing && Object.fromEntries(Object.entries(differing).map(([path, kind]) => [path, { kind }])),
    }),
  );
  const lines = all.flatMap(({ urn, diagnostics = [] }) =>
    diagnostics.map(([severity, message]) => ({ urn, severity, message })),
  );
  const others = whole.map(([severity, message]) => ({ severity, message }));
  return JSON.stringify({ steps: [stack, ...steps], diagnostics: [...lines, ...others] });
}

const urnFor = ({ kind = "Deployment", type, name = "agent" }: Resource) => urnOf(type ?? OURS + kind, name);

export function reviewed(...value: Parameters<typeof digest>): Review {
  const review = reviewOf(readPreview(digest(...value), "a preview"), NOW);
  const printed = reviewJson({ marker: markerOf([review]), failOn: { requested: [], matches: {} }, stacks: [review] });
  assertOutput(["review", "--json"], JSON.stringify(printed));
  return review;
}

/** What a review says of the one resource there is. */
export function messageOf(resource: Resource): string {
  const { changes } = reviewed([resource]);
  if (changes.length !== 1) throw new Error(`There are ${changes.length} changes.`);
  return changes[0]?.summary ?? "";
}

export const image = (tag: string): Bag => ({
  ...{ name: "agent", source: "external_docker" },
  sourceRevisionConfig: { imageUri: `registry.example.com/agent:${tag}` },
});
