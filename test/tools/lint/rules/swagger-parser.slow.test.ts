import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../generator/diagnostics/diagnostic.ts';
import { readContract } from '../../../../generator/generate.ts';
import type { JsonObject } from '../../../../generator/json/json.ts';
import type { Documents } from '../../../../generator/documents/documents.ts';
import { askSwaggerParser } from '../../../../generator/load/validate/swagger-parser-opinion.ts';
import { lint } from '../../../../generator/tools/lint/lint.ts';
import { swaggerParser } from '../../../../generator/tools/lint/rules/swagger-parser.ts';
import { openapiWith, writeContract } from '../../../load/write-contract.ts';
import { configFor, toLine } from '../lint-case.ts';

/** A contract whose document has members that reading it did not see. */
async function readUnchecked(members: object, version?: string): Promise<Documents> {
  const files = { 'openapi.yaml': openapiWith('type: string') };
  const { documents } = await readContract(configFor(files), await writeContract(files));
  const { openapi } = documents;
  if (openapi === undefined) throw new Error('The document was not read');
  const root: JsonObject = { ...openapi.root, ...members };
  return { ...documents, openapi: { ...openapi, root, version: version ?? openapi.version } };
}

/** The place and message of each finding. */
async function findIn(documents: Documents): Promise<readonly string[]> {
  const findings = await swaggerParser.check({ documents });
  return [...findings].map(({ pointer, message }) => `${pointer} ${message}`);
}

const noUrl = { servers: [{ url: '/' }, {}] };

test('what only swagger-parser finds is a warning with its name', async () => {
  const documents = await readUnchecked(noUrl);
  expect(await findIn(documents)).toEqual([
    'openapi#/servers/1 The field `url` must be present on this level.',
  ]);
  const read = { documents, diagnostics: [], files: [] };
  const { diagnostics } = await lint(read, {}, { path: 'countersign.config.ts', text: '' });
  const parserDiagnostics = diagnostics.filter(({ code }) => code === 'swagger-parser');
  expect(parserDiagnostics.map((diagnostic) => [toLine(diagnostic), diagnostic.severity])).toEqual([
    ['swagger-parser openapi.yaml:1:1', 'warning'],
  ]);
});

test.each<[Diagnostic['code'], string, number]>([
  ['invalid-openapi', 'openapi#/servers/1', 0],
  ['invalid-openapi', 'openapi#/servers/1/url', 0],
  ['invalid-openapi', 'openapi#/servers', 0],
  ['invalid-openapi', 'openapi#/servers/0', 1],
  ['invalid-openapi', 'asyncapi#/servers/1', 1],
  ['unbounded-number', 'openapi#/servers/1', 1],
])('a place that is reported as %s at %s has %i findings', async (code, pointer, count) => {
  const documents = await readUnchecked(noUrl);
  const at = documents.locate('openapi#');
  const loadDiagnostic = {
    ...at,
    code,
    pointer,
    severity: 'warning',
    message: '',
    help: '',
  } as Diagnostic;
  expect(await findIn({ ...documents, diagnostics: [loadDiagnostic] })).toHaveLength(count);
});

test('a document of OpenAPI 3.2, which swagger-parser does not know, has no findings', async () => {
  expect(await findIn(await readUnchecked(noUrl, '3.2.0'))).toEqual([]);
});

test('swagger-parser follows no reference: not to the network, to a file or in a circle', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.json`;
  const schemas = {
    Circle: { $ref: '#/components/schemas/Circle' },
    Tree: { properties: { more: { $ref: '#/components/schemas/Tree' } } },
    Far: { $ref: url },
    File: { $ref: './nowhere.yaml#/a' },
    Example: { example: { $ref: url }, 'x-more': { $ref: '/nowhere.json' } },
  };
  const examples = { Far: { externalValue: url } };
  expect(await findIn(await readUnchecked({ components: { schemas, examples } }))).toEqual([]);
  server.close();
  expect(asked).toEqual([]);
});

test('a document that swagger-parser does not finish or fails on is one finding', async () => {
  const documents = await readUnchecked({});
  expect(await askSwaggerParser(documents.openapi?.root ?? {}, 1)).toEqual([
    {
      code: 'invalid-openapi',
      message: 'swagger-parser cannot check the document (it takes longer than 0.001 s).',
      members: [],
    },
  ]);
  const [failure, ...furtherFailures] = await findIn(await readUnchecked({ openapi: '3.1.99' }));
  expect(furtherFailures).toEqual([]);
  expect(failure).toMatch(/^openapi# .*3\.1\.99/su);
});
