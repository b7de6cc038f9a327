/**
 * Parses the output of `pulumi preview --json` in both of its forms: one object with steps, or one event per line
 * (event logs and PULUMI_ENABLE_STREAMING_JSON_PREVIEW). Only the fields that a review needs are read and validated.
 */
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { parseUrn } from "../../../provider/definition/type-token";
import type { PropertyMap } from "../../../provider/schema/schema";
import { UsageError } from "../../shared/subcommand";
import { keysOf } from "./engine-path";
import { maskSecrets } from "./mask-secrets";
import { mergeSteps, presentUrns } from "./merge-steps";
import { policyViolation, violationDiagnostic } from "./policy-violation";

/** The operation of the engine on one resource. */
export interface Step {
  /** Operation of the engine, such as `create`, `update` or `replace`. */
  op: string;
  urn: string;
  /** The URN in the state, which an alias maps to `urn`. */
  formerUrn: string | undefined;
  type: string;
  /** Whether it only groups other resources. */
  isComponent: boolean;
  id: string | undefined;
  before: ResourceState | undefined;
  after: ResourceState | undefined;
  /** Changed paths, as keys. Only the engine knows the values of secrets. */
  changedPaths: { keys: string[]; kind: string }[];
  /** Top-level inputs that require the replacement. */
  replaceKeys: readonly string[];
}

export interface ResourceState {
  inputs: PropertyMap;
  outputs: PropertyMap;
  /** Whether a delete keeps the resource on the server. */
  isRetained: boolean;
  /** URN of the resource whose deletion is also that of this one. */
  deletedWith: string | undefined;
}

/** A diagnostic of a resource or of the stack. */
export interface Diagnostic {
  urn: string | undefined;
  severity: string;
  text: string;
}

export interface Preview {
  project: string;
  stack: string;
  steps: Step[];
  /** Number of unchanged resources that are not among the steps. */
  unlisted: number;
  diagnostics: Diagnostic[];
  /** Whether the preview failed, so that the steps may be incomplete. */
  isFailed: boolean;
  /** Whether it is the event log of an update, whose steps have been carried out. */
  isApplied: boolean;
}

const properties = z.record(z.string(), z.unknown()).nullish().catch(undefined);
const state = z
  .looseObject({
    urn: z.string().nullish(),
    id: z.string().nullish(),
    importID: z.string().nullish(),
    custom: z.boolean().nullish(),
    retainOnDelete: z.boolean().nullish(),
    deletedWith: z.string().nullish(),
    inputs: properties,
    outputs: properties,
  })
  .nullish()
  .catch(undefined);
const strings = z.array(z.string()).nullish().catch(undefined);
const details = z
  .record(z.string(), z.looseObject({ kind: z.string().nullish(), diffKind: z.string().nullish() }))
  .nullish()
  .catch(undefined);
const diagnostic = z.looseObject({ urn: z.string().nullish(), message: z.string(), severity: z.string() });

