import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultBudgets } from '../../../generator/load/budgets.ts';
import { type Parsed, parseText } from '../../../generator/load/text/parse.ts';
import { isEveryTestRun, runsOf } from '../../some.ts';

// Many tools read contracts with js-yaml 4, such as openapi-typescript.
const require = createRequire(createRequire(import.meta.url).resolve('openapi-typescript'));
const { load, CORE_SCHEMA } = require('js-yaml') as {
  load(text: string, options: object): unknown;
  CORE_SCHEMA: object;
};

/** Reads a text with js-yaml 4; `undefined` if it is refused. */
function readWithOther(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: load(text, { schema: CORE_SCHEMA }) };
  } catch {
    return undefined;
  }
}

function placesOf({ warnings = [] }: Parsed): readonly string[] {
  return warnings.map(({ line, column }) => `${line}:${column}`);
}

const contract = `openapi: 3.0.3
components:
  examples:
    e:
      value:
        {
          "a": [ 1 ]
      }
  schemas: [
    A,
  B ]
info: "-----BEGIN
MIIF

-----END"
x: [ 1, # one
\t2, 'three
four' ]  # end
y: "a"#b
z:
  - - - { b: 1,
c: "d" }
`;

describe('a text that lacks spaces', () => {
  test('is read as js-yaml 4 reads it, with a warning at each place', async () => {
    const parsed = await parseText(contract, defaultBudgets);
    expect(parsed.errors).toEqual([]);
    expect(parsed.value).toEqual(readWithOther(contract)?.value);
    expect(parsed.value).toMatchObject({
      info: '-----BEGIN MIIF\n-----END',
      x: [1, 2, 'three four'],
    });
    expect(placesOf(parsed)).toEqual(['8:7', '11:3', '13:1', '15:1', '17:2', '22:1', '19:7']);
    for (const { code, until } of parsed.warnings ?? []) {
      expect([code, until]).toEqual(['yaml-syntax', expect.any(String)]);
    }
  });

  test('has its members where they are written', async () => {
    const { positions } = await parseText(contract, defaultBudgets);
    expect(positions.locate(['x', '1'])).toEqual({ line: 17, column: 2 });
    expect(positions.locate(['z', '0', '0', '0', 'c'])).toEqual({ line: 22, column: 1 });
    expect(positions.locate(['y'])).toEqual({ line: 19, column: 1 });
  });

  test('is refused for its other mistakes', async () => {
    const { errors, value } = await parseText('a: { b: 1,\nc: 2 }\nd: e: f\n', defaultBudgets);
    expect(value).toBe(undefined);
    expect(errors).toContainEqual(expect.objectContaining({ code: 'yaml-syntax', line: 3 }));
  });

  // All lines are parsed again for each.
  test.runIf(isEveryTestRun)('is refused if it has too many such lines', async () => {
    const text = `a:\n  b: [\n${'1,\n'.repeat(40_000)}]\n`;
    const { errors } = await parseText(text, defaultBudgets);
    expect(errors[0]).toMatchObject({ code: 'yaml-syntax', line: 3 });
  });
});

test.each([
  'a:\n  - b\n - c\n',
  'a:\n    b: 1\n  c: 2\n',
  'a: |\n    b\n  c\n',
  'a: b: c\n',
  'a: [1, 2\nb: 3\n',
  'a: "b\n',
  'a: b#c: d\ne: "f" g\n',
  'a: {"b": 1, "b": 2\n}\n',
])('%j has more than one meaning and is refused', async (text) => {
  const { errors, value } = await parseText(text, defaultBudgets);
  expect(value).toBe(undefined);
  expect(errors).not.toEqual([]);
});

test('whatever is read of a damaged text, js-yaml 4 reads the same', async () => {
  const lines = contract.split('\n');
  const damage = fc.record({
    line: fc.nat(lines.length - 1),
    to: fc.constantFrom('', ' ', '  ', '    ', '          ', '\t', ' \t', '#', '"', '---', '- '),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
      const damaged = [...lines];
      for (const { line, to } of damages)
        damaged[line] = `${to}${(damaged[line] ?? '').trimStart()}`;
      const text = damaged.join('\n');
      // js-yaml 4 takes `---a` and `----` for the start of a document.
      fc.pre(!/^---\S/mu.test(text));
      const { value, errors, warnings = [] } = await parseText(text, defaultBudgets);
      const other = readWithOther(text);
      if (warnings.length > 0 && errors.length === 0) expect({ value }).toEqual(other);
      if (other !== undefined)
        expect(
          errors.map(({ message }) => message),
          text,
        ).toEqual([]);
    }),
    { numRuns: runsOf(200) },
  );
});
