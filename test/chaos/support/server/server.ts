import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultTenantId, type Emulator, type EmulatorOptions, startEmulator } from "../../../../emulator/src/index";
import type { PropertyMap } from "../../../../provider/schema/schema";

/** The emulator, which keeps its data, and the port of its bucket, when it restarts. */
export class Server {
  private restarts: Promise<void> = Promise.resolve();

  private constructor(
    private current: Emulator,
    private readonly data: string,
  ) {}

  static async start(): Promise<Server> {
    const data = mkdtempSync(join(tmpdir(), "agentgraph-chaos-"));
    const server = new Server(await startEmulator({ strict: true, data }), data);
    await server.emulator.clock.freeze();
    return server;
  }

  get emulator(): Emulator {
    return this.current;
  }

  get url(): string {
    return this.current.urls.controlPlane;
  }

  /** Returns the file of an uploaded source. */
  uploadOf(name: string): string {
    const id = name.replace(/\..*/, "");
    const found = readdirSync(this.data, { recursive: true }).find((path) => String(path).includes(id));
    return join(this.data, String(found));
  }

  /** Restarts the emulator, after the restarts that other faults have begun. */
  restart(): Promise<void> {
    this.restarts = this.restarts.then(() => this.restartOnce());
    return this.restarts;
  }

  private async restartOnce(): Promise<void> {
    const [port, bucketPort] = [this.url, this.current.urls.bucket].map((url) => Number(new URL(url).port));
    await this.current.stop();
    this.current = await startEmulator({ strict: true, data: this.data, port, bucketPort } as EmulatorOptions);
  }

  async stop(): Promise<void> {
    await this.restarts;
    await this.current.stop();
    rmSync(this.data, { recursive: true, force: true });
  }

  now(): number {
    return Date.parse(this.current.clock.read().now);
  }

  advance(milliseconds: number): Promise<void> {
    return this.current.clock.advance(milliseconds);
  }

  /** Sends a request as another client, without faults. */
  async call<T = PropertyMap>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const headers = { "x-api-key": "somebody-else", "x-tenant-id": defaultTenantId, connection: "close", ...type };
    const response = await fetch(this.url + path, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }
}
