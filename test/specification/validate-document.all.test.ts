import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTypes } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../generator/json/json.ts';
import { FormattedSchemas } from '../../generator/load/asyncapi-types.ts';
import { defaultBudgets } from '../../generator/load/budgets.ts';
import { bundle } from '../../generator/load/bundle.ts';
import { checkStructure } from '../../generator/load/validate/check-structure.ts';
import { refersToFiles } from '../../generator/load/follow.ts';
import { isMutableObject, Origins } from '../../generator/load/origins.ts';
import { createSources, type Source } from '../../generator/load/sources.ts';
import { toSpecVersion } from '../../generator/load/version.ts';
import { toRedoclyTypes } from '../../generator/specification/redocly-types.ts';
import { validateDocument } from '../../generator/specification/validate-document.ts';
import { changesOf, validDocuments } from './valid-documents.ts';

/** The tools validate one of so many documents that are valid according to the grammar. */
const every = 17;

const documents = Object.entries(validDocuments);

test.each(documents)('%s: accepts a valid document without the tools', (_, document) => {
  expect(validate(document)).toEqual([]);
});

test.each(documents)(
  '%s: accepts a changed document only if the tools accept it',
  async (_, document) => {
    let accepted = 0;
    let leftToTools = 0;
    for (const [what, changed] of changesOf(document)) {
      const problems = refersToFiles(changed) ? undefined : validate(changed);
      if (problems === undefined) leftToTools += 1;
      else accepted += 1;
      // The tools take long. Which of the changes they validate differs from place to place.
      if (problems === undefined || accepted % every !== 0) continue;
      expect(await validateWithTools(changed), what).toEqual({ files: 0, problems, root: changed });
    }
    // Data and text can have any value. Most other changes are mistakes.
    expect(accepted).toBeGreaterThan(100);
    expect(leftToTools).toBeGreaterThan(1000);
  },
  120_000,
);

function validate(document: JsonObject): ReturnType<typeof validateDocument> {
  const { name, version, usesVocabulary } = describe(document);
  return validateDocument(document, name, version, usesVocabulary);
}

function describe(document: JsonObject) {
  const name = document['openapi'] === undefined ? 'asyncapi' : 'openapi';
  const info = JSON.stringify(document['info'] ?? null);
  const version = document[name];
  return {
    name,
    version: typeof version === 'string' ? version : '',
    usesVocabulary: info.includes('"x-countersign":1'),
  } as const;
}

/** Returns the result of Redocly, swagger-parser and the specification's own schema. */
async function validateWithTools(document: JsonObject): Promise<unknown> {
  const { name, version, usesVocabulary } = describe(document);
  const at = { file: 'document.json', line: 1, column: 1 };
  const entry: Source = {
    path: join(tmpdir(), 'document.json'),
    file: at.file,
    text: '',
    value: document,
    diagnostics: [],
    warnings: [],
    problems: [],
    locate: () => at,
  };
  const sources = createSources(tmpdir(), tmpdir(), defaultBudgets);
  const origins = new Origins(sources);
  const root = origins.adopt(document, { source: entry });
  if (!isMutableObject(root)) return { problems: 'no object' };
  const specVersion = toSpecVersion(name, version);
  const types = toRedoclyTypes(getTypes(specVersion), name, usesVocabulary);
  const formattedSchemas = new FormattedSchemas();
  const draft = { entry, root, types, specVersion, sources, origins, formattedSchemas };
  const bundled = await bundle(draft, defaultBudgets);
  if (bundled.root === undefined || bundled.diagnostics.length > 0) return bundled;
  const problems = await checkStructure(bundled.root, name, version, draft);
  return { problems, root: bundled.root, files: sources.all().length };
}
