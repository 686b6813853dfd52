import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { DocumentInfo } from '../../../generator/contract/contract.ts';
import { describeOverview } from '../../../generator/targets/package/overview.ts';
import { buildContract } from '../contract/contract-builder.ts';

const notifications: DocumentInfo = {
  pointer: 'asyncapi#/info',
  source: [],
  description: 'What arrives.\n\nAnd when.\n',
  notes: ['Ours.'],
};

const contract = (info: object) => buildContract([], { info });

test.each([
  ['calls', ['What is called.']],
  ['notifications', ['What arrives.', 'And when.']],
  ['both', ['What is called.', 'What arrives.', 'And when.']],
] as const)('the overview of %s has the paragraphs of its documents', (subject, paragraphs) => {
  const built = contract({ description: 'What is called.', notifications });
  expect(describeOverview(built, subject)).toEqual({
    paragraphs,
    notes: subject === 'calls' ? [] : ['Ours.'],
  });
});

test('the one document of a contract describes both of its sides', () => {
  const built = contract({ description: 'All.' });
  for (const subject of ['calls', 'notifications', 'both'] as const)
    expect(describeOverview(built, subject)?.paragraphs).toEqual(['All.']);
});

test('there is no overview where the documents state nothing, and no whole manual', () => {
  expect(describeOverview(contract({}), 'both')).toBeUndefined();
  const manual = contract({ description: ['Short.', 'x'.repeat(7000), 'Later.'].join('\n\n') });
  expect(describeOverview(manual, 'calls')?.paragraphs).toEqual(['Short.']);
});

test.each(['webhooks', 'contract'])(
  'the README of %s answers what a stranger asks',
  async (name) => {
    const readme = await readFile(
      new URL(`../../../generated/${name}/README.md`, import.meta.url),
      'utf8',
    );
    const overview = readme.slice(readme.indexOf('## Overview'), readme.indexOf('## Use'));
    expect(readme.indexOf('## Overview')).toBeLessThan(readme.indexOf('## Use'));
    const answers = {
      'who sends what': 'the service sends notifications to the webhook of an integrator',
      'how a cash-out is confirmed': 'a confirmation request at the path `/cashout/confirm`',
      'what status 2 at stage 2 means': 'and 2 if it failed',
      'what going live requires': 'must be whitelisted on',
    };
    for (const [question, answer] of Object.entries(answers))
      expect(overview, question).toContain(answer);
    const open = {
      'what of the confirmation is open': '`cashout-confirmation`',
      'what status 2 leaves open': '`failed-cashout-finality`',
      'which charge it is': '`txid-assignment`',
      'what has to be known before': '`notification-authentication`',
    };
    for (const [question, entry] of Object.entries(open)) expect(readme, question).toContain(entry);
  },
);

test('the page opens with the overview of both documents', async () => {
  const page = await readFile(
    new URL('../../../generated/reference/index.html', import.meta.url),
    'utf8',
  );
  const start = page.slice(page.indexOf('id="overview"'), page.indexOf('class="figures-row"'));
  expect(start).toContain('Before any call, an integrator obtains an access token');
  expect(start).toContain('Who sends what: the service sends notifications');
  const questions = page.slice(page.indexOf('id="questions"'));
  const asked = questions.slice(0, questions.indexOf('</ol>'));
  expect(asked).toContain('Before you go live');
  expect(asked).toContain('countersign settle txid-assignment=');
});
