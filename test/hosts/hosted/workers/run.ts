import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Miniflare, Response, type Request } from 'miniflare';
import { exchange } from '../../../packages/runtime/webhooks/exchange.ts';

const [, , report = '', suites = ''] = process.argv;

const miniflare = new Miniflare({
  modules: true,
  scriptPath: join(import.meta.dirname, 'worker.js'),
  compatibilityDate: '2026-01-01',
  host: '127.0.0.1',
  port: 0,
  cf: false,
  bindings: { SUITES: suites },
  serviceBindings: { WIRE: answer },
});
const port = Number((await miniflare.ready).port);
const worker = await miniflare.getWorker();
await worker.scheduled();
await miniflare.dispose();

/** Sends what the suite in the Worker wants sent, and takes its report. */
async function answer(request: Request): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  if (request.url.endsWith('/report')) {
    await writeFile(report, body);
    return new Response();
  }
  const end = body.indexOf(0x0a);
  const { method, path, headers, unending } = JSON.parse(
    new TextDecoder().decode(body.subarray(0, end)),
  );
  const content = body.subarray(end + 1);
  try {
    return Response.json(await exchange(port, method, path, headers, content, unending));
  } catch (error) {
    return new Response(String(error), { status: 502 });
  }
}
