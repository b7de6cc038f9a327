/** Optional fields of a common type. @param description What users read about the field. */
import { z } from "zod";

export const optionalText = (description: string) => z.string().optional().describe(description);

export const optionalFlag = (description: string) => z.boolean().optional().describe(description);

export const optionalName = (description: string) => z.string().min(1).optional().describe(description);
