import { cp, mkdir, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { choicesOf } from '../../generator/documents/unstated-entries.ts';
import { createProject } from '../cli/project.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { compile } from '../targets/compile.ts';
import { repository } from '../targets/emit-project.ts';
import { ledger } from './answered-contract.ts';

/** The forms of identifiers that the examples have, for the answers that state a form. */
const forms: Readonly<Record<string, object>> = {
  'charge-or-reversal=by-form': txid({ isChargeForm: 'CHG', isChargeReversalForm: 'REV' }),
  'due-date-or-static=by-form': txid({ isDueDateForm: 'DUE', isStaticForm: 'STA' }),
};

function txid(prefixes: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(prefixes).map(([name, prefix]) => [
      name,
      [{ '$request.body#/Pix/txid': { pattern: `^${prefix}` } }],
    ]),
  );
}

const answers = [...new Map(ledger.map((entry) => [entry.id, entry])).values()].flatMap((entry) => {
  const names = choicesOf(entry).map(({ name }) => name);
  return (names.length === 0 ? ['The operator wrote back.'] : names).map((answer) => ({
    id: entry.id,
    answer,
    isSentence: names.length === 0,
  }));
});

/** Words that say of a question that nobody has answered it. */
const openWords = /\bnot (?:been )?stated\b|\bdoes not (?:state|say|show)\b|\bopen\b|\bassumed\b/iu;

test.each(answers)(
  '$id=$answer passes lint and check, compiles, and is nowhere called open',
  async ({ id, answer, isSentence }) => {
    const folder = await createCopy();
    const form = forms[`${id}=${answer}`];
    const value = form === undefined ? [] : ['--value', JSON.stringify(form)];
    const settled = await runInProcess(folder, ['settle', `${id}=${answer}`, ...value]);
    expect(settled.code, settled.error).toBe(0);

    const lint = await runInProcess(folder, ['lint', '--json']);
    const findings: readonly { code: string; severity: string; message: string }[] = JSON.parse(
      lint.out,
    ).results[0].diagnostics;
    const warnings = findings.filter(({ severity }) => severity !== 'info');
    // An operator who states a form states examples with it: the invented ones are left out.
    expect(
      warnings.filter(({ code }) => form === undefined || !code.endsWith('-without-example')),
    ).toEqual([]);

    const generated = await runInProcess(folder, ['generate']);
    expect(generated.code, generated.error).toBe(0);
    const checked = await runInProcess(folder, ['check']);
    expect(checked.code, checked.error).toBe(0);
    await compile('ts7', folder, ['-p', '.']);

    const output = join(folder, 'generated');
    const named: string[] = [];
    for (const file of await readdir(output, { recursive: true })) {
      if (!/\.(?:ts|md|html)$/u.test(file)) continue;
      const text = await readFile(join(output, file), 'utf8');
      for (const passage of passagesOf(text))
        if (names(passage, id) && openWords.test(passage)) named.push(`${file}: ${passage}`);
      if (isSentence && file === 'contract/README.md')
        expect(text).toContain(`- ${answer} (\`${id}\`)`);
    }
    expect(named).toEqual([]);
  },
);

/** Copies what this repository generates from, without what it generated. */
async function createCopy(): Promise<string> {
  const config = await readFile(join(repository, 'countersign.config.ts'), 'utf8');
  const { folder } = await createProject({
    'countersign.config.mjs': config
      .replace(/^import type .*$/mu, '')
      .replace('const config: Config', 'const config'),
    'tsconfig.json': JSON.stringify({
      extends: join(repository, 'tsconfig.json'),
      compilerOptions: { noEmit: true, types: ['node'] },
      include: ['generated/*/src', 'generated/*/stubs'],
      // Its decorators need compiler options of their own.
      exclude: ['generated/webhooks-nestjs/stubs'],
    }),
  });
  await rm(join(folder, 'openapi.yaml'));
  await cp(join(repository, 'spec'), join(folder, 'spec'), { recursive: true });
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@instant-payment'), { recursive: true });
  for (const name of await readdir(join(repository, 'node_modules')))
    if (name !== '@instant-payment')
      await symlink(join(repository, 'node_modules', name), join(modules, name), 'junction');
  for (const name of await readdir(join(repository, 'generated')))
    if (!name.startsWith('.'))
      await symlink(
        join(folder, 'generated', name),
        join(modules, '@instant-payment', name),
        'junction',
      );
  return folder;
}

/** Splits a text into sentences, lines of comments about the ledger, cells, and literals. */
function passagesOf(text: string): readonly string[] {
  return text
    .replaceAll(/\n[^\S\n]*(?:\*|\/\/)?[^\S\n]*(?=Open:|Settled:|@see|- |1\. |\n)/gu, '¶')
    .replaceAll(/\n[^\S\n]*(?:\*|\/\/)?[^\S\n]*/gu, ' ')
    .split(/(?<=[.!?]\)?) (?=[A-Z(])| \| |',|","|¶|<\/(?:p|li|td|a|dt|dd|figcaption|summary)>/u);
}

function names(passage: string, id: string): boolean {
  return new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'u').test(passage);
}
