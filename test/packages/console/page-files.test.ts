import { expect, it } from 'vitest';
import { findPageFile } from '../../../packages/console/src/page-files.ts';

it.each([
  ['/', 'text/html; charset=utf-8'],
  ['/main.js', 'text/javascript; charset=utf-8'],
  ['/style.css', 'text/css; charset=utf-8'],
  ['/main.js.map', undefined],
  ['/constructor', undefined],
])('serves %s as %s', (path, type) => {
  const files = new Map(['index.html', 'main.js', 'style.css'].map((name) => [name, 'text']));
  expect(findPageFile(files, path)?.type).toBe(type);
});
