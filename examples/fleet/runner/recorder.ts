// Writes down what Pulumi reports on a stack, counts its agents by operation, and collects its errors.
import { appendFileSync } from "node:fs";
import { CommandError, type EngineEvent } from "@pulumi/pulumi/automation/index.js";

export class Recorder {
  /** The number of agents by operation of the engine, such as { update: 2, same: 48 }. */
  readonly agents: Record<string, number> = {};
  readonly errors: string[] = [];
  private readonly path: string;
  private readonly onAgent: () => void;
  private stderr = "";

  /** @param path The output is written to `<path>.log`, and the events to `<path>.json`. */
  constructor(path: string, onAgent: () => void) {
    this.path = path;
    this.onAgent = onAgent;
  }

  readonly handlers = {
    onEvent: (event: EngineEvent) => this.record(event),
    onOutput: (text: string) => appendFileSync(`${this.path}.log`, text),
    onError: (text: string) => {
      appendFileSync(`${this.path}.log`, text);
      this.stderr += text;
    },
  };

  /** @throws The error if it is not a failure of Pulumi. */
  fail(error: unknown): "failed" {
    if (!(error instanceof CommandError)) throw error;
    // Without an error event, the command could not begin, for example because the stack is locked.
    if (this.errors.length === 0) this.errors.push(this.stderr.trim() || `see ${this.path}.log`);
    return "failed";
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
    if (severity === "error" && urn) this.errors.push(`${urn.split("::").at(-1)}: ${causeOf(message)}`);
  }
}

/** The engine begins a message with "1 error occurred:" and an asterisk. Details follow in other lines. */
const causeOf = (message: string) => /^(?:\d+ errors? occurred:\s+\* )?(.*)/.exec(message.trim())?.[1] ?? "";
