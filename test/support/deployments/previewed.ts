/** What a preview says about declared inputs of a deployment, without a server. */
import type { PropertyMap } from "../../../provider/schema/schema";
import { TestClock } from "../clock";
import { type CheckError, Stack } from "../stack";

const newStack = () => new Stack({ url: "https://control.example", clock: new TestClock() });

/** Returns the paths that a preview rejects and its warnings. */
export async function preview(declared: PropertyMap): Promise<{ refused: string[]; warned: string[] }> {
  const stack = newStack();
  const refused = await stack.check(declared).then(
    () => [],
    (error: CheckError) => error.failures.map(({ property, reason }) => property || String(reason.split(" ")[0])),
  );
  return { refused, warned: stack.messages.filter((row) => row.startsWith("warn: ")) };
}
