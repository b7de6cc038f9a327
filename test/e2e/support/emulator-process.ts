/** The emulator as a process of its own, which can be killed and started again where it was. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./program";

const SECRET = "the-first-secret-of-the-bucket";

export class EmulatorProcess {
  url = "";
  readonly bucket = { url: "", accessKeyId: "key-of-the-bucket", secretAccessKey: SECRET };
  private child: ChildProcess | undefined;
  /** Free ones at the first start, the same ones from then on. */
  private ports: [string, string] = ["0", "0"];

  constructor(private readonly folder: string) {}

  /** Starts it; with another secret the old one no longer opens the bucket. */
  async start(secret = this.bucket.secretAccessKey): Promise<void> {
    this.bucket.secretAccessKey = secret;
    const [port, bucketPort] = this.ports;
    const args = ["--strict", "--data", this.folder, "--port", port, "--bucket-port", bucketPort];
    const key = ["--bucket-key", this.bucket.accessKeyId, "--bucket-secret", secret];
    const main = join(ROOT, "emulator/dist/main.js");
    this.child = spawn(process.execPath, [main, ...args, ...key], { stdio: ["ignore", "pipe", "inherit"] });
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

  /** The time of its clock. */
  async now(): Promise<number> {
    return Date.parse(((await this.admin("GET", "clock")) as { now: string }).now);
  }

  /** How many objects are in its bucket. */
  async objects(): Promise<number> {
    const { buckets } = (await this.admin("GET", "buckets")) as { buckets: { objects: number }[] };
    return buckets.reduce((sum, { objects }) => sum + objects, 0);
  }

  /** A request to its admin side, which must succeed. */
  async admin(method: string, path: string, body?: unknown): Promise<unknown> {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(`${this.url}/_emulator/${path}`, {
      method,
      ...(text !== undefined && { body: text }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}
