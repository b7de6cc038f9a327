import { defaultTenantId } from "../../../src/index";
import type { ApiResponse, Body, Client } from "../emulator";

/** The fields of bulk export responses that tests read. */
export interface ExportBody {
  id: string;
  status: string;
  start_time: string;
  end_time: string | null;
  interval_hours: number | null;
  source_bulk_export_id: string | null;
  created_at: string;
  finished_at: string | null;
  compression: string;
  next_spawn_at: string;
}

export interface RunBody {
  id: string;
  bulk_export_id: string;
  session_id: string | null;
  status: string;
  retry_number: number;
  errors: Record<string, string> | null;
  start_time: string;
  metadata: { prefix: string; result: { rows_written: number; exported_files: string[]; export_path: string } | null };
}

export const bulkExports = "/api/v1/bulk-exports";
export const hour = 3_600_000;
export const day = 24 * hour;

/** Long enough for an export without files to finish. */
export const exportMs = 2000;

export const headers = (tenantId: string = defaultTenantId) => ({ "x-api-key": "a-key", "x-tenant-id": tenantId });

/** A client of the bulk export API in one workspace. */
export class TracingClient {
  constructor(
    readonly client: Client,
    readonly tenantId: string = defaultTenantId,
  ) {}

  get(path: string): Promise<ApiResponse> {
    return this.client.send("GET", path, undefined, headers(this.tenantId));
  }

  post(path: string, body: unknown): Promise<ApiResponse> {
    return this.client.send("POST", path, body, headers(this.tenantId));
  }

  patch(path: string, body: unknown): Promise<ApiResponse> {
    return this.client.send("PATCH", path, body, headers(this.tenantId));
  }

  remove(path: string): Promise<ApiResponse> {
    return this.client.send("DELETE", path, undefined, headers(this.tenantId));
  }

  /** Seeds a destination without a probe; nothing is ever written to it. */
  async destination(): Promise<string> {
    const config = { bucket_name: "nowhere", prefix: "p", endpoint_url: "http://127.0.0.1:1" };
    const credentials = { access_key_id: "a", secret_access_key: "s" };
    const destinations = [{ tenant_id: this.tenantId, config, credentials }];
    return String((await this.client.emulator.seed({ destinations })).destinations?.[0]);
  }

  /** Creates a project without trace runs; with a dataset it is an experiment. */
  async project(name = "project", datasetId?: string): Promise<string> {
    const target = { tenant_id: this.tenantId, project: name };
    const dataset = datasetId === undefined ? {} : { reference_dataset_id: datasetId };
    return (await this.client.emulator.loadRuns({ ...target, ...dataset }, [])).session_id;
  }

  /** Returns the body of an export of three days of an empty project. */
  async threeDayExport(change: object = {}): Promise<Record<string, unknown>> {
    return {
      bulk_export_destination_id: await this.destination(),
      session_id: await this.project(),
      start_time: "2026-01-01T00:00:00Z",
      end_time: "2026-01-04T00:00:00Z",
      ...change,
    };
  }

  /** Creates an export and returns it, after some time; fails the test if the server rejects it. */
  async create(body: object, advanceMs = 0): Promise<ExportBody> {
    const response = await this.post(bulkExports, body);
    expect(response).toMatchObject({ status: 200 });
    if (advanceMs > 0) await this.client.advance(advanceMs);
    return bodyAs<ExportBody>(response.body);
  }

  async export(id: string): Promise<ExportBody> {
    return bodyAs<ExportBody>((await this.get(`${bulkExports}/${id}`)).body);
  }

  /** Returns all exports, oldest first. */
  async exports(): Promise<ExportBody[]> {
    return bodyAs<ExportBody[]>((await this.get(bulkExports)).body).reverse();
  }

  async runs(id: string): Promise<RunBody[]> {
    return bodyAs<RunBody[]>((await this.get(`${bulkExports}/${id}/runs`)).body);
  }

  cancel(id: string): Promise<ApiResponse> {
    return this.patch(`${bulkExports}/${id}`, { status: "Cancelled" });
  }
}

export function bodyAs<T>(body: Body): T {
  return body as unknown as T;
}
