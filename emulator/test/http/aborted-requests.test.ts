import { once } from "node:events";
import { connect } from "node:net";
import { type RunningEmulator, startCommand } from "../support/cli/command";

/** Sends the beginning of a request, and disconnects once the emulator has read it. */
async function abort({ url }: RunningEmulator, path: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: k\r\ncontent-type: application/json\r\n`;
  // When the emulator sends 100 Continue, it has read the head and waits for the body.
  socket.write(`${head}expect: 100-continue\r\ncontent-length: 100\r\n\r\n`);
  await once(socket, "data");
  socket.write('{"name":');
  socket.end();
  await once(socket, "close");
}

const PATHS = ["/v2/deployments", "/api/v1/bulk-exports", "/_emulator/clock", "/_emulator/runs?project=chat"];

test("a client that disconnects during a POST causes no error in the emulator", async () => {
  const emulator = await startCommand();
  for (const path of PATHS) await abort(emulator, path);
  expect((await emulator.send("GET", "/_emulator/request-log")).body.count).toBe(0);
  await emulator.terminate();
  expect(emulator.stderr()).toBe("");
});
