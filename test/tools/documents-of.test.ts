import { describe, expect, it } from 'vitest';
import { documentsOf, overlaysOf } from '../../generator/tools/documents-of.ts';
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

describe('an overlay', () => {
  const overlays = [
    'overlay: 1.0.0\n',
    '"overlay": 1.0.0\n',
    '{"actions":[],"overlay":"1.0.0"}',
    '\ufeff{ "overlay": "1.0.0" }',
    '{ overlay: 1.0.0 }\n',
  ];
  const otherTexts = [
    'openapi: 3.1.0\noverlay: 1\n',
    '{"overlay":"1","asyncapi":"3.0.0"}',
    'a: 1\n',
  ];

  it('is not a document, and the message states where to give it', async () => {
    const folder = await temporaryFolder();
    for (const text of overlays) {
      await writeTree(folder, { 'api/o.yaml': text });
      const message = '"api/o.yaml" is an overlay, which changes a document.';
      await expect(documentsOf(['api/o.yaml'], folder, folder)).rejects.toMatchObject({
        code: 'usage',
        message: `${message} List it in \`contract.overlays\` of a configuration.`,
      });
      await expect(documentsOf(['api/o.yaml'], folder, folder, 'Here.')).rejects.toMatchObject({
        message: `${message} Here.`,
      });
      expect(await overlaysOf(['api/o.yaml', 'api/o.yaml'], folder, `${folder}/x`)).toEqual([
        '../api/o.yaml',
        '../api/o.yaml',
      ]);
    }
    expect.assertions(overlays.length * 3);
  });

  it('is not any other document', async () => {
    const folder = await temporaryFolder();
    for (const text of otherTexts) {
      await writeTree(folder, { 'o.yaml': text });
      await expect(overlaysOf(['o.yaml'], folder, folder)).rejects.toMatchObject({
        code: 'usage',
        message: '"o.yaml" is not an overlay: it has no member `overlay`.',
      });
    }
    expect.assertions(otherTexts.length);
  });

  it('is a file that exists', async () => {
    const folder = await temporaryFolder();
    const refused = (file: string): Promise<unknown> => overlaysOf([file], folder, folder);
    await expect(refused('none.yaml')).rejects.toMatchObject({ code: 'not-found' });
    await expect(refused('.')).rejects.toMatchObject({ code: 'unreadable' });
    await expect(refused('https://example.com/o.yaml')).rejects.toMatchObject({
      message: expect.stringContaining('`countersign pull`'),
    });
  });
});
