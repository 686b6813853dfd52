import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LocalPaths } from '../../../generator/tools/pull/local-paths.ts';

const entry = new URL('https://api.example.com/v1/openapi.yaml');

function pathsOf(...addresses: readonly string[]): readonly string[] {
  const paths = new LocalPaths([entry], new Map(), ['lock.json']);
  return addresses.map((address) => paths.pathOf(new URL(address), 'yaml'));
}

test.each([
  ['https://api.example.com/v1/openapi.yaml', 'openapi.yaml'],
  ['https://api.example.com/v1/schemas/Order.json', 'schemas/Order.json'],
  ['https://api.example.com/common/Money.yaml', 'api.example.com/common/Money.yaml'],
  ['https://other.example.com:8443/x.yml', 'other.example.com_8443/x.yml'],
  ['https://api.example.com/v1/schema', 'schema.yaml'],
  ['https://api.example.com/v1/schema.txt', 'schema.txt.yaml'],
  ['https://api.example.com/v1/', 'document.yaml'],
  ['https://api.example.com/v1/a?version=2', 'a-version_2.yaml'],
  ['https://api.example.com/v1/%2e%2e/%2e%2e/x.yaml', 'api.example.com/x.yaml'],
  ['https://api.example.com/v1/..%2f..%2fetc/passwd', '_._2f.._2fetc/passwd.yaml'],
  ['https://api.example.com/v1/a%00b.yaml', 'a_00b.yaml'],
  ['https://api.example.com/v1/..%5c..%5cx.yaml', '_._5c.._5cx.yaml'],
  ['https://api.example.com/v1/.git/config', '_git/config.yaml'],
  ['https://api.example.com/v1/CON.yaml', '_CON.yaml'],
  ['https://api.example.com/v1/aux/x.yaml', '_aux/x.yaml'],
  ['https://api.example.com/v1/-rf.yaml', '_rf.yaml'],
  ['https://api.example.com/v1/lock.json', expect.stringMatching(/^lock-[\da-f]{12}\.json$/u)],
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
  expect(paths[0]).toBe('Order.yaml');
  expect(paths[4]).toBe('b.yaml/x.json');
  const folded = paths.map((path) => path.toLowerCase());
  expect(new Set(folded).size).toBe(6);
  for (const path of folded)
    for (const other of folded) expect(other.startsWith(`${path}/`)).toBe(false);
});

test('an address keeps the path that it has', () => {
  const paths = new LocalPaths([entry], new Map([[entry.href, 'old/name.yaml']]), []);
  expect(paths.pathOf(entry, 'yaml')).toBe('old/name.yaml');
  const [other] = ['https://api.example.com/v1/old/name.yaml'];
  expect(paths.pathOf(new URL(other), 'yaml')).toMatch(/^name-[\da-f]{12}\.yaml$/u);
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
          expect(path).toMatch(/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\.(?:ya?ml|json)$/iu);
        }
      },
    ),
  );
});
