/** Errors of handlers name the resource in their first line: a display may show that line alone, or far from its resource. */
import { type Hidden, InitError } from "./engine-values";
import { PlainError } from "./http/errors";

/** Calls a handler; what it throws for people begins with the kind and the name that the program declares. */
export async function naming<T>(kind: string, { __urn: urn = "" }: Hidden, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const name = urn.split("::").slice(3).join("::");
    if (name !== "" && (error instanceof PlainError || error instanceof InitError)) {
      error.message = named(kind, name, error.message);
      if (error instanceof InitError) error.reasons[0] = error.message;
    }
    throw error;
  }
}

function named(kind: string, name: string, message: string): string {
  const [first = ""] = message.split("\n", 1);
  const isNamed = first.startsWith(`${kind} "`) || first.includes(`"${name}"`);
  return isNamed ? message : `${kind} "${name}": ${message}`;
}
