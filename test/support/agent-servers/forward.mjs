/** The start command of an agent that is a server elsewhere: forwards each connection at PORT to TARGET. */
import { connect, createServer } from "node:net";
import { pipeline } from "node:stream";

const { PORT, TARGET } = process.env;
createServer((socket) => {
  const upstream = connect(Number(TARGET), "127.0.0.1");
  pipeline(socket, upstream, socket, () => {});
}).listen(Number(PORT), "127.0.0.1");
