/**
 * Finds values that a program writes by mistake: texts that the SDKs of Pulumi and the languages write in place of a
 * value, what Pulumi or JSON cannot carry to the server, and secrets that are empty or no longer there. Pure.
 */
import type { CheckFailure } from "../definition/rules";
import type { Field } from "../schema/fields";
import { isObjectOrArray, isPropertyMap, type PropertyMap, valueAt } from "../schema/schema";
import { SIGNATURE } from "./property-values";

export interface CheckResult {
  failures: CheckFailure[];
  warnings: CheckFailure[];
}

/** What the SDKs write for an Output that is used as a text, and their default texts of such an object. */
const OUTPUT_TEXTS = [
  // Node.js, Python, .NET and Java: `Calling [toString] on an [Output<T>] is not supported.`
  /Calling \[?\w+(?:\(\))?\]? on an? \[?Output(?:<\w*>|\[\w*\])?\]? is not supported/i,
  /<pulumi\.output\.Output object at 0x/,
  /\bPulumi\.Output`1\[/,
  /\bcom\.pulumi\.core\.(?:internal\.)?Output\w*@[0-9a-f]+/,
  // Go: `%v` of an Output prints the address of its state, and other verbs print its type.
  /^[&{]*\{0xc[0-9a-f]{6,}\}+$|%!\w\(\*?[\w./]*OutputState=/,
];

const USE_APPLY =
  "contains the text that Pulumi writes for an Output in place of its value. Build the text from the Output's " +
  "value: pulumi.interpolate or apply in TypeScript, Output.concat or apply in Python, pulumi.Sprintf in Go.";

/** Texts of values that are no texts, anywhere in a text. */
const PLACEHOLDER = /\[object [A-Z]\w*\]|%!\w\((?:<nil>|MISSING|NOVERB|BADINDEX|EXTRA)|<nil>/;
/** Texts of missing values, as a whole text. */
const MISSING = /^(?:undefined|null|NaN|None|nil)$/;
/** The same as a part of a name, a URL or a tag. */
const MISSING_PART = /(?<![A-Za-z0-9])(?:undefined|NaN)(?![A-Za-z0-9])|(?<=[:/@=])(?:null|None|nil)(?=$|[/?&#:@])/;
/** An expression of another kind of text than the one that contains it: `'${agent.url}'`. */
const EXPRESSION = /\$\{[A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$]*|\[[^\]}]*\])+\}/;

const INVALID_TEXT = "is not a valid Unicode text: it contains half of a character. Correct the text.";

const ASSET = "is an asset or an archive, which no server stores. Read the file in the program, and declare its text.";

/** @param isSecret Whether messages must not contain the value at a path. */
export function findMistakes(value: unknown, isSecret: (path: string) => boolean, path = "", key = ""): CheckResult {
  const fail = (reason: string) => ({ failures: [{ path: path.toWellFormed(), reason }], warnings: [] });
  if (key === "__proto__") return fail("is not supported, because Pulumi drops keys of this name.");
  if (!key.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) return fail(INVALID_TEXT);
  if (typeof value === "string") return mistakesInText(value, path, isSecret(path));
  if (typeof value === "number") return mistakesInNumber(value, path);
  if (!isObjectOrArray(value)) return { failures: [], warnings: [] };
  if (Object.hasOwn(value, SIGNATURE)) return fail(ASSET);
  const all = Object.entries(value).flatMap(([key, part]) => {
    const inner = path === "" ? key : `${path}.${key}`;
    return [
      ...(Array.isArray(value) ? [] : [mistakesInText(key, inner, false, "has a name that")]),
      findMistakes(part, isSecret, inner, key),
    ];
  });
  return { failures: all.flatMap(({ failures }) => failures), warnings: all.flatMap(({ warnings }) => warnings) };
}

/** @param subject What contains the text: the value, or the name of an entry. */
function mistakesInText(text: string, path: string, isSecret: boolean, subject?: string): CheckResult {
  const found = (reason: string) => [{ path, reason: `${subject ? `${subject} ` : ""}${reason}` }];
  if (OUTPUT_TEXTS.some((pattern) => pattern.test(text))) return { failures: found(USE_APPLY), warnings: [] };
  const isOneWord = !/\s/.test(text.trim());
  const match =
    PLACEHOLDER.exec(text) ??
    (isOneWord
      ? (MISSING.exec(text.trim()) ?? MISSING_PART.exec(text) ?? EXPRESSION.exec(text))
      : EXPRESSION.exec(text));
  if (!match) return { failures: [], warnings: [] };
  // A secret that is one of these words would be hidden in the message.
  const what = isSecret ? "the text" : `"${match[0]}", the text`;
  return {
    failures: [],
    warnings: found(
      `contains ${what} that a program writes where a value is missing or is not a text. Check the expression.`,
    ),
  };
}

function mistakesInNumber(value: number, path: string): CheckResult {
  if (!Number.isFinite(value))
    return { failures: [{ path, reason: `is ${value}, which JSON cannot contain; use a number.` }], warnings: [] };
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return { failures: [], warnings: [] };
  const reason = `is ${value}, beyond 2^53, so its last digits are not exact; use a text for such a number.`;
  return { failures: [], warnings: [{ path, reason }] };
}

/** Whether a missing variable of a pipeline shows as an entry that is empty or no longer there. */
export const mayMissEntries = ({ sharesNamesWith }: Field): boolean => sharesNamesWith !== undefined;

/** Warns of such entries that are new and empty, or that are no longer there, unless they are in the other map now. */
export function missingSecrets(fields: readonly Field[], inputs: PropertyMap, previous: PropertyMap): CheckFailure[] {
  return fields.flatMap(({ path, sharesNamesWith }) => {
    if (sharesNamesWith === undefined) return [];
    const other = inputs[sharesNamesWith] ?? {};
    const isMoved = (key: string) => !isPropertyMap(other) || Object.hasOwn(other, key);
    const [before, after] = [valueAt(previous, path), valueAt(inputs, path) ?? {}];
    if (!isPropertyMap(after)) return [];
    const old: PropertyMap = isPropertyMap(before) ? before : {};
    const emptied = Object.keys(after).filter((key) => after[key] === "" && old[key] !== "");
    const removed = Object.keys(old).filter((key) => !Object.hasOwn(after, key) && !isMoved(key));
    const failure = (key: string, reason: string) => ({ path: `${path}.${key}`, reason });
    return [
      ...emptied.map((key) =>
        failure(key, "is empty. If that is not on purpose, the program read a variable that is not set."),
      ),
      ...removed.map((key) =>
        failure(
          key,
          "is removed. If that is not on purpose, its value was undefined in the program, or it was added " +
            "outside of the program.",
        ),
      ),
    ];
  });
}
