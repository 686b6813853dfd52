import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Reads and acknowledges every delivery. Prints its port. */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-length': 0 }).end());
}).listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
