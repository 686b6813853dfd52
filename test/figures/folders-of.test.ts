import { expect, test } from 'vitest';
import { foldersOf } from './folders-of.ts';

test('modules of a bundle have the folder in the project or the repository, and installed ones their package', () => {
  const paths = [
    '../../tmp/project-1/client/src/operations/issue-token.ts',
    '../../tmp/project-1/client/src/client.ts',
    '../../tmp/project-1/node_modules/@scope/name/dist/index.js',
    'node_modules/zod/v4/core/util.js',
    'packages/runtime/client/json.ts',
    'packages/runtime/client/connection.ts',
  ];
  expect(foldersOf(paths, '/tmp/project-1')).toEqual([
    '@scope/name',
    'client/src',
    'client/src/operations',
    'packages/runtime/client',
    'zod',
  ]);
});

test('paths of Windows have the same folders', () => {
  expect(foldersOf(['..\\project-1\\client\\src\\client.ts'], 'C:\\project-1')).toEqual([
    'client/src',
  ]);
});
