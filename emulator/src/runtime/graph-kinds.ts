/** The small graphs that every emulator has; agent-server/assistants/graphs.ts says what they do. */
export const graphKinds = ["echo", "counter", "interrupt", "failing"] as const;
export type GraphKind = (typeof graphKinds)[number];
