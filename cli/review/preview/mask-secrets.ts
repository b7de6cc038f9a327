/** Secrets in a preview. */
import { SECRET_SIGNATURE, SIGNATURE } from "../../../provider/plan/property-values";
import type { PropertyMap } from "../../../provider/schema/schema";
import { MAX_LEVELS } from "./engine-path";

/** Placeholder of a secret in a preview. */
export const SECRET = "[secret]";

/** Replaces every secret with SECRET, so that no value goes further. */
export function maskSecrets(value: unknown, levels = MAX_LEVELS): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((part) => maskSecrets(part, levels - 1));
  if ((value as PropertyMap)[SIGNATURE] === SECRET_SIGNATURE) return SECRET;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskSecrets(part, levels - 1)]));
}

const TOO_DEEP = "[nested too deeply]";
