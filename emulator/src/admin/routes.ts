import type { IncomingMessage, RequestListener } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Push } from "../control-plane/sources/pushes";
import { assertLocalOrigin } from "../http/origin-check";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import type { Fault } from "../runtime/faults";
import type { JournalFilter } from "../runtime/request-log";
import { emulatorVersion } from "../runtime/version";
import { agentAdmin } from "./agent-servers";
import { bucketAdmin } from "./buckets";
import { readLogsOf } from "./deployment-logs";
import { describeExport, describeExports, type OutsideExportChange, outsideExportChange } from "./exports";
import { type RunsTarget, receiveRuns } from "./load-runs";
import type { Operations } from "./operations";
import {
  type ClockChange,
  clockBody,
  faultBody,
  journalQuery,
  type LogsQuery,
  logsQuery,
  type OutsideChange,
  outsideChange,
  pushBody,
  readAdminBody,
  readAdminQuery,
} from "./schemas";
import { type Seed, seedBody } from "./seed/seed";

/** The admin side, `/_emulator`: no key, not in the journal. */
export function adminListener(context: Context, operations: Operations): RequestListener {
  const app = new Hono<{ Bindings: HttpBindings }>();
  return getRequestListener(app.route("/_emulator", adminApp(context, operations)).fetch);
}

function adminApp(context: Context, operations: Operations): Hono<{ Bindings: HttpBindings }> {
  const { store, clock, faults, journal } = context;
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (http, next) => {
    await next();
    http.header("date", new Date(clock.now()).toUTCString());
  });
  app.use(async (http, next) => {
    assertLocalOrigin(context.settings.host, http.req.header("host"), http.req.header("origin"));
    await next();
  });
  app.onError((error, http) => {
    const known = error instanceof ApiError;
    // A client that went away in the middle of its body made no mistake that could be told.
    if (!known && !http.env.incoming.errored) console.error(error);
    return Response.json({ detail: known ? error.detail : String(error) }, { status: known ? error.status : 500 });
  });
  app.notFound((http) => http.json({ detail: "Not Found" }, 404));

  app.get("/health", (http) => http.json(health(context)));

  app.get("/clock", (http) => http.json(clock.read()));
  app.post("/clock", async (http) =>
    http.json(await operations.turnClock(await readAdminBody<ClockChange>(http, clockBody))),
  );

  app.get("/faults", (http) => http.json({ faults: faults.list() }));
  app.post("/faults", async (http) => http.json(operations.addFault(await readAdminBody<Fault>(http, faultBody)), 201));
  app.delete("/faults/:id?", (http) => {
    const id = http.req.param("id");
    operations.removeFaults(id === undefined ? undefined : Number(id));
    return http.body(null, 204);
  });

  app.get("/journal", (http) => {
    const entries = journal.entries(readAdminQuery<JournalFilter>(http, journalQuery));
    return http.json({ count: entries.length, entries });
  });
  app.delete("/journal", (http) => {
    operations.clearJournal();
    return http.body(null, 204);
  });

  app.get("/logs", (http) => http.json(readLogsOf(context, readAdminQuery<LogsQuery>(http, logsQuery))));

  app.post("/reset", async (http) => http.json({ status: "ok", ...(await operations.reset()) }));
  app.post("/seed", async (http) => http.json(operations.seed(await readAdminBody<Seed>(http, seedBody)), 201));

  app.post("/runs", async (http) => {
    const query = http.req.query() as unknown as RunsTarget;
    return http.json(await receiveRuns(context, query, http.env.incoming as IncomingMessage), 201);
  });

  app.post("/pushes", async (http) => http.json(operations.push(await readAdminBody<Push>(http, pushBody)), 201));

  app.get("/projects", (http) =>
    http.json({ projects: store.all("SELECT * FROM projects ORDER BY start_time, name") }),
  );
  app.get("/deployments/:id", (http) => {
    return http.json(operations.describeDeployment(http.req.param("id"), new URL(http.req.url).origin));
  });
  app.patch("/deployments/:id", async (http) => {
    const id = http.req.param("id");
    operations.changeDeployment(id, await readAdminBody<OutsideChange>(http, outsideChange));
    return http.json(operations.describeDeployment(id, new URL(http.req.url).origin));
  });
  app.delete("/deployments/:id", (http) => {
    operations.removeDeployment(http.req.param("id"));
    return http.body(null, 204);
  });
  app.get("/exports", (http) => http.json({ exports: describeExports(context) }));
  app.get("/exports/:id", (http) => http.json(describeExport(context, http.req.param("id"))));
  app.patch("/exports/:id", async (http) => {
    const id = http.req.param("id");
    operations.changeExport(id, await readAdminBody<OutsideExportChange>(http, outsideExportChange));
    return http.json(describeExport(context, id));
  });
  app.route(
    "/agents",
    agentAdmin(context, (work) => operations.commit(work)),
  );
  app.route("/buckets", bucketAdmin(context.buckets));
  app.delete("/listeners/:id", (http) => {
    operations.removeListener(http.req.param("id"));
    return http.body(null, 204);
  });
  return app;
}

function health({ settings, clock }: Context): Record<string, unknown> {
  const { strict, interfaceOnly, edition } = settings;
  const mode = strict ? "strict" : interfaceOnly ? "interface-only" : "tolerant";
  return { status: "ok", version: emulatorVersion, pid: process.pid, mode, edition, now: clock.iso() };
}
