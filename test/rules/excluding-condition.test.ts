import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import { load } from '../../generator/load/load.ts';
import { ambiguities } from '../../generator/tools/lint/rules/ambiguities.ts';
import { ValidatorCompiler } from '../../generator/validators/validator-compiler.ts';
import { lowerAndCheck } from './lower-and-check.ts';

const asyncapi = (cancelled: string, stated = ''): string => `asyncapi: 3.0.0
info: { title: Orders, version: 1.0.0, x-countersign: 1 }
channels:
  ready:
    address: /orders/ready
    messages:
      orderReady:
        payload:
          type: object
          required: [id, status]
          properties: { id: { type: string }, status: { enum: [placed, ready] } }
        x-identified-by: { $request.body#/status: { const: ready } }
  cancelled:
    address: /orders/cancelled
    messages:
      orderCancelled:
        payload: ${cancelled}${stated}
operations:
  tellReady: { action: send, channel: { $ref: '#/channels/ready' } }
  tellCancelled: { action: send, channel: { $ref: '#/channels/cancelled' } }
`;

interface Checked {
  readonly notes: readonly Diagnostic[];
  readonly errors: readonly Diagnostic[];
  /** The help of the rule of lint. */
  readonly lintHelp: readonly (string | undefined)[];
}

async function check(text: string): Promise<Checked> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-excluding-'));
  try {
    await writeFile(join(folder, 'asyncapi.yaml'), text);
    const documents = await load({ asyncapi: 'asyncapi.yaml' }, { folder });
    const { contract, diagnostics } = await lowerAndCheck(documents);
    const findings = await ambiguities.check({
      contract,
      documents,
      compiler: new ValidatorCompiler(),
    });
    return {
      notes: diagnostics.filter(({ code }) => code === 'ambiguous-notifications'),
      errors: diagnostics.filter(({ severity }) => severity === 'error'),
      lintHelp: [...findings].map(({ help }) => help),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const lineIn = (help = ''): string => /^x-identified-by: .*$/mu.exec(help)?.[0] ?? '';

describe('the help about notifications of which one states a value', () => {
  it.each<[payload: string, payload: string, line: string]>([
    [
      'has no such member',
      '{ type: object, required: [id, reason], properties: { id: { type: string }, reason: { type: string } } }',
      'x-identified-by: {"$request.body#/status":false}',
    ],
    [
      'has other values of it',
      '{ type: object, required: [id], properties: { id: { type: string }, status: { type: string } } }',
      'x-identified-by: {"$request.body#/status":{"not":{"const":"ready"}}}',
    ],
    [
      'has a constant of its own beside it',
      '{ type: object, required: [type], properties: { type: { const: cancelled } } }',
      'x-identified-by: {"$request.body#/type":{"const":"cancelled"},"$request.body#/status":false}',
    ],
  ])('has the line for one that %s', async (_, payload, line) => {
    const { notes, errors, lintHelp } = await check(asyncapi(payload));
    expect(errors).toEqual([]);
    expect(notes.map(({ help }) => lineIn(help))).toEqual([line]);
    expect(lintHelp.map(lineIn)).toEqual([line]);
    expect(lintHelp[0]).toContain('add the question to `x-unstated`');
    const after = await check(asyncapi(payload, `\n        ${line}`));
    expect(after).toEqual({ notes: [], errors: [], lintHelp: [] });
  });

  it('is the default one where none states a value', async () => {
    const text = asyncapi('{ type: object, properties: { id: { type: string } } }').replace(
      '{ const: ready }',
      '{}',
    );
    const { notes, lintHelp } = await check(text);
    expect(notes.map(({ help }) => lineIn(help))).toEqual(['']);
    expect(lintHelp).toEqual([undefined]);
  });
});
