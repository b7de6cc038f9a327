/** Stateless runs of an agent server (API `4B.POST /runs/wait`). */
import { z } from "zod";
import type { HttpResponse } from "../../http/client";
import type { JsonClient } from "../json-client";
import { freeForm, runConfig } from "./assistants";

export const runBodySchema = z.object({
  assistantId: z.string(),
  input: z.unknown().optional(),
  context: freeForm.optional(),
  config: runConfig.optional(),
  onCompletion: z.enum(["delete", "keep"]),
  onDisconnect: z.enum(["cancel", "continue"]),
});
export type RunBody = Omit<z.input<typeof runBodySchema>, "onCompletion" | "onDisconnect">;

export class RunClient {
  constructor(private readonly json: JsonClient) {}

  /** Runs an assistant once, and returns any response: also of a failed run. @throws HttpError without a response. */
  wait(body: RunBody, timeoutMs: number): Promise<HttpResponse> {
    // Nobody reads the answer of a run that takes too long, so that it ends.
    const encoded = this.json.encode(runBodySchema, { ...body, onCompletion: "delete", onDisconnect: "cancel" });
    return this.json.send({ method: "POST", path: "/runs/wait", body: encoded, timeoutMs, isProbe: true });
  }
}
