import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../generator/config/check-config.ts';
import type { LintSettings } from '../../../generator/config/lint-settings.ts';
import { configFor, lintFiles, toLine } from './lint-case.ts';
import { openapi } from './parcels.ts';

const files = {
  'openapi.yaml': openapi
    .replace('maximum: 30', 'minimum: 0')
    .replace('type: string, pattern', 'type: number, pattern'),
};
const weight = 'openapi#/components/schemas/Parcel/properties/weight';
const reason = 'Scales show what they show.';
const unboundedNumbers = [
  'unbounded-number openapi.yaml:38:9',
  'unbounded-number openapi.yaml:40:9',
];

/** Returns the remaining findings of two unbounded numbers, each with its severity in front. */
async function left(settings: LintSettings, config?: string): Promise<readonly string[]> {
  const { diagnostics } = await lintFiles(files, settings, config);
  return diagnostics.map((diagnostic) => `${diagnostic.severity} ${toLine(diagnostic)}`);
}

describe('rules', () => {
  it.each([
    [{}, unboundedNumbers.map((line) => `warning ${line}`)],
    [{ 'unbounded-number': 'error' }, unboundedNumbers.map((line) => `error ${line}`)],
    [{ 'unbounded-number': 'off' }, []],
    [{ 'redocly/info-license': 'error' }, unboundedNumbers.map((line) => `warning ${line}`)],
  ] as const)('set to %j leave %j', async (rules, expected) => {
    expect(await left({ rules })).toEqual(expected);
  });

  it('cannot silence what stops generation', async () => {
    const broken = { 'openapi.yaml': openapi.replace('maximum: 30', 'maximum: 30, x-sorce: a') };
    const rules = { 'unknown-extension': 'off' } as const;
    const exceptions = [{ rule: 'unknown-extension', at: weight, reason }] as const;
    const { diagnostics } = await lintFiles(broken, { rules, exceptions });
    expect(diagnostics.map(({ code }) => code)).toContain('unknown-extension');
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'unused-exception',
        message: expect.stringContaining('exceptions do not apply to it'),
      }),
    );
  });

  it('reach the warnings of reading as well', async () => {
    const twin = `paths:
  /parcels/{key}:
    post: { operationId: putParcel, summary: Puts., x-source: '2', parameters: [{ name: key, in: path, required: true, schema: { type: string }, x-source: '2' }], responses: { 2XX: { description: A., x-source: '2' }, 4XX: { description: B., x-source: '2' } } }
`;
    const texts = { 'openapi.yaml': openapi.replace('paths:\n', twin) };
    const codes = async (settings: LintSettings): Promise<readonly string[]> =>
      (await lintFiles(texts, settings)).diagnostics.map(({ code }) => code);
    // Redocly calls the same two paths ambiguous; it is said once.
    expect(await codes({})).toEqual(['identical-paths']);
    expect(await codes({ rules: { 'identical-paths': 'off' } })).toEqual([]);
  });
});