const digest = z.looseObject({
  steps: z
    .array(
      z.looseObject({
        op: z.string(),
        urn: z.string(),
        oldState: state,
        newState: state,
        detailedDiff: details,
        replaceReasons: strings,
      }),
    )
    .nullish(),
  diagnostics: z.array(diagnostic).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

const metadata = z.looseObject({
  op: z.string(),
  urn: z.string(),
  old: state,
  new: state,
  detailedDiff: details,
  keys: strings,
});
const event = z.looseObject({
  sequence: z.number(),
  resourcePreEvent: z.looseObject({ metadata }).nullish(),
  diagnosticEvent: diagnostic.nullish(),
  policyEvent: policyViolation.nullish(),
  summaryEvent: z.looseObject({ result: z.string().nullish(), isPreview: z.boolean().nullish() }).nullish(),
});

/** @param name Source of the text, for the error. @throws UsageError if the text has neither form. */
export function readPreview(text: string, name: string): Preview {
  const whole = digest.safeParse(parseJson(text));
  if (whole.success && (whole.data.steps || whole.data.diagnostics)) {
    return fromDigest(whole.data);
  }
  const lines = text.split("\n").flatMap(parseEvent);
  if (lines.length > 0) return fromEvents(lines);
  const what = text.trim() === "" ? "is empty" : "is not a preview";
  throw new UsageError(
    `${name} ${what}; expected the output of \`pulumi preview --json\` or an event log. Run \`pulumi preview ` +
      "--json > preview.json` and check the file for an error message.",
  );
}

/** Parses the event of a line. Validation is slow, so lines that cannot be events are skipped before it. */
function parseEvent(line: string): z.infer<typeof event>[] {
  const value = line.includes('"sequence"') ? parseJson(line) : undefined;
  const parsed = value === undefined ? undefined : event.safeParse(value).data;
  return parsed ? [parsed] : [];
}

/** Parses JSON that may follow other lines, such as those of a wrapper around the CLI. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.slice(findJsonStart(text)));
  } catch {
    return undefined;
  }
}

/** Returns the start of the first line that begins with a brace. Linear in the length of the text. */
function findJsonStart(text: string): number {
  let from = 0;
  for (;;) {
    const brace = text.indexOf("{", from);
    if (brace < 0) return 0;
    const line = text.lastIndexOf("\n", brace) + 1;
    if (text.slice(line, brace).trim() === "") return line;
    const next = text.indexOf("\n", brace);
    if (next < 0) return 0;
    from = next + 1;
  }
}

function fromDigest({ steps, diagnostics, changeSummary }: z.infer<typeof digest>): Preview {
  const allSteps = (steps ?? []).map(({ oldState: before, newState: after, replaceReasons: replaceKeys, ...step }) => ({
    ...toStep({ ...step, before, after, replaceKeys }),
    isComponent: (after ?? before)?.custom === false,
  }));
  const unchangedSteps = allSteps.filter(({ op }) => op === "same").length;
  const unlisted = Math.max(0, (changeSummary?.same ?? 0) - unchangedSteps);
  return { ...createPreview(allSteps, diagnostics ?? [], false), unlisted };
}

function fromEvents(events: z.infer<typeof event>[]): Preview {
  const steps = events.flatMap(({ resourcePreEvent }) => {
    if (!resourcePreEvent) return [];
    const { old: before, new: after, keys: replaceKeys, ...step } = resourcePreEvent.metadata;
    // An event omits fields that are false.
    const isComponent = (after ?? before) != null && (after ?? before)?.custom !== true;
    return [{ ...toStep({ ...step, before, after, replaceKeys }), isComponent }];
  });
  const diagnostics = events.flatMap(
    ({ diagnosticEvent, policyEvent }) => diagnosticEvent ?? (policyEvent ? violationDiagnostic(policyEvent) : []),
  );
  const summary = events.findLast(({ summaryEvent }) => summaryEvent)?.summaryEvent;
  const preview = createPreview(steps, diagnostics, summary?.result !== "succeeded");
  return { ...preview, isApplied: summary?.isPreview === false };
}

function createPreview(steps: Step[], diagnostics: z.infer<typeof diagnostic>[], isIncomplete: boolean): Preview {
  const { stack, project } = parseUrn(steps[0]?.urn ?? "");
  const presentUrn = presentUrns(steps);
  const lines = diagnostics
    .filter(({ severity }) => severity !== "debug")
    .map(({ urn, severity, message }) => {
      const kind = severity.replace(/#.*/, "");
      const text = stripVTControlCharacters(message).trim();
      // The digest prefixes messages with their severity.
      return {
        urn: urn ? presentUrn(urn) : undefined,
        severity: kind,
        text: text.startsWith(`${kind}: `) ? text.slice(kind.length + 2) : text,
      };
    });
  const isFailed = isIncomplete || lines.some(({ severity }) => severity === "error");
  const merged = mergeSteps(steps.map((step) => ({ ...step, urn: presentUrn(step.urn) })));
  return { project, stack, steps: merged, unlisted: 0, diagnostics: lines, isFailed, isApplied: false };
}

type State = z.infer<typeof state>;

/** A step, in the terms that both forms of a preview share. */
interface RawStep {
  op: string;
  urn: string;
  before?: State;
  after?: State;
  detailedDiff?: z.infer<typeof details>;
  replaceKeys?: readonly string[] | null | undefined;
}

function toStep({ op, urn, before, after, detailedDiff, replaceKeys }: RawStep): Omit<Step, "isComponent"> {
  return {
    op,
    urn,
    formerUrn: before?.urn ?? undefined,
    type: parseUrn(urn).type,
    id: before?.id || after?.importID || undefined,
    before: toResourceState(before),
    after: toResourceState(after),
    replaceKeys: replaceKeys ?? [],
    changedPaths: Object.entries(detailedDiff ?? {}).map(([path, { kind, diffKind }]) => ({
      keys: keysOf(path),
      kind: (kind ?? diffKind ?? "update").replace(/-replace$/, ""),
    })),
  };
}

const toResourceState = (rawState: State): ResourceState | undefined =>
  rawState
    ? {
        inputs: maskSecrets(rawState.inputs ?? {}) as PropertyMap,
        outputs: maskSecrets(rawState.outputs ?? {}) as PropertyMap,
        isRetained: rawState.retainOnDelete ?? false,
        deletedWith: rawState.deletedWith ?? undefined,
      }
    : undefined;
