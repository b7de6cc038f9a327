import { assistant } from "./assistant";

/** A new kind adds a line. */
export const agentKinds = [assistant] as const;
