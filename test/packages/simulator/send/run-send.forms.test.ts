import { text as textOf } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { writeTree } from '../../../output/tree.ts';
import { formsOpenapi } from '../../../targets/webhooks/forms.ts';
import { listenForTest } from './listen.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';

it('sends the media type that --media-type names', async () => {
  const folder = await temporaryFolder();
  const form = 'application/x-www-form-urlencoded';
  const content = {
    'application/json': { schema: { type: 'object' }, example: { a: 1 } },
    [form]: {
      schema: {
        type: 'object',
        properties: { b: { type: 'array', items: { type: 'integer' } } },
      },
      encoding: { b: { style: 'form', explode: false } },
      example: { b: [1, 2] },
    },
    'application/json;version=2': { schema: { type: 'object' }, example: { c: 3 } },
  };
  await writeTree(folder, {
    'openapi.json': JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'Several', version: '1.0.0' },
      webhooks: {
        sent: {
          post: {
            security: [],
            requestBody: { content },
            responses: { 200: { description: 'Done' } },
          },
        },
        ranged: {
          put: {
            security: [],
            requestBody: {
              content: {
                '*/*': {
                  schema: { type: 'object', properties: { d: content[form].schema.properties.b } },
                  encoding: { d: { style: 'form', explode: false } },
                  example: { d: [4, 5] },
                },
              },
            },
            responses: { 200: { description: 'Done' } },
          },
        },
      },
    }),
    'countersign.config.json': JSON.stringify({
      contract: { openapi: 'openapi.json' },
      scope: '@several',
      output: 'out',
      targets: ['contract'],
    }),
  });
  const received: (readonly [type: string | undefined, body: string])[] = [];
  const url = await listenForTest(async (request, response) => {
    received.push([request.headers['content-type'], await textOf(request)]);
    response.end();
  });
  const sendEvent = async (event: string, ...flags: readonly string[]): Promise<unknown> =>
    await runInProcess(folder, ['send', event, '--to', url, ...flags]);
  const send = sendEvent.bind(undefined, 'sent');
  await send();
  await send('--media-type', 'Application/X-WWW-Form-Urlencoded');
  await send('--media-type', 'application/json; version=2');
  expect(await send('--media-type', 'text/xml')).toMatchObject({
    code: 2,
    error: expect.stringContaining('application/json;version=2') as unknown,
  });
  await sendEvent('ranged');
  await sendEvent('ranged', '--media-type', form);
  expect(received).toEqual([
    ['application/json', '{"a":1}'],
    [form, 'b=1,2'],
    ['application/json;version=2', '{"c":3}'],
    ['application/json', '{"d":[4,5]}'],
    [form, 'd=4,5'],
  ]);
});

it('sends a form, and data in the query, signed', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'openapi.yaml': formsOpenapi,
    'countersign.config.json': JSON.stringify({
      contract: { openapi: 'openapi.yaml' },
      scope: '@shop',
      output: 'out',
      targets: ['contract'],
    }),
  });
  const received: (readonly string[])[] = [];
  const url = await listenForTest((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      received.push([
        method,
        target,
        headers['content-type'] ?? '',
        headers['x-seal'] === undefined ? '' : 'signed',
        Buffer.concat(chunks).toString(),
      ]);
      response.end();
    });
  });
  const send = async (...parameters: readonly string[]): Promise<unknown> =>
    await runInProcess(folder, ['send', ...parameters, '--quiet'], { WEBHOOK_SECRET: 'k' });
  expect(await send('message', '--to', `${url}/hooks`)).toMatchObject({ code: 0 });
  expect(
    await send('visit', '--to', `${url}/hooks?a=b`, '--data', '{"pages":[1,2]}'),
  ).toMatchObject({ code: 0 });
  // Both have an identity, which is fresh.
  const fresh = /(?<=\b(?:MessageSid|visitor)=)(?!SM1&|ann&)[^&]+/u;
  expect(
    received.map((requestTexts) => requestTexts.map((text) => text.replace(fresh, '{fresh}'))),
  ).toEqual([
    [
      'POST',
      '/hooks',
      'application/x-www-form-urlencoded',
      'signed',
      'MessageSid={fresh}&Body=Ol%C3%A1+%26+at%C3%A9+j%C3%A1&NumMedia=2&Tags=a&Tags=b&Segment=%7B%22id%22%3A7%7D',
    ],
    ['GET', '/hooks?a=b&visitor={fresh}&count=3&pages=1,2', '', 'signed', ''],
  ]);
});
