import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that reads each request and issues the same token. Prints its port. Runs until its parent ends it. */
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end('{"access_token":"token","expires_in":3600}');
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
