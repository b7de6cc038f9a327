/** A check of one fact of docs/platform-api/, from outside, over HTTP and without harm. */
import { type Api, describe, type Reply } from "../target/http.ts";

/** What checks find on the server, created for them. What is missing was not available. */
export interface Subject {
  /** Beginning of the names of everything that a check creates. */
  name: string;
  /** The word that all runs of this suite begin with. */
  prefix: string;
  controlPlane?: Api | undefined;
  tracing?: Api | undefined;
  agentServer?: Api | undefined;
  /** The response that created the deployment, and the deployment when it was live. */
  deployment?: { created: Reply; live: Reply } | undefined;
  /**
   * The responses that created a deployment to which no image was pushed, as it is read, and one of a folder without a
   * tarball.
   */
  empty?: Reply | undefined;
  folder?: Reply | undefined;
  /** The word of the platform for the git host, as paths contain it. */
  githost: string;
  /** The image that it was created with. */
  image?: string | undefined;
  /** The value of its secret PULUMI_RESOURCE. */
  marker: string;
  /** A thread with metadata. */
  thread?: Reply | undefined;
  graph?: string | undefined;
  /** An assistant, and a cron that is disabled. */
  assistant?: Reply | undefined;
  cron?: Reply | undefined;
  /** The body of a destination that works. */
  destination?: { body: Readonly<Record<string, unknown>>; created: Reply } | undefined;
  project?: string | undefined;
}

/** True if the fact holds; otherwise what the server did instead. */
export type Verdict = true | string;

export interface Check {
  id: string;
  check: (subject: Subject) => Promise<Verdict>;
}

/** The run could not find out whether a fact holds. */
export class NotSeen extends Error {}

/** Returns a part of the subject. @throws NotSeen without it. */
export function given<T>(part: T | undefined, what: string): T {
  if (part === undefined) throw new NotSeen(`the run had no ${what}`);
  return part;
}

export const controlPlaneOf = ({ controlPlane }: Subject) => given(controlPlane, "control plane");
export const tracingOf = ({ tracing }: Subject) => given(tracing, "tracing API");
export const agentServerOf = ({ agentServer }: Subject) => given(agentServer, "agent server");
export const liveOf = ({ deployment }: Subject) => given(deployment, "deployment").live.body;

/** Returns the URL of the agent server: API `2A.SourceConfig.custom_url:agent`, `2A.Deployment.url`. */
export const agentUrlOf = (body: { source_config?: { custom_url?: string | null }; url?: string | null }) =>
  body.source_config?.custom_url ?? body.url ?? undefined;

export const DEPLOYMENTS = "/v2/deployments";
/** Returns the names in a page of the list. */
export const namesIn = (body: { resources?: { name: string }[] }) => (body.resources ?? []).map(({ name }) => name);

/** Metadata of everything that has no name, by which a sweep finds it. */
export const marksOf = ({ prefix, name }: Pick<Subject, "prefix" | "name">) => ({ acceptance: prefix, run: name });

/** The verdict on a response. */
export const verdict = (holds: boolean, instead: Reply | string): Verdict =>
  holds || (typeof instead === "string" ? instead : describe(instead));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUuid = (value: unknown) => typeof value === "string" && UUID.test(value);
export const isTime = (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value));
export const isText = (value: unknown) => typeof value === "string";
export const isList = (value: unknown) => Array.isArray(value);
export const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
export const UNKNOWN_ID = "00000000-0000-4000-8000-00000000dead";

/** One check for each field: the name ends the ID, and the value must satisfy the predicate. */
export function fields(
  prefix: string,
  object: (subject: Subject) => Record<string, unknown>,
  tests: Readonly<Record<string, (value: unknown) => boolean>>,
): Check[] {
  return Object.entries(tests).map(([name, test]) => ({
    id: `${prefix}.${name}`,
    check: async (subject) => {
      const value = object(subject)[name];
      return verdict(test(value), `${name} is ${JSON.stringify(value)?.slice(0, 100)}`);
    },
  }));
}
