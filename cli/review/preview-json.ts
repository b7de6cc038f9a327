/**
 * What `pulumi preview --json` says, in both of its forms: one object with steps, or one event a line (the event log,
 * and what PULUMI_ENABLE_STREAMING_JSON_PREVIEW prints). Only what a review needs is read, and only it is believed.
 */
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { SECRET_SIGNATURE, SIGNATURE } from "../../provider/plan/property-values";
import type { PropertyMap } from "../../provider/schema/schema";
import { UsageError } from "../shared/subcommand";
import { keysOf, MAX_LEVELS } from "./engine-path";

/** One resource, and what the engine would do to it. */
export interface Step {
  /** As the engine names it: `create`, `update`, `replace` … */
  op: string;
  urn: string;
  type: string;
  /** A component groups other resources and does nothing by itself. */
  isComponent: boolean;
  id: string | undefined;
  before: Held | undefined;
  after: Held | undefined;
  /** Paths that the engine found different, by their keys. Values of secrets are known to it alone. */
  differing: { keys: string[]; kind: string }[];
  /** Top-level inputs for which it is replaced. */
  replaceKeys: readonly string[];
}

export interface Held {
  inputs: PropertyMap;
  outputs: PropertyMap;
  /** Whether a delete leaves the object where it is. */
  isRetained: boolean;
}

/** A line on a resource's row, or of the whole stack. */
export interface Line {
  urn: string | undefined;
  severity: string;
  text: string;
}

export interface Preview {
  project: string;
  stack: string;
  steps: Step[];
  /** Resources that stay as they are, of which a digest tells the number alone. */
  unlisted: number;
  lines: Line[];
  /** The engine did not come to the end, so more could happen than is told. */
  isFailed: boolean;
}

/** How a secret stands in a preview. */
export const SECRET = "[secret]";

const bag = z.record(z.string(), z.unknown()).nullish().catch(undefined);
const state = z
  .looseObject({
    id: z.string().nullish(),
    custom: z.boolean().nullish(),
    retainOnDelete: z.boolean().nullish(),
    inputs: bag,
    outputs: bag,
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
  summaryEvent: z.looseObject({ result: z.string().nullish() }).nullish(),
});

/** @throws UsageError when the text is neither form. `name` says where it came from. */
export function readPreview(text: string, name: string): Preview {
  const whole = digest.safeParse(parsed(text));
  if (whole.success && (whole.data.steps || whole.data.diagnostics)) {
    return fromDigest(whole.data);
  }
  const lines = text.split("\n").flatMap(eventOf);
  if (lines.length > 0) return fromEvents(lines);
  const what = text.trim() === "" ? "is empty" : "is no preview that can be read";
  throw new UsageError(
    `${name} ${what}: it takes what \`pulumi preview --json\` prints, or an event log. Run \`pulumi preview --json > preview.json\`, and look there if it printed an error instead.`,
  );
}

/** The event that a line holds. A schema is slow to refuse, so it sees only what may be one. */
function eventOf(line: string): z.infer<typeof event>[] {
  const value = line.includes('"sequence"') ? parsed(line) : undefined;
  const read = value === undefined ? undefined : event.safeParse(value).data;
  return read ? [read] : [];
}

/** JSON that may stand behind lines of something else, as a wrapper around the CLI prints them. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.slice(beginOf(text)));
  } catch {
    return undefined;
  }
}

/** Where the first line begins that begins with a brace. Each line is looked at once, however long it is. */
function beginOf(text: string): number {
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
  const found = (steps ?? []).map(({ oldState, newState, detailedDiff, replaceReasons, ...step }) => ({
    ...stepOf(step, oldState, newState, detailedDiff, replaceReasons),
    isComponent: (newState ?? oldState)?.custom === false,
  }));
  const listed = found.filter(({ op }) => op === "same").length;
  const unlisted = Math.max(0, (changeSummary?.same ?? 0) - listed);
  return { ...preview(found, diagnostics ?? [], false), unlisted };
}

