import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { DocumentInfo } from '../../../generator/contract/contract.ts';
import { describeOverview } from '../../../generator/targets/package/overview.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { buildContract } from '../contract/contract-builder.ts';
import { emitFiles } from '../emit-project.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';

const notifications: DocumentInfo = {
  pointer: 'asyncapi#/info',
  source: [],
  description: 'What arrives.\n\nAnd when.\n',
  notes: ['Ours.'],
};

const contract = (info: object) => buildContract([], { info });

test('the overview has the paragraphs and notes of both documents', () => {
  const built = contract({ description: 'What is called.', notifications });
  expect(describeOverview(built)).toEqual({
    paragraphs: ['What is called.', 'What arrives.', 'And when.'],
    notes: ['Ours.'],
  });
});

test('there is no overview where the documents state nothing, and no whole manual', () => {
  expect(describeOverview(contract({}))).toBeUndefined();
  const manual = contract({ description: ['Short.', 'x'.repeat(7000), 'Later.'].join('\n\n') });
  expect(describeOverview(manual)?.paragraphs).toEqual(['Short.']);
});

/** Returns the README of a generated package of this repository. */
async function readmeOf(name: string): Promise<string> {
  return await readFile(new URL(`../../../generated/${name}/README.md`, import.meta.url), 'utf8');
}

test('the README of the contract ends with the overview, which answers what a stranger asks', async () => {
  const readme = await readmeOf('contract');
  const overview = readme.slice(readme.lastIndexOf('\n## '));
  const answers = {
    'who sends what': 'the service sends notifications to the webhook of an integrator',
    'how a cash-out is confirmed': 'a confirmation request at the path `/cashout/confirm`',
    'what status 2 at stage 2 means': 'and 2 if it failed',
    'what going live requires': 'must be whitelisted on',
  };
  for (const [question, answer] of Object.entries(answers))
    expect(overview, question).toContain(answer);
});

test.each(['webhooks', 'contract'])('the README of %s names what is open', async (name) => {
  const readme = await readmeOf(name);
  for (const entry of ['failed-cashout-finality', 'txid-assignment', 'notification-authentication'])
    expect(readme).toContain(`\`${entry}\``);
});

test('no paragraph is in two READMEs, and each begins with code', async () => {
  // The packages of frameworks come from one template, and each stands for itself.
  const names = ['client', 'contract', 'runtime', 'simulator', 'webhooks', 'webhooks-express'];
  const places = new Map<string, string[]>();
  for (const name of names) {
    const readme = await readmeOf(name);
    expect(readme.indexOf('```'), name).toBeLessThan(1200);
    const prose = readme.replaceAll(/^```[^]*?^```/gmu, '');
    for (const block of prose.split(/\n{2,}|\n(?=- |\d+\. )/u).map((text) => text.trim()))
      if (block.length > 60) places.set(block, [...(places.get(block) ?? []), name]);
  }
  const repeated = [...places].filter(([, found]) => found.length > 1);
  expect(repeated).toEqual([]);
});

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

/** Returns the sections that a README refers to and does not have. */
function missingSections(readme: string): readonly string[] {
  const headings = new Set([...readme.matchAll(/^#+ (.+)$/gmu)].map(([, heading]) => heading));
  const references = [...readme.matchAll(/“([^”]+)” (?:above|below)/gu)];
  return references.flatMap(([, heading = '']) => (headings.has(heading) ? [] : [heading]));
}

test('READMEs have the sections that they refer to, also where nothing is open', async () => {
  expect(await readmeOf('webhooks')).toContain('“What open questions decide” below');
  for (const name of ['client', 'contract', 'runtime', 'simulator', 'webhooks', 'webhooks-express'])
    expect(missingSections(await readmeOf(name)), name).toEqual([]);
  const { contract: settled } = await lowerFiles({
    'openapi.yaml': await readFile(
      new URL('../../../examples/stripe/openapi.yaml', import.meta.url),
      'utf8',
    ),
  });
  expect(settled.unstated).toEqual([]);
  const files = await emitFiles(webhooksTarget, settled);
  const readme = [...files].find(([path]) => path.endsWith('README.md'))?.[1] ?? '';
  expect(readme).toContain('### After a 401');
  expect(readme).not.toContain('## What open questions decide');
  expect(missingSections(readme)).toEqual([]);
});
