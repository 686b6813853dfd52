import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPulledPath, LocalPaths } from '../../../packages/pull/src/local-paths.ts';

const entry = new URL('https://api.example.com/v1/openapi.yaml');

function pathsOf(...addresses: readonly string[]): readonly string[] {
  const paths = new LocalPaths([entry], new Map());
  return addresses.map((address) => paths.pathOf(new URL(address), 'yaml'));
}

test.each([
  ['https://api.example.com/v1/openapi.yaml', 'openapi.pulled.yaml'],
  ['https://api.example.com/v1/schemas/Order.json', 'schemas.pulled/Order.pulled.json'],
  [
    'https://api.example.com/common/Money.yaml',
    'api.example.com.pulled/common.pulled/Money.pulled.yaml',
  ],
  ['https://other.example.com:8443/x.yml', 'other.example.com_8443.pulled/x.pulled.yml'],
  ['https://api.example.com/v1/schema', 'schema.pulled.yaml'],
  ['https://api.example.com/v1/schema.txt', 'schema.txt.pulled.yaml'],
  ['https://api.example.com/v1/', 'document.pulled.yaml'],
  ['https://api.example.com/v1/a?version=2', 'a-version_2.pulled.yaml'],
  ['https://api.example.com/v1/%2e%2e/%2e%2e/x.yaml', 'api.example.com.pulled/x.pulled.yaml'],
  ['https://api.example.com/v1/..%2f..%2fetc/passwd', '_._2f.._2fetc.pulled/passwd.pulled.yaml'],
  ['https://api.example.com/v1/a%00b.yaml', 'a_00b.pulled.yaml'],
  ['https://api.example.com/v1/..%5c..%5cx.yaml', '_._5c.._5cx.pulled.yaml'],
  ['https://api.example.com/v1/.git/config', '_git.pulled/config.pulled.yaml'],
  ['https://api.example.com/v1/CON.yaml', '_CON.pulled.yaml'],
  ['https://api.example.com/v1/aux/x.yaml', '_aux.pulled/x.pulled.yaml'],
  ['https://api.example.com/v1/-rf.yaml', '_rf.pulled.yaml'],
  ['https://api.example.com/v1/package.json', 'package.pulled.json'],
  [
    'https://api.example.com/v1/node_modules/a/package.json',
    'node_modules.pulled/a.pulled/package.pulled.json',
  ],
  ['https://api.example.com/v1/countersign.pull.json', 'countersign.pull.pulled.json'],
  ['https://api.example.com/v1/a.pulled.json', 'a.pulled.json'],
  ['https://api.example.com/v1/Makefile', 'Makefile.pulled.yaml'],
  ['https://api.example.com/v1/.npmrc', '_npmrc.pulled.yaml'],
  ['https://api.example.com/v1/.yaml', '_yaml.pulled.yaml'],
])('%s is %s', (address, path) => {
  expect(pathsOf(address)).toEqual([path]);
});

test('names that differ in case alone, and a file where others have a folder, get others', () => {
  const base = 'https://api.example.com/v1';
  const paths = pathsOf(
    `${base}/Order.yaml`,
    `${base}/order.yaml`,
    `${base}/ORDER.yaml`,
    `${base}/order.yaml/x.json`,
    `${base}/b.yaml/x.json`,
    `${base}/b.yaml`,
  );
  expect(paths[0]).toBe('Order.pulled.yaml');
  expect(paths[4]).toBe('b.yaml.pulled/x.pulled.json');
  const folded = paths.map((path) => path.toLowerCase());
  expect(new Set(folded).size).toBe(6);
  for (const path of folded)
    for (const other of folded) expect(other.startsWith(`${path}/`)).toBe(false);
});

test('an address keeps the path that it has, if no tool acts on it', () => {
  const known = 'old.pulled/name.pulled.yaml';
  const paths = new LocalPaths([entry], new Map([[entry.href, known]]));
  expect(paths.pathOf(entry, 'yaml')).toBe(known);
  const other = new URL('https://api.example.com/v1/old/name.yaml');
  expect(paths.pathOf(other, 'yaml')).toMatch(/^name-[\da-f]{12}\.pulled\.yaml$/u);
  for (const path of ['package.json', 'a.pulled/package.json', 'node_modules/a.pulled.json'])
    expect(new LocalPaths([entry], new Map([[entry.href, path]])).pathOf(entry, 'yaml')).toBe(
      'openapi.pulled.yaml',
    );
});

test('no address leaves the folder, and no two have one path', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.webUrl({ withQueryParameters: true }), { minLength: 1 }),
      (urls) => {
        const addresses = new Set(urls.map((url) => new URL(url).href));
        const paths = pathsOf(...addresses);
        expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(addresses.size);
        for (const path of paths) {
          expect(posix.normalize(path)).toBe(path);
          expect(path).toMatch(
            /^(?:[\w-][\w.-]*\.pulled\/)*[\w-][\w.-]*\.pulled\.(?:ya?ml|json)$/iu,
          );
          expect(isPulledPath(path)).toBe(true);
        }
      },
    ),
  );
});
