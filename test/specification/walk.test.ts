import { describe, expect, it } from 'vitest';
import { placesOf } from '../../generator/documents/places.ts';
import { loadFiles } from '../rules/rule-case.ts';
import { asyncapi, openapi } from '../rules/cases/documents.ts';

/** Every place as `pointer kind`. */
async function placesIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return placesOf(await loadFiles(files)).map(
    ({ pointer, kind }) => `${pointer.slice(pointer.indexOf('#'))} ${kind}`,
  );
}

describe('the walk over an OpenAPI document', () => {
  it('meets each object once, parents first, in the order of the author, and no data', async () => {
    const places = await placesIn({
      'openapi.yaml': openapi(`paths:
  /b:
    post:
      parameters: [{ name: q, in: query, schema: { type: object, example: { type: x } } }]
      requestBody: { $ref: '#/components/requestBodies/body' }
      responses: { 2XX: { description: Done. } }
components:
  requestBodies:
    body:
      content: { a/b: { schema: { items: { properties: { items: { enum: [{ items: {} }] } } } } } }
  securitySchemes: { key: { type: http, scheme: bearer } }
`),
    });
    expect(places).toEqual([
      '# document',
      '#/info info',
      '#/paths paths',
      '#/paths/~1b path-item',
      '#/paths/~1b/post operation',
      '#/paths/~1b/post/parameters/0 parameter',
      '#/paths/~1b/post/parameters/0/schema schema',
      '#/paths/~1b/post/requestBody request-body',
      '#/paths/~1b/post/responses responses',
      '#/paths/~1b/post/responses/2XX response',
      '#/components components',
      '#/components/requestBodies/body request-body',
      '#/components/requestBodies/body/content/a~1b media-type',
      '#/components/requestBodies/body/content/a~1b/schema schema',
      '#/components/requestBodies/body/content/a~1b/schema/items schema',
      '#/components/requestBodies/body/content/a~1b/schema/items/properties/items schema',
      '#/components/securitySchemes/key security-scheme',
    ]);
  });
});

describe('the walk over an AsyncAPI document', () => {
  it('tells messages, headers, payloads, traits and bindings from data, and sees inside formats of JSON Schema', async () => {
    const places = await placesIn({
      'asyncapi.yaml': asyncapi(`channels:
  c:
    address: /{id}
    parameters: { id: {} }
    messages:
      m:
        headers: { properties: { x-id: {} } }
        payload: { schemaFormat: application/schema+json;version=draft-07, schema: { items: [{}, {}] } }
        examples: [{ payload: { payload: {} } }]
      avro: { payload: { schemaFormat: application/vnd.apache.avro, schema: { items: {} } } }
operations:
  o:
    action: send
    channel: { $ref: '#/channels/c' }
    bindings: { http: { query: { type: object } } }
`),
    });
    expect(places).toEqual([
      '# document',
      '#/info info',
      '#/channels/c channel',
      '#/channels/c/parameters/id parameter',
      '#/channels/c/messages/m message',
      '#/channels/c/messages/m/headers schema',
      '#/channels/c/messages/m/headers/properties/x-id schema',
      '#/channels/c/messages/m/payload multi-format-schema',
      '#/channels/c/messages/m/payload/schema schema',
      '#/channels/c/messages/m/payload/schema/items/0 schema',
      '#/channels/c/messages/m/payload/schema/items/1 schema',
      '#/channels/c/messages/m/examples/0 message-example',
      '#/channels/c/messages/avro message',
      '#/channels/c/messages/avro/payload multi-format-schema',
      '#/operations/o operation',
      '#/operations/o/channel reference',
      '#/operations/o/bindings bindings',
      '#/operations/o/bindings/http binding',
      '#/operations/o/bindings/http/query schema',
    ]);
  });
});
