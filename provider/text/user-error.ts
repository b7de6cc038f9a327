/** Errors that are made for people. */
const NAME = "pulumi-agentgraph";
const STACK = "an error that is shown under its resource";
/** What the engine's host prints of a UserError: its text and its stack. host-console.ts leaves it out. */
export const PRINTED = `${NAME}: ${STACK}`;

/** An error made for people: its message says everything and is shown under its resource, so it carries no stack. */
export class UserError extends Error {
  constructor(message: string) {
    super(message);
    this.stack = STACK;
  }
  override toString(): string {
    return NAME;
  }
}
