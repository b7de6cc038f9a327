/**
 * Type tests: `npm test` compiles this file and never runs it. A line under @ts-expect-error must be an error. The
 * first half ties sdk/nodejs/resources.ts, which is generated, to the schemas; the second shows what users may write.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { inputs as destinationInputs } from "../../../provider/resources/bulk-export-destination/fields";
import type { variants } from "../../../provider/resources/deployment/schema/inputs";
import type { settingsSchema } from "../../../provider/settings/settings-schema";
import { BulkExportDestination, Deployment, Provider, Thread } from "../../../sdk/nodejs";
import type {
  BulkExportCompression,
  BulkExportDestinationArgs,
  BulkExportField,
  DeploymentArgs,
  DeploymentArgsBySource,
  DeploymentStatus,
  ExternalDockerSourceConfigArgs,
  ProviderArgs,
} from "../../../sdk/nodejs/resources";

/** A plain type as a program may give it: every part may be an Output. */
type Nested<T> = unknown extends T
  ? // biome-ignore lint/suspicious/noExplicitAny: free-form parts belong to the user.
    pulumi.Input<any>
  : [T] extends [string | number | boolean | null | undefined]
    ? pulumi.Input<T>
    : [T] extends [readonly (infer E)[] | undefined]
      ? pulumi.Input<Nested<E>[] | Extract<T, undefined>>
      : pulumi.Input<Fields<NonNullable<T>> | Extract<T, undefined>>;
type Fields<T> = { [K in keyof T]: Nested<T[K]> };

/** Of a kind: the discriminator stays a literal, the name has a default, and what check computes is not written. */
type Written<T> = { [K in keyof Omit<T, "source" | "name" | "sourceDigest" | "verifyDigest">]: Nested<T[K]> };
type SchemaOf<S> = Extract<z.input<(typeof variants)[number]>, { source: S }>;
type Expected<S> = { source: S; name?: pulumi.Input<string | undefined> } & Written<SchemaOf<S>>;

/** Whether two types take each other's values and have the same fields, however deep. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? SameFields<Plain<A>, Plain<B>> : false) : false;
type Plain<T> = pulumi.Unwrap<T>;
type SameFields<A, B> = [A] extends [object | undefined]
  ? [B] extends [object | undefined]
    ? [keyof NonNullable<A>] extends [keyof NonNullable<B>]
      ? [keyof NonNullable<B>] extends [keyof NonNullable<A>]
        ? AllSame<NonNullable<A>, NonNullable<B>>
        : false
      : false
    : false
  : true;
type AllSame<A, B> = A extends readonly (infer E)[]
  ? B extends readonly (infer F)[]
    ? SameFields<E, F>
    : false
  : string extends keyof A
    ? true
    : { [K in keyof A]-?: K extends keyof B ? SameFields<A[K], B[K]> : false }[keyof A] extends true
      ? true
      : false;

type Sources = keyof DeploymentArgsBySource;
const sourcesAreThoseOfTheSchema: Same<Sources, z.input<(typeof variants)[number]>["source"]> = true;
const fieldsAreThoseOfTheSchema: { [S in Sources]: Same<Expected<S>, DeploymentArgsBySource[S]> } = {
  githost: true,
  external_docker: true,
  internal_docker: true,
  internal_source: true,
  internal_template: true,
};
const settingsAreThoseOfTheSchema: Same<Fields<z.input<typeof settingsSchema>>, ProviderArgs> = true;

/** But for the object that takes any further key, in which every type is the same as any other. */
type Closed<T extends { config: unknown }> = Omit<T, "config"> & {
  config: Omit<pulumi.Unwrap<T["config"]>, "configKwargsS3">;
};
const destinationIsThatOfTheSchema: Same<
  Closed<Fields<z.input<typeof destinationInputs>>>,
  Closed<BulkExportDestinationArgs>
> = true;

/** The tie itself can break: a missing field, another type and a missing Output are seen. */
const aFieldMoreIsSeen: Same<{ a: string; b?: { c?: number } }, { a: string; b?: { c?: number; d?: number } }> = false;
const anotherTypeIsSeen: Same<{ a: pulumi.Input<string> }, { a: pulumi.Input<number> }> = false;
const aMissingOutputIsSeen: Same<Fields<{ a: string }>, { a: string }> = false;

declare const text: pulumi.Output<string>;
declare const count: pulumi.Output<number>;
const where = { bucketName: "b" };
const credentials = { accessKeyId: "k", secretAccessKey: "s" };
const destination = { destinationType: "s3", displayName: "d", config: where, credentials } as const;
const sourceRevisionConfig = { imageUri: "registry.example.com/agent:1" };

/** Every value may be an Output, at any depth. */
export const agent = new Deployment("agent", {
  source: "external_docker",
  name: text,
  sourceConfig: { resourceSpec: { cpu: count, labels: { "app.kubernetes.io/name": text } } },
  sourceRevisionConfig: { imageUri: text },
  secrets: { KEY: text },
  secretReferences: { TOKEN: { secretName: text, secretKey: "k" } },
});
export const whole = new Deployment("whole", {
  source: "external_docker",
  sourceRevisionConfig: text.apply((imageUri) => ({ imageUri })),
});

export const bucket = new BulkExportDestination("bucket", {
  destinationType: "s3",
  displayName: text,
  config: { bucketName: text, configKwargsS3: { addressingStyle: "path", some_new_option: count } },
  credentials: { accessKeyId: text, secretAccessKey: text },
});

