/** Errors that are made for people. */
const DISPLAY_NAME = "pulumi-agentgraph";
const STACK_PLACEHOLDER = "an error that is shown under its resource";
/** What the engine's host prints of a UserError: its text and its stack. host-console.ts leaves it out. */
export const PRINTED_USER_ERROR = `${DISPLAY_NAME}: ${STACK_PLACEHOLDER}`;

/** An error made for people: its message says everything and is shown under its resource, so it carries no stack. */
export class UserError extends Error {
  constructor(message: string) {
    super(message);
    this.stack = STACK_PLACEHOLDER;
  }
  override toString(): string {
    return DISPLAY_NAME;
  }
}
