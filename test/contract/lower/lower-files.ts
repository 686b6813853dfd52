import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type LoweredAndChecked, lowerAndCheck } from '../../rules/lower-and-check.ts';
import { load } from '../../../generator/load/load.ts';
import type { Documents } from '../../../generator/documents/documents.ts';

/** Files of a contract by name; `openapi.yaml`, `asyncapi.yaml` and `workflows.yaml` are the entries where present, and `overlay.yaml` is applied. */
export type ContractTexts = Readonly<Record<string, string>>;

/** Loads and lowers a contract that a test wrote in place. */
export async function lowerFiles(
  texts: ContractTexts,
  perspective: 'service' | 'integrator' = 'service',
): Promise<LoweredAndChecked & { readonly documents: Documents }> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-lower-'));
  try {
    for (const [name, text] of Object.entries(texts)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const documents = await load(
      {
        ...('openapi.yaml' in texts ? { openapi: 'openapi.yaml' } : {}),
        ...('asyncapi.yaml' in texts ? { asyncapi: 'asyncapi.yaml' } : {}),
        ...('workflows.yaml' in texts ? { workflows: ['workflows.yaml'] } : {}),
        ...('overlay.yaml' in texts ? { overlays: ['overlay.yaml'] } : {}),
      },
      { folder },
    );
    return { ...(await lowerAndCheck(documents, perspective)), documents };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Wraps schemas into the smallest OpenAPI 3.1 document that uses each. */
export function openapiWith(schemas: string, more = ''): string {
  const indented = schemas.replaceAll(/^(?=.)/gm, '    ');
  return `openapi: 3.1.1\ninfo: { title: Test, version: 1.0.0 }\npaths: {}\n${more}components:\n  schemas:\n${indented}\n`;
}
