import type { Contract } from '../../../generator/contract/contract.ts';
import { readAsyncapi } from '../client/emit-client.ts';

/** A contract whose notifications are called these, each told by a header, with nothing else to it. */
export function readNames(names: readonly string[]): Promise<Contract> {
  const toMap = (valueOf: (name: string) => object): object =>
    Object.fromEntries(names.map((name) => [name, valueOf(name)]));
  return readAsyncapi({
    asyncapi: '3.0.0',
    info: { title: 'Names', version: '1.0.0', 'x-countersign': 1 },
    defaultContentType: 'application/json',
    channels: {
      all: {
        messages: toMap((name) => ({ $ref: `#/components/messages/${name}` })),
      },
    },
    operations: {
      notify: {
        action: 'send',
        channel: { $ref: '#/channels/all' },
        messages: names.map((name) => ({ $ref: `#/channels/all/messages/${name}` })),
      },
    },
    components: {
      messages: toMap((name) => ({
        headers: { type: 'object', properties: { 'x-kind': { type: 'string' } } },
        payload: { type: 'object' },
        'x-identified-by': { '$request.header.x-kind': { const: name } },
      })),
    },
  });
}
