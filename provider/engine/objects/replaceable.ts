/**
 * Verifies that the new object of a replacement can be created before the old one is deleted: a warning that is
 * harmless in a create, and a name that turns out to be taken, would otherwise leave nothing.
 */
import type { Context } from "../../definition/context";
import type { Definition } from "../../definition/definition";
import { parseUrn } from "../../definition/type-token";
import { HttpError } from "../../http/errors";
import { rejections } from "../../plan/check";
import { inputsOf } from "../../plan/diff";
import type { ResourceData } from "../../plan/facts";
import { InitError, omitUnknowns } from "../../plan/property-values";
import { withMessage } from "../../text/clean";
import { UserError } from "../../text/user-error";
import type { ReplacedObject } from "../run/replacements";
import type { ProviderSession } from "../session";
import { findImportable, importedId } from "./import";

interface PlannedReplacement {
  definition: Definition;
  object: ReplacedObject;
  desired: ResourceData;
  session: Pick<ProviderSession, "settings">;
  ctx: Context;
}

/** @throws UserError that names the resource, when a create of the desired object would fail after the delete. */
export async function assertReplaceable(replacement: PlannedReplacement): Promise<void> {
  const { definition, object, desired, session, ctx } = replacement;
  const { id, state } = object;
  try {
    assertAcceptable(definition, state.properties, desired, session);
    const inputs = omitUnknowns(desired.properties);
    const imported = importedId(desired.facts, id);
    if (imported !== undefined) await findImportable(definition, imported, inputs, ctx);
    else await definition.beforeReplace?.(id, { desired: inputs, previous: state.properties }, ctx);
  } catch (error) {
    if (error instanceof HttpError) throw error.withHint(`${definition.kind} ${id} was not deleted.`);
    if (!(error instanceof UserError)) throw error;
    const resource = `${definition.kind} "${parseUrn(ctx.urn).name}"`;
    throw withMessage(
      error,
      `${resource} cannot be replaced, so nothing was deleted: ${error.message}`,
      (text) => text,
    );
  }
}

/** @throws UserError with each new value that a server probably rejects. */
export function assertAcceptable(
  definition: Definition,
  state: ResourceData["properties"],
  desired: ResourceData,
  { settings }: Pick<ProviderSession, "settings">,
): void {
  const options = { previous: inputsOf(definition, state), settings };
  const failures = rejections(definition, desired.properties, options);
  if (failures.length === 0) return;
  const lines = failures.map(({ path, reason }) => `  ${path}: ${reason}`);
  throw new UserError(
    "the server probably rejects the new one, and a replacement deletes the old one " +
      `first.\n${lines.join("\n")}\nCorrect the value. If the server accepts it, declare the new one as a ` +
      "second resource, and remove the first one when the second is live.",
  );
}

/** Returns the error of a create after the delete of the replaced object, without the claim that nothing changed. */
export function afterDelete(error: unknown, { kind }: Definition, replacedId: string): unknown {
  if (!(error instanceof Error)) return error;
  const text =
    `${error.message.replace(/ *\bno changes were made\b[.:]?/gi, "")}\n${kind} ${replacedId}, which it ` +
    "replaces, had already been deleted.";
  if (error instanceof InitError) return new InitError(error.id, error.outputs, text, error.cause);
  return withMessage(error, text, (message) => message);
}
