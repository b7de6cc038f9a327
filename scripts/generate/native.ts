/** The text of sdk/nodejs/native/index.ts. */
export { native as text } from "./exports.ts";
