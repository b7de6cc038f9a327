import type { Context } from "../runtime/context";
import type { Settings } from "../runtime/options";
import type { Tables } from "../runtime/storage/store";
import type { Route } from "./route";

/** A part of the platform: what it keeps, what it serves and what it does by itself. */
export interface Feature {
  tables: Tables;
  routes?(settings: RouteSettings): Route[];
  /** Defines its due jobs, and hears of what happens in other features. */
  register?(context: Context): void;
  /** Removes what a killed process left, once the file is open. */
  cleanUp?(context: Context): void;
  /** Continues what the end of the last process interrupted, once the emulator listens. */
  resume?(context: Context): void;
}

/** What decides which fields a route has. */
export type RouteSettings = Pick<Settings, "strict" | "interfaceOnly">;
