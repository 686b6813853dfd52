import { rm } from 'node:fs/promises';
import type { Contract } from '../../generator/contract/contract.ts';
import { lowerAndCheck } from '../rules/lower-and-check.ts';
import { type SelectOptions, select } from '../../generator/select/select.ts';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import type { Documents } from '../../generator/documents/documents.ts';
import { load } from '../../generator/load/load.ts';
import { writeContract } from '../load/write-contract.ts';

/** A part of a contract, and everything that was said of it. */
export interface Selected {
  readonly documents: Documents;
  readonly contract: Contract;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a contract that a test wrote in place, and chooses a part of it. */
export async function selectFiles(
  texts: { readonly openapi?: string; readonly asyncapi?: string },
  options: Partial<SelectOptions>,
  more: Readonly<Record<string, string>> = {},
): Promise<Selected> {
  const names = (['openapi', 'asyncapi'] as const).filter((name) => texts[name] !== undefined);
  const folder = await writeContract({
    ...Object.fromEntries(names.map((name) => [`${name}.yaml`, texts[name] ?? ''])),
    ...more,
  });
  try {
    const files = {
      ...Object.fromEntries(names.map((name) => [name, `${name}.yaml`])),
      ...('workflows.yaml' in more ? { workflows: ['workflows.yaml'] } : {}),
    };
    const perspective = options.perspective ?? 'service';
    const documents = select(await load(files, { folder }), { ...options, perspective });
    const { contract, diagnostics } = await lowerAndCheck(documents, perspective);
    return { documents, contract, diagnostics: [...documents.diagnostics, ...diagnostics] };
  } finally {
    await rm(folder, { recursive: true });
  }
}
