import type { Pointer } from 'countersign';
import { pointerMembers } from 'countersign/companion/values';
import type { Workflow, WorkflowAction, WorkflowNote } from 'countersign/kit';
import { type Html, html, inline, joinHtml, prose } from './html.ts';
import { label, noteList, type Page, part, questionLink, sourceLinks } from './page.ts';

/** Renders each workflow as a list of its steps, with links to the calls and notifications that they are about. */
export function workflowsSection(page: Page): Html {
  const { workflows } = page.contract;
  const links = linksOf(page);
  const lead = html`The order of calls and notifications. A step that the contract mentions without
  describing it is a note, with a link to its open question.`;
  const flows = workflows.map((workflow) => flow(page, workflow, links));
  const body = html`<div class="workflows">${flows}</div>`;
  return part('workflows', 'Workflows', workflows.length, lead, body);
}

/** Returns the anchor of a workflow. Workflows of several documents can have the same id. */
export function workflowAnchor({ anchors }: Page, { id, pointer }: Workflow): string {
  const [document = ''] = pointerMembers(pointer);
  return anchors.of('workflow', `${document} ${id}`);
}

type Links = ReadonlyMap<Pointer, Html>;

/** Returns a link for each place that a step can be about. */
function linksOf(page: Page): Links {
  const { contract, anchors } = page;
  const links = new Map<Pointer, Html>();
  const add = (pointer: Pointer, anchor: string, name: string, labelled?: Html): void => {
    links.set(pointer, html`<a href="#${anchor}"><code>${name}</code></a> ${labelled}`);
  };
  for (const workflow of contract.workflows) {
    add(workflow.pointer, workflowAnchor(page, workflow), workflow.id);
  }
  for (const { id, operation, pointer } of contract.messages) {
    add(pointer, anchors.of('message', `${operation} ${id}`), id);
  }
  for (const { id, name, method, path, pointer } of contract.operations) {
    add(pointer, anchors.of('call', id), name, label(method, path));
  }
  for (const { id, name, pointer } of contract.notifications) {
    add(pointer, anchors.of('notification', id), name);
  }
  return links;
}

function flow(page: Page, workflow: Workflow, links: Links): Html {
  const { id, summary, description, source, notes, steps } = workflow;
  const anchor = workflowAnchor(page, workflow);
  return html`<article class="workflow" id="${anchor}" aria-labelledby="${anchor}-title">
    <h3 id="${anchor}-title">${id}</h3>
    <a class="permalink" href="#${anchor}" aria-label="Link to this workflow">#</a>
    ${summary === undefined ? undefined : html`<p>${inline(summary)}</p>`} ${prose(description)}
    ${noteList(notes)}
    <p>${sourceLinks(page, source)}</p>
    <ol class="steps">
      ${steps.map((step) => (step.kind === 'note' ? note(page, step) : action(page, step, links)))}
    </ol>
  </article>`;
}

const words: Readonly<Record<WorkflowAction['kind'], string>> = {
  call: 'Call',
  receive: 'Receive',
  send: 'Send',
  workflow: 'Run',
};

function action(page: Page, step: WorkflowAction, links: Links): Html {
  const { kind, description, source, notes, targets } = step;
  const shown = targets.flatMap((target) => links.get(target) ?? []);
  return html`<li class="step ${kind}">
    <b class="step-kind">${words[kind]}</b> ${joinHtml(shown, ' or ')} ${sourceLinks(page, source)}
    ${prose(description)} ${noteList(notes)}
  </li>`;
}

function note(page: Page, { description, unstated, source, notes }: WorkflowNote): Html {
  return html`<li class="step note">
    <b class="step-kind">Note</b> ${inline(description)} ${questionLink(page, unstated)}
    ${sourceLinks(page, source)} ${noteList(notes)}
  </li>`;
}
