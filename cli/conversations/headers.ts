/** Reads the headers of options. Their values are secret, so errors do not repeat them. */
import type { OwnerHeader } from "../../provider/conversations/owners";
import { type Options, UsageError } from "../shared/subcommand";

const HEADER = /^([\w-]+)=([\x20-\x7e]+)$/;

/** Returns the headers of all requests. @throws UsageError. */
export function readHeaders({ header = [] }: { header?: readonly string[] }): Record<string, string> {
  return Object.fromEntries(header.map((text) => parse(text, "--header")));
}

/**
 * Returns the header by which a request is that of an owner. @throws UsageError, also where another header is not
 * valid.
 */
export function readOwnerHeader(options: Options): OwnerHeader | undefined {
  readHeaders(options);
  const { asOwnerHeader: text } = options;
  if (text === undefined) return undefined;
  const [name, template] = parse(String(text), "--as-owner-header");
  if (/\{[^{}]+\}/.test(template)) return { name, template };
  throw new UsageError(
    "--as-owner-header: name a key of the metadata of threads in braces: Authorization=Bearer {owner}.",
  );
}

/** Returns what is secret in headers: their values, without the scheme of an authorization. */
export const secretsIn = (headers: Record<string, string>): string[] =>
  Object.values(headers).flatMap((value) => [value, value.replace(/^\w+ /, "")]);

function parse(text: string, option: string): [name: string, value: string] {
  const [, name, value] = HEADER.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`${option}: it must be NAME=VALUE.`);
  return [name, value];
}