/** Outputs have the types that the reference says. */
export const key: pulumi.Output<string | undefined> = bucket.credentials.apply((key) => key?.secretAccessKey);
export const url: pulumi.Output<string> = agent.url;
export const revision: pulumi.Output<string> = agent.activeRevisionId;
export const image: pulumi.Output<string> = agent.sourceRevisionConfig.imageUri;
export const status: pulumi.Output<string> = agent.status;
/** Known words are in the type, and a word of a newer server compiles. */
export const words: [
  Extract<DeploymentStatus, "READY">,
  Extract<BulkExportField, "run_type">,
  DeploymentStatus,
  BulkExportCompression,
] = ["READY", "run_type", "A_NEW_STATUS", "a-new-compression"];
export const isReady = agent.status.apply((word) => word === "READY" || word === "A_NEW_STATUS");
export const newStore = new BulkExportDestination("new", { ...destination, destinationType: text });
export const managed: pulumi.Output<boolean> = agent.isManagedDeepAgent;
export const name: pulumi.Output<string> = agent.name;

/** What exists always is known by the source and by what is waited for. */
declare const isProduction: boolean;
const unwaited = new Deployment("x", { source: "external_docker", waitFor: "none", sourceRevisionConfig });
const perhaps = new Deployment("x", {
  ...{ source: "external_docker", sourceRevisionConfig },
  waitFor: isProduction ? "healthy" : "none",
});
const empty = new Deployment("x", { source: "internal_docker" });
export const alwaysThere: pulumi.Output<string>[] = [
  unwaited.latestRevisionId,
  new Deployment("x", { source: "external_docker", waitFor: "healthy", sourceRevisionConfig }).url,
];
export const absent = [
  // @ts-expect-error no URL without waiting
  (): pulumi.Output<string> => unwaited.url,
  // @ts-expect-error nor where it may not be waited for
  (): pulumi.Output<string> => perhaps.url,
  // @ts-expect-error nothing runs in it yet
  (): pulumi.Output<string> => empty.latestRevisionId,
  // @ts-expect-error what is read may be any
  (): pulumi.Output<string> => Deployment.get("x", text).url,
];
export const any: Deployment[] = [agent, unwaited, perhaps, empty, whole];

/** Arguments that a component passes on are those of any source. */
export const passedOn = (args: DeploymentArgs): Deployment => new Deployment("x", args);

/** Classes can be extended, of one source or of any. */
export class Agent extends Deployment<"external_docker"> {
  constructor(name: string, imageUri: pulumi.Input<string>) {
    super(name, { source: "external_docker", sourceRevisionConfig: { imageUri } }, { protect: true });
  }
}
export const ofSubclass: pulumi.Output<string> = new Agent("a", text).url;
export class AnyAgent extends Deployment {
  readonly team: string;
  constructor(name: string, team: string) {
    super(name, { source: "external_docker", sourceRevisionConfig, secrets: { TEAM: team } });
    this.team = team;
  }
}
export class Welcome extends Thread {
  constructor(agent: Deployment) {
    super("welcome", { deploymentId: agent.id }, { parent: agent });
  }
}
export const isOurs = (value: unknown): pulumi.Output<string> | undefined =>
  Thread.isInstance(value) ? value.url : undefined;

/** Components can name the type of each source. */
export function withListener(config: ExternalDockerSourceConfigArgs): Deployment {
  return new Deployment("x", { source: "external_docker", sourceConfig: config, sourceRevisionConfig });
}

export const errors = [
  // @ts-expect-error a field that is not part of a bucket
  () => new BulkExportDestination("x", { ...destination, config: { bucketName: "b", bucket_name: "b" } }),
  // @ts-expect-error credentials that are not whole
  () => new BulkExportDestination("x", { ...destination, credentials: { accessKeyId: "k" } }),
  () =>
    new Deployment("x", {
      source: "external_docker",
      sourceRevisionConfig,
      // @ts-expect-error a field of another source
      sourceConfig: { repoUrl: "https://git.example/a" },
    }),
  // @ts-expect-error a misspelled field
  () => new Deployment("x", { source: "external_docker", sourceRevisionConfig, secert: {} }),
  // @ts-expect-error a required field that is missing
  () => new Deployment("x", { source: "external_docker" }),
  // @ts-expect-error no source
  () => new Deployment("x", { sourceRevisionConfig }),
  () =>
    class extends Deployment<"external_docker"> {
      constructor() {
        // @ts-expect-error a misspelled field of a subclass
        super("x", { source: "external_docker", sourceRevisionConfig, secert: {} });
      }
    },
  // @ts-expect-error a source that does not exist
  () => new Deployment("x", { source: "docker", sourceRevisionConfig }),
  // @ts-expect-error the source is a plain literal
  () => new Deployment("x", { source: text, sourceRevisionConfig }),
  // @ts-expect-error the snake case of the wire
  () => new Deployment("x", { source: "external_docker", sourceRevisionConfig: { image_uri: "a" } }),
  // @ts-expect-error a number where a text belongs
  () => new Deployment("x", { source: "external_docker", sourceRevisionConfig, secrets: { A: 1 } }),
  // @ts-expect-error a setting that does not exist
  () => new Provider("p", { apikey: "k" }),
  // @ts-expect-error a setting of another type
  () => new Provider("p", { requestsPerSecond: "many" }),
];

export const ties = [
  ...[sourcesAreThoseOfTheSchema, fieldsAreThoseOfTheSchema, settingsAreThoseOfTheSchema, destinationIsThatOfTheSchema],
  ...[aFieldMoreIsSeen, anotherTypeIsSeen, aMissingOutputIsSeen],
];
