import { describe, expect, test } from 'vitest';
import type { Contract } from '../../generator/contract/contract.ts';
import { choicesOf } from '../../generator/documents/unstated-entries.ts';
import { sampleHandlers } from '../../generator/targets/printing/sample-handlers.ts';
import { resolveTargets } from '../../generator/targets/registry.ts';
import { emitFiles } from '../targets/emit-project.ts';
import { type Answers, ledger, readAnswered } from './answered-contract.ts';

/** The entries that decide which code a stage has. */
const ids = ['cashout-stage-one-status', 'cashout-denial-status'] as const;

const choices = ids.map((id) => {
  const entry = ledger.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`There is no entry ${id}`);
  return choicesOf(entry).map(({ name }): Answers => ({ [id]: name }));
});
const [ofStageOne = [], ofDenial = []] = choices;

/** No answer, each answer alone, and each pair of answers. */
const all: readonly Answers[] = [
  {},
  ...choices.flat(),
  ...ofStageOne.flatMap((one) => ofDenial.map((other) => ({ ...one, ...other }))),
];

const stageOne = 'cashoutStageOne';
const union = 'cashoutStageOneOrCashoutStageTwo';
const advice = 'neither confirm nor book the cash-out';

describe.each(all.map((answers) => [JSON.stringify(answers), answers] as const))(
  'a cash-out after %s',
  (_, answers) => {
    test('has names for its codes at the stage that they are received in', async () => {
      const { files, contract } = await emit(answers);
      const codes = contract.schemas.find(({ name }) => name === 'CashoutStatus')?.enumeration;
      const named = codes?.members.map(({ value, name, description }) => [
        value,
        name,
        description,
      ]);
      const ofStages = (stage: string): unknown[] =>
        named?.filter(([, , text]) => String(text).endsWith(`(stage ${stage}).`)) ?? [];
      expect(ofStages('2')).toEqual([
        [1, 'Completed', 'The withdrawal completed successfully (stage 2).'],
        [2, 'Failed', 'The withdrawal failed (stage 2).'],
      ]);
      const [validated, denied] = [
        { zero: 0, one: 1 }[answers[ids[0]] ?? ''],
        { same: 2 }[answers[ids[1]] ?? ''],
      ];
      const wanted = [
        [validated, 'Validated', 'The cash-out request was validated (stage 1).'],
        [denied, 'Denied', 'Validation denied the cash-out request (stage 1).'],
      ].filter(([value]) => value !== undefined);
      expect(new Set(ofStages('1'))).toEqual(new Set(wanted));
      expect(named).toHaveLength(ofStages('1').length + 2);
      const written = files.find(([path]) => path === 'contract/src/index.ts')?.[1] ?? '';
      for (const [value, name] of named ?? []) expect(written).toContain(`${name}: ${value},`);
    });

    test('is called completed or failed by no sample of stage 1', async () => {
      const { contract } = await emit(answers);
      const labels = new Map(
        sampleHandlers(contract).map(({ name, status }) => [name, status?.label ?? '']),
      );
      expect(labels.get(stageOne)).not.toMatch(/^(?:Completed|Failed)$/u);
      // Stage 2 is called so only if nothing else has the code.
      expect(labels.get('cashoutStageTwo') === 'Completed').toBe(answers[ids[0]] !== 'one');
    });

    test('that can be of either stage is neither confirmed nor booked', async () => {
      const { files, contract } = await emit(answers);
      const isOpen = contract.recognition.groups.some(
        (group) => group.includes(stageOne) && group.length > 1,
      );
      // Without a label, and with one: both stages have the same.
      expect(isOpen).toBe(!isDecided(answers));
      const shown = files.filter(([, text]) => text.includes(union)).map(([path]) => path);
      expect(shown.length > 0).toBe(isOpen);
      for (const [path, text] of files) {
        expect(text, path).not.toContain('Without a label, some deliveries');
        if (!isOpen) continue;
        const [, summary] =
          /One of cashoutStageOne, cashoutStageTwo: (.*?) nothing in the delivery/u.exec(text) ??
          [];
        if (summary !== undefined) expect(summary, path).toBe('with or without a label,');
        if (/\/(?:events|receiver|router|webhooks\.module)\.ts$/u.test(path)) {
          const [comment = ''] =
            new RegExp(
              `/\\*\\*(?:(?!\\*/)[^])*\\*/\\s*(?:@\\w+\\(\\)\\s*)?(?:readonly |export function on|handle)${union}\\b`,
              'iu',
            ).exec(text) ?? [];
          expect(comment, path).toContain(advice);
          expect(comment, path).toMatch(
            /one of cashoutStageOne, cashoutStageTwo\.|One of cashoutStageOne, cashoutStageTwo: with or without/u,
          );
        }
        if (path === 'webhooks/README.md')
          expect(text).toMatch(new RegExp(`^- \`${union}\`: .*${advice}`, 'mu'));
        if (path.endsWith('.html'))
          expect(text).toContain('one of these; some deliveries fit several');
      }
    });
  },
);

/** Returns whether two answers tell the stages apart by their codes. */
function isDecided(answers: Answers): boolean {
  const [stage = '', denial] = ids.map((id) => answers[id]);
  return ['zero', 'one', 'other'].includes(stage) && denial === 'other';
}

/** The targets whose texts name kinds. */
const targetNames = ['contract', 'webhooks', 'webhooks-express', 'webhooks-nestjs', 'reference'];

async function emit(answers: Answers): Promise<{
  readonly contract: Contract;
  readonly files: readonly (readonly [string, string])[];
}> {
  const key = JSON.stringify(answers);
  const kept = emitted.get(key) ?? emitOnce(answers);
  emitted.set(key, kept);
  return await kept;
}

const emitted = new Map<string, ReturnType<typeof emitOnce>>();

async function emitOnce(answers: Answers) {
  const { contract, diagnostics } = await readAnswered(answers);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (contract === undefined) throw new Error('The contract has errors');
  const files: (readonly [string, string])[] = [];
  for (const target of await resolveTargets(targetNames))
    files.push(...(await emitFiles(target, contract)));
  return { contract, files };
}

test('no example of stage 1 is called completed or failed', async () => {
  const { contract } = await emit({});
  const examples = contract.notifications.find(({ name }) => name === stageOne)?.examples ?? [];
  expect(examples.length).toBeGreaterThan(3);
  for (const { name, summary } of examples)
    expect(`${name} ${summary}`).not.toMatch(/completed|\bfailed/iu);
});
