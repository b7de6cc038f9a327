/** An emulator in a separate process, which can be killed and restarted with its data. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { packageFolder } from "./packages/packages";

const SECRET = "the-first-secret-of-the-bucket";

export class EmulatorProcess {
  url = "";
  readonly bucket = { url: "", accessKeyId: "key-of-the-bucket", secretAccessKey: SECRET };
  private child: ChildProcess | undefined;
  /** Any free ports at the first start, the same ports afterwards. */
  private ports: [string, string] = ["0", "0"];

  /**
   * @param options More command-line options.
   * @param node The program that runs it.
   */
  constructor(
    private readonly folder: string,
    private readonly options: readonly string[] = [],
    private readonly node = process.execPath,
  ) {}

  /** Starts the emulator. @param secret The bucket's secret access key, which replaces the previous one. */
  async start(secret = this.bucket.secretAccessKey): Promise<void> {
    this.bucket.secretAccessKey = secret;
    const [port, bucketPort] = this.ports;
    const args = ["--strict", "--data", this.folder, "--port", port, "--bucket-port", bucketPort];
    const key = ["--bucket-key", this.bucket.accessKeyId, "--bucket-secret", secret];
    const main = join(packageFolder("pulumi-agentgraph-emulator"), "dist/main.js");
    this.child = spawn(this.node, [main, ...args, ...key, ...this.options], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    for await (const chunk of this.child.stdout ?? []) {
      output += chunk;
      if (/bucket.*http/i.test(output)) break;
    }
    const [url = "", , bucket = ""] = output.match(/http:\/\/[\w.:]+/g) ?? [];
    this.url = url;
    this.bucket.url = bucket;
    this.ports = [new URL(url).port, new URL(bucket).port];
  }

  /** kill -9. */
  async kill(): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }

  /** Returns the time of the emulator's clock in milliseconds. */
  async now(): Promise<number> {
    return Date.parse(((await this.admin("GET", "clock")) as { now: string }).now);
  }

  /** Returns the number of objects in the bucket. */
  async objects(): Promise<number> {
    const { buckets } = (await this.admin("GET", "buckets")) as { buckets: { objects: number }[] };
    return buckets.reduce((sum, { objects }) => sum + objects, 0);
  }

  /** Sends a request to an admin route. @throws When it fails. */
  async admin(method: string, path: string, body?: unknown): Promise<unknown> {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(`${this.url}/_emulator/${path}`, {
      method,
      ...(text !== undefined && { body: text }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  }
}
