import { describe, expect, it } from 'vitest';
import type { Workflow } from '../../../generator/contract/contract.ts';
import { hostileTexts } from '../../hostile/hostile-texts.ts';
import { emitPage, ownContract } from './emit-page.ts';

const contract = await ownContract();

/** The elements of a page that show workflows, by their anchors. */
function shownIn(page: string): ReadonlyMap<string, string> {
  const articles = page.matchAll(/<article class="workflow" id="([^"]*)"[^]*?<\/article>/gu);
  return new Map(Array.from(articles, ([markup, id = '']) => [id, markup]));
}

/** The steps of a workflow: the text of each, and what it links to besides sections. */
function stepsIn(markup = ''): readonly (readonly string[])[] {
  return Array.from(markup.matchAll(/<li\b[^]*?<\/li>/gu), ([step]) => [
    step
      .replaceAll('<wbr />', '')
      .replaceAll(/<[^>]*>/gu, ' ')
      .replaceAll(/\s+/gu, ' ')
      .trim(),
    ...Array.from(step.matchAll(/href="#((?!source-)[^"]*)"/gu), ([, link = '']) => link),
  ]);
}

describe('the workflows of this contract', async () => {
  const shown = shownIn(await emitPage(contract));

  it('are all there, in order', () => {
    expect([...shown.keys()]).toEqual(contract.workflows.map(({ id }) => `workflow-flows-${id}`));
  });

  it('have their steps in order, each with what it is about, its question and its sections', () => {
    expect(stepsIn(shown.get('workflow-flows-token'))).toEqual([
      ['Call issueToken POST /token', 'call-issueToken'],
    ]);
    expect(stepsIn(shown.get('workflow-flows-cashout'))).toEqual([
      [
        'Note After a withdrawal request, validation runs asynchronously and the request can still be denied. other-functions §6.3.2',
        'question-other-functions',
      ],
      [
        'Receive cashoutStageOne The result of the validation, with the confirmation key.',
        'notification-cashoutStageOne',
      ],
      [
        'Note The integrator calls a confirmation request at the path /cashout/confirm , using the confirmation key received: Pix.confirmationKey of the first notification. cashout-confirmation §4.3 §6.3.3',
        'question-cashout-confirmation',
      ],
      [
        'Receive cashoutStageTwo The result of the withdrawal, success (1) or failure (2).',
        'notification-cashoutStageTwo',
      ],
    ]);
  });

  it('cite their sections, in both directions', async () => {
    expect(shown.get('workflow-flows-cashout')).toContain('href="#source-7-2"');
    const page = await emitPage(contract);
    const section = page.slice(page.indexOf('id="source-7-2"'));
    expect(section.slice(0, section.indexOf('</tr>'))).toContain('#workflow-flows-cashout');
  });
});

const node = { source: [], pointer: 'workflows#/flows/workflows/0' } as const;
/** What documents state of a step, where that does not matter. */
const stated = { names: [], definition: {} } as const;
const [first, second] = contract.notifications;
if (first === undefined || second === undefined) throw new Error('There are no notifications.');

describe('a workflow', () => {
  it('shows every notification that a step can receive, and links to other workflows', async () => {
    const step = { ...node, id: 'a' };
    const workflow: Workflow = {
      ...node,
      kind: 'workflow',
      id: 'both',
      definition: {},
      steps: [
        { ...step, kind: 'receive', targets: [first.pointer, second.pointer], ...stated },
        { ...step, kind: 'workflow', targets: [node.pointer], ...stated },
      ],
    };
    const shown = shownIn(await emitPage({ ...contract, workflows: [workflow] }));
    expect(stepsIn(shown.get('workflow-flows-both'))).toEqual([
      [
        `Receive ${first.name} or ${second.name}`,
        `notification-${first.name}`,
        `notification-${second.name}`,
      ],
      ['Run both', 'workflow-flows-both'],
    ]);
  });

  it('shows its notes and those of its steps', async () => {
    const workflow: Workflow = {
      ...node,
      kind: 'workflow',
      id: 'noted',
      definition: {},
      notes: ['On the workflow.'],
      steps: [
        { ...node, kind: 'call', id: 'a', notes: ['On the step.'], targets: [], ...stated },
        {
          ...node,
          kind: 'note',
          id: 'note-1',
          description: 'Then.',
          unstated: 'q',
          notes: ['On the note.'],
        },
      ],
    };
    const [markup = ''] = shownIn(await emitPage({ ...contract, workflows: [workflow] })).values();
    for (const where of ['workflow', 'step', 'note'])
      expect(markup).toContain(`<p class="note"><b>Note:</b> On the ${where}.</p>`);
  });

  it('escapes its texts', async () => {
    const [text = ''] = hostileTexts.filter((hostileText) => hostileText.includes('<'));
    const workflow: Workflow = {
      ...node,
      kind: 'workflow',
      id: text,
      definition: {},
      summary: text,
      description: text,
      source: [text],
      notes: [text],
      steps: [
        { ...node, kind: 'call', id: text, description: text, targets: [], ...stated },
        { ...node, kind: 'note', id: 'note-1', description: text, unstated: text },
      ],
    };
    const page = await emitPage({ ...contract, workflows: [workflow] });
    const [markup = ''] = shownIn(page).values();
    expect(stepsIn(markup)).toHaveLength(2);
    expect(page).not.toContain(text);
  });

  it('has no section where there is none', async () => {
    expect(await emitPage({ ...contract, workflows: [] })).not.toContain('id="workflows"');
  });
});
