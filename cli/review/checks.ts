/** The checks that follow a change of a deployment: its input `verify`. */
import { kindOfToken } from "../../provider/definition/type-token";
import { splitFacts } from "../../provider/plan/facts";
import { containsUnknown } from "../../provider/plan/property-values";
import type { Effect, Impact } from "../../provider/plan/render";
import type { Check } from "../../provider/resources/deployment/schema/verify";
import { titleOf } from "../../provider/resources/deployment/verify/check-run";
import { isPropertyMap } from "../../provider/schema/schema";
import { SECRET } from "./preview/mask-secrets";
import type { Step } from "./preview/preview-json";
import { UNTIL_APPLY } from "./properties";

/** Effects that make a revision. */
const REVISION_EFFECTS: ReadonlySet<Effect> = new Set(["create", "replace", "newRevision"]);

const isDeployment = ({ type }: Step) => kindOfToken(type) === "Deployment";

/** Returns the input; undefined if it declares no checks. */
function verifyOf({ after }: Step): unknown {
  const { verify } = splitFacts(after?.inputs ?? {}).properties;
  return Array.isArray(verify) && verify.length === 0 ? undefined : (verify ?? undefined);
}

/** Returns the titles of the checks that follow; none where nothing is checked. */
export function checksOf(step: Step, impacts: readonly Impact[]): string[] {
  const isChecked = impacts.some(({ effect }) => effect === "verification" || REVISION_EFFECTS.has(effect));
  const verify = isDeployment(step) && isChecked ? verifyOf(step) : undefined;
  if (Array.isArray(verify)) return verify.map(titleAt);
  return verify === undefined ? [] : [containsUnknown(verify) ? UNTIL_APPLY : SECRET];
}

/** Returns the title of a check; its number if a part that the title may contain is secret or unknown. */
function titleAt(check: unknown, index: number): string {
  const parts = isPropertyMap(check) ? Object.values(check).flatMap(ownTexts) : [SECRET];
  const isHidden = parts.some((part) => part === SECRET || containsUnknown(part));
  return isHidden ? `check ${index + 1}` : titleOf(check as Check);
}

/** Returns a text, or those of a kind that the title may contain. */
const ownTexts = (part: unknown): unknown[] => (isPropertyMap(part) ? [part.path, part.assistantId] : [part]);

/** Whether these impacts make a revision of a deployment without checks. */
export const hasUnverifiedRevision = (step: Step, impacts: readonly Impact[]): boolean =>
  isDeployment(step) && verifyOf(step) === undefined && impacts.some(({ effect }) => REVISION_EFFECTS.has(effect));
