import { describe, expect, it } from 'vitest';
import { documentsOf } from '../../generator/tools/documents-of.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';

describe('the kind of a document is that of its root', () => {
  it.each([
    ['asyncapi', 'asyncapi: 3.0.0\n'],
    ['asyncapi', '"asyncapi": 3.0.0\n'],
    ['asyncapi', '{"info":{"title":"x"},"asyncapi":"3.0.0"}'],
    ['asyncapi', '\ufeff{ "asyncapi": "3.0.0" }'],
    ['asyncapi', '{ asyncapi: 3.0.0 }\n'],
    ['openapi', 'openapi: 3.1.0\ncomponents:\n  schemas:\n    asyncapi: {}\n'],
    ['openapi', '{"components":{"schemas":{"asyncapi":{}}},"openapi":"3.1.0"}'],
    ['openapi', 'neither: 1\n'],
  ])('%s: %j', async (kind, text) => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'api/d.yaml': text });
    expect(await documentsOf(['api/d.yaml'], folder, folder)).toEqual({ [kind]: 'api/d.yaml' });
    expect(await documentsOf(['d.yaml'], `${folder}/api`, folder)).toEqual({
      [kind]: 'api/d.yaml',
    });
  });
});

it('a folder is not a document', async () => {
  const folder = await temporaryFolder();
  await expect(documentsOf(['.'], folder, folder)).rejects.toMatchObject({ code: 'unreadable' });
});
