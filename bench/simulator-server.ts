import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Reads every call and answers it with a fixed JSON body: the floor of a service. Prints its port. */
const answer = Buffer.from(JSON.stringify({ id: 'B1', sailing: 'S1', seats: 2, amount: 39.98 }));
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': answer.length,
    });
    response.end(answer);
  });
}).listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
