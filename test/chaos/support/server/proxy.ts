import { once } from "node:events";
import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type OutgoingRequest, outgoingRequests, type PulumiProcess, REQUEST_HEADER } from "../engine/process";
import type { Slot } from "../kinds";
import { ANSWER } from "../kinds/deployment";
import type { Fault, FaultPlan } from "./faults";
import type { VirtualTime } from "./virtual-time";

/** A request that the proxy received. */
export interface ProxiedRequest {
  method: string;
  url: string;
  slot: Slot | undefined;
  process: PulumiProcess;
  fault: string | undefined;
  /** The status that the server responded with; undefined when it received nothing. */
  status: number | undefined;
}

interface Response {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A proxy in front of the emulator that injects faults on real sockets. Its URL stays when the emulator restarts. */
export class FaultyProxy {
  faults: FaultPlan | undefined;
  private requests: ProxiedRequest[] = [];
  private readonly connections = new Agent({ keepAlive: true });
  private readonly forwarded = new Set<Promise<unknown>>();

  private constructor(
    private readonly server: Server,
    private readonly emulator: {
      port(): number;
      restart(): Promise<void>;
      /** Returns what the agent of a deployment responds to the question of a check. */
      answerOf(id: string): Promise<string | undefined>;
    },
    private readonly time: VirtualTime,
    private readonly masksSecrets: boolean,
  ) {
    server.on("request", async (incoming, outgoing) => {
      await this.handle(incoming, await buffer(incoming), outgoing).catch(() => incoming.socket.destroy());
    });
  }

  static async start(
    emulator: FaultyProxy["emulator"],
    time: VirtualTime,
    masksSecrets: boolean,
  ): Promise<FaultyProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FaultyProxy(server, emulator, time, masksSecrets);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits until the server has finished what it received. */
  async idle(): Promise<void> {
    while (this.forwarded.size > 0) await Promise.all(this.forwarded);
  }

  /** Returns the requests of a process, and forgets them. */
  takeRequestsOf(process: PulumiProcess): ProxiedRequest[] {
    const own = this.requests.filter((request) => request.process === process);
    this.requests = this.requests.filter((request) => request.process !== process);
    return own;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    this.connections.destroy();
  }

  private async handle(
    incoming: IncomingMessage,
    body: Buffer,
    outgoing: import("node:http").ServerResponse,
  ): Promise<void> {
    const { [REQUEST_HEADER]: id, ...headers } = incoming.headers;
    const { method = "", url = "" } = incoming;
    const sender = outgoingRequests.get(String(id));
    if (!sender || sender.process.isDead) return void incoming.socket.destroy();
    const chosen = this.faults?.take({ method, url }, sender.slot);
    const { slot, process } = sender;
    const entry: ProxiedRequest = { method, url, slot, process, fault: chosen?.name, status: undefined };
    this.requests.push(entry);
    const fault = chosen?.fault ?? {};
    const send = () =>
      url.endsWith(ANSWER)
        ? this.noteResponse(this.answer(url), entry)
        : this.forward(method, url, headers, body, entry);
    if (fault.interrupts) sender.process.isInterrupted = true;
    if (fault.arrivesLate)
      this.track(
        once(incoming.socket, "close")
          .catch(() => undefined)
          .then(send),
      );
    if (fault.isRepeated && method !== "POST") await send();
    const response = fault.isLost || fault.arrivesLate ? undefined : await send();
    if (fault.kills) return sender.process.die();
    if (fault.restarts) await this.emulator.restart();
    if (!fault.echoes) return this.respond(fault, response, sender, outgoing);
    const detail = `Invalid request with the key ${headers["x-api-key"]}: ${body}`;
    await this.respond({ ...fault, body: JSON.stringify({ detail }) }, response, sender, outgoing);
  }

  private async respond(
    fault: Fault,
    received: Response | undefined,
    sender: OutgoingRequest,
    outgoing: import("node:http").ServerResponse,
  ): Promise<void> {
    if (fault.resets) return void outgoing.socket?.resetAndDestroy();
    if (fault.hangs) return sender.holdBack();
    if (fault.delayMs !== undefined) {
      sender.holdBack();
      await new Promise<void>((resolve) => void this.time.after(fault.delayMs ?? 0, resolve));
    }
    if (fault.status !== undefined) return void outgoing.writeHead(fault.status, fault.headers).end(fault.body);
    if (!received) return void outgoing.destroy();
    outgoing.writeHead(received.status, received.headers);
    if (!fault.isTruncated || received.body.length === 0) return void outgoing.end(received.body);
    outgoing.write(received.body.subarray(0, received.body.length / 2), () => outgoing.socket?.destroy());
  }

  private forward(
    method: string,
    path: string,
    headers: IncomingHttpHeaders,
    body: Buffer,
    entry: ProxiedRequest,
  ): Promise<Response | undefined> {
    const response = new Promise<Response>((resolve, reject) => {
      const options = { agent: this.connections, host: "127.0.0.1", port: this.emulator.port(), method, path, headers };
      const forwarded = request(options, async (incoming) => {
        const { statusCode: status = 0, headers: { connection: _, "transfer-encoding": __, ...rest } = {} } = incoming;
        const body = await buffer(incoming);
        if (!this.masksSecrets || !path.startsWith("/v2/deployments"))
          return resolve({ status, headers: { ...rest }, body });
        const { "content-length": ___, ...headers } = rest;
        resolve({ status, headers, body: maskSecrets(body) });
      });
      forwarded.on("error", reject).end(body);
    });
    return this.noteResponse(response, entry);
  }

  /** Responds as the agent of a deployment, which the emulator does not know. */
  private async answer(path: string): Promise<Response> {
    const [, , id = ""] = path.split("/");
    const text = await this.emulator.answerOf(id);
    return { status: text === undefined ? 503 : 200, headers: {}, body: Buffer.from(text ?? "") };
  }

  private noteResponse(response: Promise<Response>, entry: ProxiedRequest): Promise<Response | undefined> {
    const done = response
      .then((answer) => {
        entry.status = answer.status;
        return answer;
      })
      .catch(() => undefined);
    this.track(done);
    return done;
  }

  /** Notes work that the server is not done with. */
  private track(work: Promise<unknown>): void {
    const tracked = work.finally(() => this.forwarded.delete(tracked));
    this.forwarded.add(tracked);
  }
}

/** Replaces the values of secrets, as some servers do. */
function maskSecrets(body: Buffer): Buffer {
  if (body.length === 0) return body;
  const mask = (key: string, value: unknown) =>
    key === "secrets" && Array.isArray(value) ? value.map((one) => ({ ...one, value: "********" })) : value;
  return Buffer.from(JSON.stringify(JSON.parse(body.toString()), mask));
}
