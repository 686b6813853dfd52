import type { Contract } from '../contract/contract.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { NameIndex } from '../diagnostics/name-index.ts';
import { quote } from '../diagnostics/quote.ts';
import { memoize } from '../execution/memoize.ts';
import type { Cursor } from '../json/cursor.ts';
import { pointerMembers } from '../json/pointer.ts';
import type { Documents } from '../documents/documents.ts';
import { cursorAt } from '../documents/places.ts';
import {
  stepReference,
  undescribedSteps,
  usesVocabularyAt,
  workflowReferences,
  workflowsOf,
} from '../documents/workflow-references.ts';
import type { ContractRule, Finding } from './rule.ts';
import { sourceDocumentOf } from './source-document.ts';

/**
 * Checks that every reference of a workflow names a part of the contract, and that workflows cite the source document.
 */
export const workflows: ContractRule = {
  codes: ['undeclared-name', 'missing-source'],
  *check({ documents, contract }) {
    const ledger = new Set(contract.unstated.map(idOf));
    const ledgerIndex = new NameIndex(ledger);
    const indexOf = memoize(({ names }: Referent) => new NameIndex(names({ documents, contract })));
    for (const workflow of workflowsOf(documents)) {
      for (const { unknown } of workflowReferences(documents, workflow)) {
        for (const at of unknown) yield undeclared(at, indexOf);
      }
      yield* checkNotes(documents, workflow, { ids: ledger, index: ledgerIndex });
      yield* checkCitations(documents, workflow);
    }
    yield* checkActions(documents, contract);
  },
};

/** What the members of a workflow name, and the known names. */
const referents: Readonly<Record<string, Referent>> = {
  operationId: { what: 'operation', names: ({ contract }) => contract.operations.map(idOf) },
  operationPath: { what: 'operation', names: () => [] },
  channelPath: {
    what: 'channel with messages',
    names: ({ documents }) =>
      cursorAt(documents, 'asyncapi#/channels')
        .entries()
        .map(([name]) => name),
  },
  'x-messages': {
    what: 'message of the channel',
    names: ({ contract }) => contract.notifications.map(idOf),
  },
};

interface Referent {
  readonly what: string;
  readonly names: (from: Referable) => readonly string[];
}

interface Referable {
  readonly documents: Documents;
  readonly contract: Contract;
}

const workflowReferent: Referent = {
  what: 'workflow',
  names: ({ contract }) => contract.workflows.map(idOf),
};

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function undeclared(at: Cursor, indexOf: (referent: Referent) => NameIndex): Finding {
  const name = at.text();
  if (name === undefined) {
    const message = `The step ${quote(at.text('stepId') ?? '')} names no operation, channel or workflow of the contract.`;
    return { pointer: at.pointer, message };
  }
  const member = pointerMembers(at.pointer).findLast((candidate) =>
    Object.hasOwn(referents, candidate),
  );
  const referent = referents[member ?? ''] ?? workflowReferent;
  const last = /[^./]*$/u.exec(name)?.[0] ?? '';
  const message = `There is no ${referent.what} ${quote(name)} in the contract.`;
  return { pointer: at.pointer, message, help: didYouMean(last, indexOf(referent)) };
}

/** Ids that can be named, and their index. */
interface Names {
  readonly ids: ReadonlySet<string>;
  readonly index: NameIndex;
}

/** Checks that each step of `x-undescribed` is beside a step of the workflow, and names a ledger entry. */
function* checkNotes(documents: Documents, workflow: Cursor, ledger: Names): Iterable<Finding> {
  const stepIds = new Set(workflow.items('steps').map((step) => step.text('stepId') ?? ''));
  const steps: Names = { ids: stepIds, index: new NameIndex(stepIds) };
  for (const note of undescribedSteps(documents, workflow)) {
    const names = [
      { at: note.child('before'), known: steps, words: 'No step of the workflow has the id' },
      { at: note.child('after'), known: steps, words: 'No step of the workflow has the id' },
      { at: note.child('unstated'), known: ledger, words: 'No entry of `x-unstated` has the id' },
    ];
    for (const { at, known, words } of names) {
      const name = at.text();
      if (name === undefined || known.ids.has(name)) continue;
      const message = `${words} ${quote(name)}.`;
      const help = didYouMean(name, known.index);
      yield { pointer: at.pointer, message, help };
    }
  }
}

function* checkCitations(documents: Documents, workflow: Cursor): Iterable<Finding> {
  const source = sourceDocumentOf(documents);
  if (source === undefined || !usesVocabularyAt(documents, workflow)) return;
  const id = quote(workflow.text('workflowId') ?? '');
  const facts = [
    [`The workflow ${id}`, workflow] as const,
    ...undescribedSteps(documents, workflow).map(
      (note) => [`An undescribed step of the workflow ${id}`, note] as const,
    ),
  ];
  for (const [what, at] of facts) {
    if (at.valueIn('x-source') !== undefined) continue;
    const message = `${what} cites no section of ${quote(source)}.`;
    yield { code: 'missing-source', pointer: at.pointer, message };
  }
}

/** Checks that `action` states the direction in which the messages of a channel are sent. */
function* checkActions(documents: Documents, { workflows: all }: Contract): Iterable<Finding> {
  for (const step of all.flatMap(({ steps }) => steps)) {
    if (step.kind === 'note' || step.targets.length > 0) continue;
    const at = cursorAt(documents, step.pointer);
    if (stepReference(documents, at).unknown.length > 0) continue;
    yield {
      pointer: at.child('action').pointer,
      message: `The step ${quote(step.id)} has the wrong \`action\`: the integrator ${step.kind === 'send' ? 'sends' : 'receives'} no message of the channel.`,
      help: 'Write the `action` from the side of the integrator.',
    };
  }
}
