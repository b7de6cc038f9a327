/** Errors for users. */
const DISPLAY_NAME = "pulumi-agentgraph";
const STACK_PLACEHOLDER = "an error that is shown under its resource";
/** What the engine's host prints for a UserError: its string and its stack. host/environment.ts suppresses it. */
export const PRINTED_USER_ERROR = `${DISPLAY_NAME}: ${STACK_PLACEHOLDER}`;

/** An error whose message is complete and is shown under its resource, so it has no stack trace. */
export class UserError extends Error {
  /** Whether the cause may be a setting that the engine took from state, where the last `pulumi up` stored it. */
  readonly concernsStoredSettings: boolean = false;

  constructor(message: string) {
    super(message);
    this.stack = STACK_PLACEHOLDER;
  }
  override toString(): string {
    return DISPLAY_NAME;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