describe('an exception', () => {
  it.each([
    ['the place itself', weight, [`warning ${unboundedNumbers[1]}`]],
    ['a place around it', 'openapi#/components/schemas/Parcel', []],
    ['the whole document', 'openapi#', []],
  ])('for %s takes findings out and is counted', async (_, at, expected) => {
    const exceptions = [{ rule: 'unbounded-number', at, reason }] as const;
    expect(await left({ exceptions })).toEqual(expected);
    const { excepted } = await lintFiles(files, { exceptions });
    expect(excepted).toBe(2 - expected.length);
  });

  it('for a rule that is off besides is not reported', async () => {
    const exceptions = [{ rule: 'unbounded-number', at: weight, reason }] as const;
    expect(await left({ rules: { 'unbounded-number': 'off' }, exceptions })).toEqual([]);
  });

  it.each([
    ['a place that is valid', 'unbounded-number', `${weight}/type`],
    ['a place that only begins alike', 'unbounded-number', weight.slice(0, -2)],
    ['another rule', 'info-license', weight],
  ] as const)('for %s is reported where it is written', async (_, name, at) => {
    const rule = name === 'info-license' ? 'redocly/info-license' : name;
    const config = `export default {\n  lint: { exceptions: [{ at: '${at}' }] },\n};\n`;
    const lines = await left({ exceptions: [{ rule, at, reason }] }, config);
    expect(lines.toSorted()).toEqual(
      [
        'warning unused-exception countersign.config.ts:2:31',
        ...unboundedNumbers.map((line) => `warning ${line}`),
      ].toSorted(),
    );
  });

  it.each([
    ['a reference leads nowhere', "$ref: './nowhere.yaml'"],
    ['an extension is misspelt', 'type: string, x-sorce: a'],
    ['the text is not YAML', '}'],
  ])('is not reported where %s, because not every rule was checked', async (_, broken) => {
    const contract = {
      'openapi.yaml': files['openapi.yaml'].replace(
        "type: string, enum: [new, sent], x-source: '3'",
        broken,
      ),
    };
    const exceptions = [
      { rule: 'unbounded-number', at: weight, reason },
      { rule: 'redocly/info-license', at: 'openapi#', reason },
    ] as const;
    const { diagnostics } = await lintFiles(contract, { exceptions });
    expect(diagnostics.map(({ severity }) => severity)).toContain('error');
    expect(diagnostics.map(({ code }) => code)).not.toContain('unused-exception');
  });

  it('that is reported cannot be excepted, and can be made an error', async () => {
    const exceptions = [
      { rule: 'unused-exception', at: 'openapi#', reason },
      { rule: 'redocly/info-license', at: 'openapi#', reason },
    ] as const;
    const rules = { 'unused-exception': 'error', 'unbounded-number': 'off' } as const;
    expect(await left({ exceptions, rules })).toEqual([
      'error unused-exception countersign.config.ts:1:1',
      'error unused-exception countersign.config.ts:1:1',
    ]);
  });
});

describe('a configuration', () => {
  const check = async (lint: unknown): Promise<string> =>
    await checkConfig({ ...configFor(files), lint }, 'config.json').then(
      () => 'is right',
      (error: unknown) => (error instanceof Error ? error.message : 'is not an error'),
    );

  it.each<[unknown, RegExp]>([
    [{}, /^is right$/u],
    [{ rules: { 'redocly/info-license': 'off', 'slow-pattern': 'error' } }, /^is right$/u],
    [{ exceptions: [{ rule: 'uncited-fact', at: 'asyncapi#/info', reason }] }, /^is right$/u],
    [[], /^lint: must be an object, not a list$/u],
    [{ rule: {} }, /^lint\.rule: unknown key; did you mean `rules`\?$/u],
    [
      { rules: { 'uncited-facts': 'off' } },
      /^lint\.rules\.uncited-facts: .*did you mean `uncited-fact`\?$/u,
    ],
    [{ rules: { __proto__x: 'off' } }, /^lint\.rules\.__proto__x: unknown key$/u],
    [
      { rules: { 'uncited-fact': 'warn' } },
      /^lint\.rules\.uncited-fact: must be `error`, `warning` or `off`, not "warn"; did you mean `warning`\?$/u,
    ],
    [
      { exceptions: [{ rule: 'unbound-number', at: 'openapi#', reason }] },
      /^lint\.exceptions\[0\]\.rule: .*did you mean `unbounded-number`\?$/u,
    ],
    [
      { exceptions: [{ rule: 'uncited-fact', at: 'openapi#' }] },
      /^lint\.exceptions\[0\]\.reason: is missing$/u,
    ],
    [
      { exceptions: [{ rule: 'uncited-fact', at: 'openapi#', reason: ' ' }] },
      /^lint\.exceptions\[0\]\.reason: must be the reason/u,
    ],
    [
      { exceptions: [{ rule: 'uncited-fact', at: 'spec/a.yaml', reason }] },
      /^lint\.exceptions\[0\]\.at: must be a pointer/u,
    ],
  ])('with lint: %j %s', async (lint, expected) => {
    expect(await check(lint)).toMatch(expected);
  });
});
