import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Writes files into a new folder, which is gone when the tests of the file are over; answers with the folder. */
export async function writeContract(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'countersign-load-')));
  folders.push(folder);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
  return folder;
}

/** A small OpenAPI document whose one response has the schema given, indented as a value of `schema:`. */
export function openapiWith(schema: string, more = ''): string {
  return `openapi: 3.1.2
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200':
          description: The books.
          content:
            application/json:
              schema:
${schema.replaceAll(/^/gmu, '                ')}
${more}`;
}

/** A small AsyncAPI document whose one message has the payload given. */
export function asyncapiWith(payload: string, more = ''): string {
  return `asyncapi: 3.0.0
info: { title: Library, version: 1.0.0 }
channels:
  lent:
    address: /lent
    messages:
      lent:
        payload:
${payload.replaceAll(/^/gmu, '          ')}
${more}operations:
  onLent:
    action: send
    channel: { $ref: '#/channels/lent' }
    messages: [{ $ref: '#/channels/lent/messages/lent' }]
`;
}
