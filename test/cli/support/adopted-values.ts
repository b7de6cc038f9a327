/** Resources as `agentgraph adopt` reads them, with hostile names and values. */
import fc from "fast-check";
import { Names } from "../../../cli/adopt/program/names";
import { typescript } from "../../../cli/adopt/program/typescript";
import { type Adopted, type Kind, Secret } from "../../../cli/adopt/types";
import { UNKNOWN_SECRET } from "../../../provider/schema/mapping";

/** Characters that end strings, comments and templates, or that look like others. */
const tricky = fc.constantFrom(
  '"',
  "'",
  "`",
  "$" + "{x}",
  ...["\\", "\n", "\r", "*/", "//", "\u2028", "\u0000", "\ud800", "é", "😀", "__proto__"],
);
export const text = fc.oneof(
  fc.string(),
  fc.array(fc.oneof(tricky, fc.string({ maxLength: 3 }))).map((parts) => parts.join("")),
);
export const value = fc.jsonValue({ stringUnit: "binary" });

export function adopted(
  titles: readonly (readonly [Kind, string])[],
  inputsOf: (kind: Kind, index: number) => object,
  names = new Names(typescript.naming),
): Adopted[] {
  return titles.map(([kind, title], index) => ({
    ...{ kind, title, id: `id-${index}`, outputs: {}, inputs: { ...inputsOf(kind, index) } },
    ...names.nameResource(title, kind),
  }));
}
export const kind = fc.constantFrom<Kind>("destinations", "deployments", "exports", "schedules", "threads");

/** Returns the required inputs of a kind, with the given text and values in them. */
export function inputsOf(kind: Kind, index: number, text: string, values: Record<string, unknown>): object {
  const times = { startTime: "2026-01-01T00:00:00Z", filter: text };
  const credentials = ["accessKeyId", "secretAccessKey"].map((key) => [
    key,
    new Secret(["credentials", key], UNKNOWN_SECRET),
  ]);
  const labels = Object.fromEntries(Object.keys(values).map((key) => [key, text]));
  const secrets = Object.fromEntries(
    Object.keys(values).map((key) => [key, new Secret(["secrets", key], UNKNOWN_SECRET)]),
  );
  const byKind: Record<Kind, object> = {
    destinations: {
      ...{ destinationType: "s3", displayName: text, credentials: Object.fromEntries(credentials) },
      config: { bucketName: text, s3AdditionalKwargs: values },
    },
    deployments: {
      ...{ name: text, source: "external_docker", secrets, sourceRevisionConfig: { imageUri: text } },
      sourceConfig: {
        resourceSpec: { labels, sidecars: [{ name: "a", image: text, securityContext: values, args: [text] }] },
      },
    },
    exports: { ...times, bulkExportDestinationId: `id-${index - 1}`, sessionId: text, endTime: "2026-01-02T00:00:00Z" },
    schedules: { ...times, bulkExportDestinationId: `id-${index - 2}`, allExperiments: true, intervalHours: 24 },
    threads: { deploymentId: `id-${index - 3}`, metadata: values },
  };
  return byKind[kind] ?? {};
}
