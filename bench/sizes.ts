import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildToolkit, generateAnew } from './generation.ts';
import type { Cost } from './measure-command.ts';
import { writeDocument } from './write-document.ts';

/** The cost of generating from a contract of which one part is large. */
export interface SizeCost {
  readonly of: string;
  readonly count: number;
  readonly cost: Cost;
}

interface Shape {
  readonly of: string;
  readonly count: number;
  readonly make: (count: number) => object;
}

const info = { title: 'Large', version: '1.0.0' };
const shapes: readonly Shape[] = [
  {
    of: 'properties of one schema',
    count: 25_000,
    make: (count) => withSchemas({ Large: object(count, () => ({ type: 'string' })) }),
  },
  {
    of: 'values of each of ten enumerations',
    count: 9999,
    make: (count) => {
      const values = Array.from({ length: count }, (_, index) => `value${index}`);
      const enumerations = members(10, (index) => [`E${index}`, { type: 'string', enum: values }]);
      const large = object(10, (index) => ({ $ref: `#/components/schemas/E${index}` }));
      return withSchemas({ Large: large, ...enumerations });
    },
  },
  {
    of: 'webhooks that nothing distinguishes',
    count: 600,
    make: (count) => ({ webhooks: members(count, (index) => [`w${index}`, receive({})]) }),
  },
  {
    of: 'webhooks that a constant distinguishes',
    count: 600,
    make: (count) => ({
      webhooks: members(count, (index) => [
        `w${index}`,
        receive({
          type: 'object',
          required: ['type'],
          properties: { type: { const: `event${index}` } },
        }),
      ]),
    }),
  },
];

/**
 * Generates a contract, a client and a receiver from each shape, at its size and at twice its size.
 * @param divisor the sizes are divided by it
 */
export function benchSizes(times: number, divisor: number): readonly SizeCost[] {
  buildToolkit();
  const all = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    return shapes.flatMap(({ of, count: fullCount, make }, index) => {
      const count = Math.ceil(fullCount / divisor);
      return [count, 2 * count].map((size) => {
        const folder = join(all, `${index}-${size}`);
        const document = { openapi: '3.1.0', info, ...make(size) };
        writeDocument(folder, document, ['contract', 'client', 'webhooks']);
        return { of, count: size, cost: generateAnew({ folder }, times) };
      });
    });
  } finally {
    rmSync(all, { recursive: true });
  }
}

/** Returns a document that sends, receives and delivers the schema `Large`. */
function withSchemas(schemas: object): object {
  const large = { $ref: '#/components/schemas/Large' };
  const { post } = receive(large);
  const content = { 'application/json': { schema: large } };
  const responses = { 200: { description: 'Accepted.', content } };
  return {
    servers: [{ url: 'https://large.invalid' }],
    paths: { '/large': { post: { ...post, operationId: 'send', responses } } },
    webhooks: { large: { post } },
    components: { schemas },
  };
}

function receive(schema: object): { readonly post: object } {
  return {
    post: {
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { 204: { description: 'Received.' } },
    },
  };
}

function object(count: number, propertyAt: (index: number) => object): object {
  const properties = members(count, (index) => [`p${index}`, propertyAt(index)]);
  return { type: 'object', properties };
}

function members(count: number, memberAt: (index: number) => [string, object]): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => memberAt(index)));
}
