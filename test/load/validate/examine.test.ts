import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTypes } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../generator/json/json.ts';
import { defaultBudgets } from '../../../generator/load/budgets.ts';
import { bundle } from '../../../generator/load/bundle.ts';
import { checkStructure } from '../../../generator/load/validate/check-structure.ts';
import { refersToFiles } from '../../../generator/load/follow.ts';
import { createOrigins, isMutableObject } from '../../../generator/load/origins.ts';
import { examine } from '../../../generator/load/validate/examine.ts';
import { createSources, type Source } from '../../../generator/load/sources.ts';
import { toContractTypes } from '../../../generator/specification/specification-types.ts';
import { toSpecVersion } from '../../../generator/load/version.ts';
import { changesOf, soundDocuments } from './sound-documents.ts';

/** Of so many sound documents, the tools are asked about one. */
const every = 17;

const documents = Object.entries(soundDocuments);

test.each(documents)('%s: the tools need not be asked about a sound document', (_, document) => {
  expect(examineOf(document)).toEqual([]);
});

test.each(documents)(
  '%s: after any change, what is sound is sound to the tools as well',
  async (_, document) => {
    let sound = 0;
    let unsure = 0;
    for (const [what, changed] of changesOf(document)) {
      const said = refersToFiles(changed) ? undefined : examineOf(changed);
      if (said === undefined) unsure += 1;
      else sound += 1;
      // To ask the tools takes long; which of the changes they are asked about differs from place to place.
      if (said === undefined || sound % every !== 0) continue;
      expect(await ask(changed), what).toEqual({ files: 0, said, root: changed });
    }
    // Data and text may be anything; most of what is left is a mistake.
    expect(sound).toBeGreaterThan(100);
    expect(unsure).toBeGreaterThan(1000);
  },
  120_000,
);

function examineOf(document: JsonObject): ReturnType<typeof examine> {
  const { name, version, ours } = describe(document);
  return examine(document, name, version, ours);
}

function describe(document: JsonObject) {
  const name = document['openapi'] === undefined ? 'asyncapi' : 'openapi';
  const ours = JSON.stringify(document['info'] ?? null).includes('"x-countersign":1');
  const version = document[name];
  return { name, version: typeof version === 'string' ? version : '', ours } as const;
}

/** What Redocly, swagger-parser and the specification's schema make of a document. */
async function ask(document: JsonObject): Promise<unknown> {
  const { name, version, ours } = describe(document);
  const at = { file: 'document.json', line: 1, column: 1 };
  const entry: Source = {
    path: join(tmpdir(), 'document.json'),
    file: at.file,
    text: '',
    value: document,
    diagnostics: [],
    locate: () => at,
  };
  const sources = createSources(tmpdir(), tmpdir(), defaultBudgets);
  const origins = createOrigins(sources);
  const root = origins.adopt(document, { source: entry });
  if (!isMutableObject(root)) return { said: 'no object' };
  const specVersion = toSpecVersion(name, version);
  const types = toContractTypes(getTypes(specVersion), name, ours);
  const draft = { entry, root, types, specVersion, sources, origins };
  const bundled = await bundle(draft, defaultBudgets);
  if (bundled.root === undefined || bundled.diagnostics.length > 0) return bundled;
  const said = await checkStructure(bundled.root, name, version, draft);
  return { said, root: bundled.root, files: sources.all().length };
}
