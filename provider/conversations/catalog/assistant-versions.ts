/**
 * What makes the next version of an assistant: each change starts from the current content, and the servers differ in
 * what they keep of it (API `2B.Assistant.mirrors`, `4B.POST /assistants/{assistant_id}/latest`).
 */
import { isSameJson } from "../lossless-json";
import type { Fields } from "./read-catalog";

/** What a version contains. */
const TEXTS = ["graph_id", "name", "description"] as const;
const SETTINGS = ["config", "context"] as const;

export interface Step {
  /** The number of the version to return to first. */
  returnTo?: number;
  body: Fields;
}

/**
 * Returns what makes a version that is equal to the given one, or comes closest.
 * @param current What the server has; empty before the create.
 * @param earlier The versions that exist, oldest first.
 */
export function stepTo(version: Fields, current: Fields, earlier: readonly Fields[], isPython: boolean): Step {
  const returns = earlier.map((older, index) => ({ from: returnedTo(older, current, isPython), returnTo: index + 1 }));
  const bases = [{ from: current }, ...returns.reverse()];
  const reaches = ({ from }: { from: Fields }) =>
    isSameContent(changed(from, differenceOf(from, version, isPython), isPython), version, isPython);
  const { from, ...step } = bases.find(reaches) ?? { from: current };
  return { ...step, body: differenceOf(from, version, isPython) };
}

export function isSameContent(left: Fields, right: Fields, isPython: boolean): boolean {
  const content = (fields: Fields) => [
    ...TEXTS.map((key) => fields[key] ?? null),
    ...SETTINGS.map((key) => settingsIn(fields, key, isPython)),
    objectIn(fields, "metadata"),
  ];
  return isSameJson(content(left), content(right));
}

const objectIn = (fields: Fields, key: string): Fields => (fields[key] ?? {}) as Fields;
const isFilled = (value: unknown): boolean => Object.keys(value ?? {}).length > 0;

/** In Python, an empty `configurable` is an absent one. */
function settingsIn(fields: Fields, key: "config" | "context", isPython: boolean): Fields {
  const { configurable, ...rest } = objectIn(fields, key);
  return key === "context" || !isPython || isFilled(configurable) ? objectIn(fields, key) : rest;
}

function differenceOf(from: Fields, to: Fields, isPython: boolean): Fields {
  const texts = TEXTS.filter((key) => to[key] != null && to[key] !== from[key]).map((key) => [key, to[key]]);
  const before = objectIn(from, "metadata");
  const metadata = Object.entries(objectIn(to, "metadata")).filter(([key, value]) => !isSameJson(before[key], value));
  return {
    ...Object.fromEntries(texts),
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
    ...settingsDifference(from, to, isPython),
  };
}

function settingsDifference(from: Fields, to: Fields, isPython: boolean): Fields {
  const differs = (key: "config" | "context") =>
    !isSameJson(settingsIn(from, key, isPython), settingsIn(to, key, isPython));
  const changes = SETTINGS.filter(differs).map((key) => [key, objectIn(to, key)]);
  if (changes.length === 0 || !isPython) return Object.fromEntries(changes);
  const { configurable, ...config } = objectIn(to, "config");
  const context = objectIn(to, "context");
  // It shows a context in the configuration as well, and rejects both in a request.
  if (isFilled(context) && isFilled(configurable) && (changes.length > 1 || isSameJson(configurable, context)))
    return { config, context };
  // It ignores an empty configuration.
  const empty = !isFilled(config) && !isFilled(configurable) ? { configurable: {} } : undefined;
  return Object.fromEntries(changes.map(([key, value]) => [key, key === "config" ? (empty ?? value) : value]));
}

function changed(from: Fields, body: Fields, isPython: boolean): Fields {
  const metadata = { ...objectIn(from, "metadata"), ...objectIn(body, "metadata") };
  const result = { ...from, ...body, metadata };
  if (!isPython) return result;
  const { configurable } = objectIn(body, "config");
  if (isFilled(configurable)) return { ...result, context: configurable };
  const config = isFilled(body.context) ? { ...objectIn(body, "config"), configurable: body.context } : body.config;
  return { ...result, config: isFilled(config) ? config : from.config };
}

function returnedTo(version: Fields, current: Fields, isPython: boolean): Fields {
  const { config, metadata, name, description } = version;
  return { ...current, config, metadata, name, ...(isPython && { description }) };
}