function fromEvents(events: z.infer<typeof event>[]): Preview {
  const found = events.flatMap(({ resourcePreEvent }) => {
    if (!resourcePreEvent) return [];
    const { old: before, new: after, detailedDiff, keys, ...step } = resourcePreEvent.metadata;
    // An event leaves out what is false.
    const isComponent = (after ?? before) != null && (after ?? before)?.custom !== true;
    return [{ ...stepOf(step, before, after, detailedDiff, keys), isComponent }];
  });
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const summary = events.findLast(({ summaryEvent }) => summaryEvent)?.summaryEvent;
  return preview(found, diagnostics, summary?.result !== "succeeded");
}

function preview(found: Step[], diagnostics: z.infer<typeof diagnostic>[], isCut: boolean): Preview {
  const [stack = "", project = ""] = (found[0]?.urn ?? "").replace(/^urn:pulumi:/, "").split("::");
  const lines = diagnostics
    .filter(({ severity }) => severity !== "debug")
    .map(({ urn, severity, message }) => {
      const kind = severity.replace(/#.*/, "");
      const text = stripVTControlCharacters(message).trim();
      // The digest repeats the severity before the text of what is loud.
      return {
        urn: urn || undefined,
        severity: kind,
        text: text.startsWith(`${kind}: `) ? text.slice(kind.length + 2) : text,
      };
    });
  const isFailed = isCut || lines.some(({ severity }) => severity === "error");
  return { project, stack, steps: onePerResource(found), unlisted: 0, lines, isFailed };
}

/** A replacement is told as one step and as its two halves. The whole says most, a half more than nothing. */
function onePerResource(steps: Step[]): Step[] {
  const isHalf = ({ op }: Step) => /-replacement$|-replaced$/.test(op);
  const byUrn = Map.groupBy(steps, ({ urn }) => urn);
  return [...byUrn.values()].map((all) => {
    const [half, whole] = [all.findLast(isHalf), all.findLast((step) => !isHalf(step))];
    const step = (whole ?? half) as Step;
    const keys = all.flatMap(({ replaceKeys }) => replaceKeys);
    return { ...step, op: whole ? step.op : "replace", replaceKeys: [...new Set(keys)] };
  });
}

type State = z.infer<typeof state>;

function stepOf(
  { op, urn }: { op: string; urn: string },
  before: State,
  after: State,
  detailed: z.infer<typeof details>,
  replaceKeys: readonly string[] | null | undefined,
): Omit<Step, "isComponent"> {
  return {
    op,
    urn,
    type: typeIn(urn),
    id: before?.id || undefined,
    before: held(before),
    after: held(after),
    replaceKeys: replaceKeys ?? [],
    differing: Object.entries(detailed ?? {}).map(([path, { kind, diffKind }]) => ({
      keys: keysOf(path),
      kind: (kind ?? diffKind ?? "update").replace(/-replace$/, ""),
    })),
  };
}

const held = (seen: State): Held | undefined =>
  seen
    ? {
        inputs: covered(seen.inputs ?? {}) as PropertyMap,
        outputs: covered(seen.outputs ?? {}) as PropertyMap,
        isRetained: seen.retainOnDelete ?? false,
      }
    : undefined;

/** The type of the resource itself: a URN names those of its parents before it. */
const typeIn = (urn: string) => (urn.split("::")[2] ?? "").split("$").at(-1) ?? "";
export const nameIn = (urn: string) => urn.split("::").slice(3).join("::");

/** Every secret in one form, whatever stands in its place: the value itself goes no further. */
function covered(value: unknown, levels = MAX_LEVELS): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((part) => covered(part, levels - 1));
  if ((value as PropertyMap)[SIGNATURE] === SECRET_SIGNATURE) return SECRET;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, covered(part, levels - 1)]));
}

const TOO_DEEP = "[nested too deeply]";
