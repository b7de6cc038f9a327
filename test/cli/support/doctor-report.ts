/** Reads the output of `agentgraph doctor --json`. */
import { z } from "zod";
import type { Check } from "../../../cli/shared/check";
import schema from "../../../docs/doctor.schema.json";

/** The documented form of the output. Fields and IDs that it does not list are rejected. */
const reportSchema = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);

export interface DoctorReport {
  toFix: number;
  groups: { title: string; checks: Check[] }[];
}

/** @throws When the output does not have the documented form. */
export const readReport = (output: string): DoctorReport => reportSchema.parse(JSON.parse(output)) as DoctorReport;
