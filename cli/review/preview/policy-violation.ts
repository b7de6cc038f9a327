/** Violations of policies, which only event logs contain. */
import { z } from "zod";

export const policyViolation = z.looseObject({
  resourceUrn: z.string().nullish(),
  policyName: z.string(),
  enforcementLevel: z.string(),
  message: z.string(),
});

/** Returns a violation as a diagnostic of its resource. An advisory policy only warns. */
export function violationDiagnostic(violation: z.infer<typeof policyViolation>) {
  const { resourceUrn: urn, policyName, enforcementLevel, message } = violation;
  const severity = enforcementLevel === "advisory" ? "warning" : "error";
  return {
    urn,
    severity,
    message: `policy ${policyName} (${enforcementLevel}): ${message.trim().split("\n").join(" ")}`,
  };
}
