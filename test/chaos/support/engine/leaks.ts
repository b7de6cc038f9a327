/** Finds secrets where the engine neither hides nor encrypts them. */
import type { Lifecycle } from "../../../../provider/engine/host/dynamic";

/** How the engine marks a secret. */
const [SIGNATURE, SECRET] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];

/** Returns the JSON of a value without what the engine encrypts. */
const plainTextOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part) => (part?.[SIGNATURE] === SECRET ? "[secret]" : part)) ?? "";

/** Returns the handlers, which add to `texts` what they return for state. */
export function observePlainTexts(host: Lifecycle, texts: string[]): Lifecycle {
  const observe =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        const result = await call(...args);
        texts.push(plainTextOf(result));
        return result;
      } catch (error) {
        // What the host passes on of an error.
        const { message, properties, reasons } = error as { message: string; properties?: object; reasons?: string[] };
        texts.push(plainTextOf({ message, properties, reasons }));
        throw error;
      }
    };
  return {
    ...host,
    check: observe(host.check),
    diff: observe(host.diff),
    create: observe(host.create),
    read: observe(host.read),
    update: observe(host.update),
    delete: observe(host.delete),
  };
}
