import { describe, expect, it } from 'vitest';
import type { Config } from '../../generator/config/config.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { isPayload } from './hostile-texts.ts';
import { injectionsIn } from './injections.ts';
import { emitHostile, placesIn, type HostileRun } from './emit-hostile.ts';
import { hostileDocuments } from './hostile-documents.ts';

/** Names that the specifications and the vocabulary take only with letters, digits and hyphens. */
const plainNames = [
  'security scheme name',
  'schema name',
  'question id',
  'choice name',
  // A short choice stands for its own name, so that both are refused together.
  'choice meaning',
  'timestamp header',
];

const places = findPlaces();

function findPlaces(): readonly string[] {
  const placeNames = new Set<string>();
  hostileDocuments((place, otherwise) => {
    placeNames.add(place);
    return otherwise;
  });
  return [...placeNames];
}

type Layout = Config['layout'];

async function run(text: string, layout: Layout): Promise<HostileRun> {
  return await emitHostile(hostileDocuments, places, text, await temporaryFolder(), layout);
}

/** Compiled checks are JavaScript; where they stand among TypeScript, their template says that they are not checked. */
function withoutOwnDirective(text: string): string {
  return text.replace(/^(\/\/ @generated[^\n]*\n)\/\/ @ts-nocheck [^\n]*\n/u, '$1');
}

/** Which places the files of each target speak of, as `place in target`. */
function reachOf({ files }: HostileRun): ReadonlySet<string> {
  return new Set(
    files.flatMap(({ path, text }) =>
      Array.from(placesIn(text, places), (place) => `${place} in ${path.split('/')[0]}`),
    ),
  );
}

/** Returns whether a file is one of the runtime, which was written by hand for every contract. */
function isOfRuntime(path: string): boolean {
  return /^runtime\/(?!package\.json|README\.md)/u.test(path);
}

/**
 * Tests that a text, at any place of a contract, acts in no file of any target, and that it is in the files:
 * a place that is neither refused nor generated would have been tested in vain.
 */
export function testMatrix(texts: readonly string[], layout: Layout = 'packages'): void {
  /** The places that a text was generated at. */
  const generated = new Set<string>();
  /** The targets in whose files each place has turned up, as `place in target`. */
  const reached = new Set<string>();

  describe(`text of a contract, layout ${layout}`, () => {
    it.each(texts)('acts in no file of any target, wherever it stands: %j', async (text) => {
      const result = await run(text, layout);
      expect(result.files).not.toEqual([]);
      for (const { path, text: content } of result.files) {
        expect(isPayload(path), path).toBe(false);
        if (isOfRuntime(path)) expect(content, path).not.toContain('pwned_0');
        else expect(injectionsIn(path, withoutOwnDirective(content), isPayload), path).toEqual([]);
      }
      const reach = reachOf(result);
      for (const place of places) {
        if (result.refused.has(place)) continue;
        generated.add(place);
        const isReached = [...reach].some((entry) => entry.startsWith(`${place} in `));
        expect(isReached, `${place} is neither refused nor in any file`).toBe(true);
      }
      for (const entry of reach) reached.add(entry);
    });

    it('turns up in every target that harmless text turns up in', async () => {
      const result = await run('pwned_0', layout);
      const missing = [...reachOf(result)].filter((entry) => !reached.has(entry));
      const plain = (entry: string): boolean =>
        plainNames.some((name) => entry.startsWith(`${name} in `));
      expect(missing.filter((entry) => !plain(entry))).toEqual([]);
    });

    it('is generated from many places', () => {
      expect(places.length).toBeGreaterThan(150);
      const never = places.filter((place) => !generated.has(place));
      expect(new Set(never)).toEqual(new Set(plainNames));
    });
  });
}
