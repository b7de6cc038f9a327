import type { Context } from "../runtime/context";
import type { Settings } from "../runtime/options";
import type { Tables } from "../runtime/storage/store";
import type { Route } from "./route";

/** One part of the platform: its tables, routes and timed jobs. */
export interface Feature {
  tables: Tables;
  routes?(settings: RouteSettings): Route[];
  /** Registers job handlers and event listeners. */
  register?(context: Context): void;
  /** Removes what a killed process left behind, after the store is opened. */
  cleanUp?(context: Context): void;
  /** Resumes interrupted work, after the emulator listens. */
  resume?(context: Context): void;
}

/** The settings that determine the fields of a route. */
export type RouteSettings = Pick<Settings, "strict" | "interfaceOnly" | "platform" | "agentServer">;
