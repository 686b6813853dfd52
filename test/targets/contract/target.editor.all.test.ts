import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { toTypeName } from '../../../generator/contract/names.ts';
import type { JsonSchema } from '../../../generator/schema/model.ts';
import { openInEditor } from '../editor.ts';
import { buildContract } from './contract-builder.ts';
import { buildPackage, type WrittenPackage } from './emit-package.ts';

const states = ['active', 'closed'];
const open: Readonly<Record<string, JsonSchema>> = {
  'a named schema': { $ref: '#/$defs/State' },
  'a member': { type: 'string', 'x-extensible-enum': states },
  'listed values beside all others': {
    anyOf: [{ type: 'string' }, { type: 'string', enum: states }],
  },
  'a named closed list beside all others': {
    oneOf: [{ $ref: '#/$defs/Closed' }, { type: 'string', maxLength: 9 }],
  },
  'any value or null': { anyOf: [{ type: 'null' }, { type: 'string' }, { enum: states }] },
};
const contract = buildContract([
  ['State', { type: 'string', 'x-extensible-enum': states }],
  ['Closed', { type: 'string', enum: states }],
  ['Level', { type: 'integer', 'x-extensible-enum': [10, 20] }],
  [
    'Account',
    {
      type: 'object',
      properties: {
        ...Object.fromEntries(
          Object.entries(open).map(([what, schema]) => [toTypeName(what), schema]),
        ),
        level: { $ref: '#/$defs/Level' },
        levels: { type: 'array', items: { type: 'integer', 'x-extensible-enum': [10, 20] } },
      },
    },
  ],
]);

/** Returns what an editor completes at `|` in the text, and the errors of the text without it. */
function complete(
  { project }: WrittenPackage,
  marked: string,
): { readonly names: readonly string[]; readonly errors: readonly string[] } {
  const path = join(project, 'editor.ts');
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { service, errors } = openInEditor(path, text, 'built');
  const names =
    service.getCompletionsAtPosition(path, at, {})?.entries.map(({ name }) => name) ?? [];
  service.dispose();
  return { names, errors };
}

describe('an open enumeration', () => {
  test('completes its known values in editors, and accepts others', async () => {
    await using contractPackage = await buildPackage(contract);
    const imports = "import type { Account, State, Level } from '@trade/contract';\n";
    for (const what of Object.keys(open)) {
      const member = toTypeName(what);
      const { names } = complete(
        contractPackage,
        `${imports}const x: Account = { ${member}: '|' };`,
      );
      expect(names, what).toEqual(expect.arrayContaining(states));
      const other = `${imports}export const x: Account = { ${member}: 'paused'|, level: 30 };`;
      expect(complete(contractPackage, other).errors, what).toEqual([]);
    }
    expect(complete(contractPackage, `${imports}const x: State = '|';`).names).toEqual(states);
    const level = complete(contractPackage, `${imports}const x: Level = |;`).names;
    expect(level).toEqual(expect.arrayContaining(['10', '20']));
    const wrong = complete(contractPackage, `${imports}export const x: Level = 'high'|;`);
    expect(wrong.errors).toHaveLength(1);
  });
});

test('the declaration that an editor goes to states where the contract has it', async () => {
  await using contractPackage = await buildPackage(contract, {
    placeOf: (pointer) => pointer.replace(/^.*#/u, 'spec/a.yaml#'),
  });
  const text = `import type { Account } from '@trade/contract';\nexport const x: Account = {};`;
  const path = join(contractPackage.project, 'editor.ts');
  await writeFile(path, text);
  const { service } = openInEditor(path, text, 'built');
  const [definition] = service.getDefinitionAtPosition(path, text.indexOf('Account')) ?? [];
  const declared = await readFile(definition?.fileName ?? '', 'utf8');
  const before = declared.slice(0, definition?.textSpan.start);
  expect(before).toMatch(/@see spec\/a\.yaml#\/components\/schemas \*\/\nexport interface $/u);
  service.dispose();
});

test('an editor shows a call of a guard with the type that it proves', async () => {
  await using contractPackage = await buildPackage(contract);
  const text = [
    `import * as trade from '@trade/contract';`,
    `export function levelOf(value: unknown): trade.Level | undefined {`,
    `  if (trade.isLevel(value)) return value;`,
    `  trade.assertAccount(value);`,
    `  return value.level;`,
    `}`,
  ].join('\n');
  const path = join(contractPackage.project, 'editor.ts');
  const { service, errors } = openInEditor(path, text, 'built');
  expect(errors).toEqual([]);
  const shown = (name: string): string =>
    ts.displayPartsToString(
      service.getQuickInfoAtPosition(path, text.indexOf(name))?.displayParts ?? [],
    );
  expect(shown('isLevel(')).toMatch(/isLevel: \(value: unknown\) => value is (?:trade\.)?Level$/u);
  expect(shown('assertAccount(')).toMatch(/=> asserts value is (?:trade\.)?Account$/u);
  service.dispose();
});
