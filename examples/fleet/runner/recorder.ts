// Writes down what Pulumi reports on a stack, counts its agents by operation, and collects its errors.
import { appendFileSync } from "node:fs";
import { CommandError, type EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { Outcome } from "./progress.ts";

export class Recorder {
  private readonly agents: Record<string, number> = {};
  private readonly errorsOfAgents: string[] = [];
  private readonly otherErrors: string[] = [];
  private readonly path: string;
  private readonly onAgent: () => void;

  /** @param path The output is written to `<path>.log`, and the events to `<path>.json`. */
  constructor(path: string, onAgent: () => void) {
    this.path = path;
    this.onAgent = onAgent;
  }

  readonly handlers = {
    onEvent: (event: EngineEvent) => this.record(event),
    onOutput: (text: string) => appendFileSync(`${this.path}.log`, text),
    onError: (text: string) => appendFileSync(`${this.path}.log`, text),
  };

  success(): Outcome {
    return { result: "succeeded", agents: this.agents, errors: [] };
  }

  /** @throws The error if it is not one of Pulumi. */
  failure(error: unknown): Outcome {
    const outcome = failureOf(error);
    // Errors of agents are also followed by one that says no more. Without any, the command could not begin: see
    // `failureOf`.
    const errors = [this.errorsOfAgents, this.otherErrors, outcome.errors].find(({ length }) => length > 0) ?? [];
    return { ...outcome, agents: this.agents, errors };
  }

  private record(event: EngineEvent): void {
    if (String(event.diagnosticEvent?.severity) === "debug") return;
    appendFileSync(`${this.path}.json`, `${JSON.stringify(event)}\n`);
    const { op, type } = event.resOutputsEvent?.metadata ?? {};
    // Of the three steps of a replacement, one counts.
    if (op && !type?.startsWith("pulumi:") && !/-(replacement|replaced)$/.test(op)) {
      this.agents[op] = (this.agents[op] ?? 0) + 1;
      this.onAgent();
    }
    const { severity, urn = "", message = "" } = event.diagnosticEvent ?? {};
    if (severity !== "error") return;
    if (urn) this.errorsOfAgents.push(`${urn.split("::").at(-1)}: ${causeOf(message)}`);
    else this.otherErrors.push(message.trim());
  }
}

/**
 * Returns the failure of a command that could not begin, for example because the stack is locked.
 * @throws The error if it is not one of Pulumi.
 */
export function failureOf(error: unknown): Outcome {
  if (!(error instanceof CommandError)) throw error;
  const [message] = /^error: .*/m.exec(error.message) ?? [error.message];
  return { result: "failed", agents: {}, errors: [message] };
}

/** The engine begins a message with "1 error occurred:" and an asterisk. Details follow in other lines. */
const causeOf = (message: string) => /^(?:\d+ errors? occurred:\s+\* )?(.*)/.exec(message.trim())?.[1] ?? "";
