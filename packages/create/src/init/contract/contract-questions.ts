import { targetNames } from 'countersign';
import { targetsFor } from 'countersign/companion/application';
import {
  type DeclaredProof,
  describeProofPlace,
  nounOf,
  proofsOf,
  readyProofs,
  schemesOfNotifications,
  statesCredentials,
  verifiableProofs,
} from 'countersign/companion/deliveries';
import { chooseName, createUnknownNameError } from 'countersign/companion/options';
import { CommandError } from 'countersign/companion/terminal';
import type { Contract } from 'countersign/kit';
import { frameworks } from '../../scaffold/frameworks.ts';
import type { ContractQuestionName } from '../init-options.ts';
import { choice, type Question, readScope } from '../questions.ts';
import type { ContractFacts } from './contract-facts.ts';
import { readProofPlace, recognizeForm, writeProofPlace } from './signatures.ts';

type ContractQuestion = Question<ContractQuestionName>;

export type ContractAnswers = Partial<Readonly<Record<ContractQuestionName, string>>>;

/** The question about the side of the documents, whose answer decides what the messages of AsyncAPI are. */
export const perspectiveQuestion: Question<'perspective'> = choice(
  'perspective',
  'Whose view do the documents have?',
  ['service', 'integrator'],
  'service',
);

/** The answers that name no form of a proof. */
export const asStated = 'stated';
export const sharedSecret = 'shared-secret';

/** Returns the questions that a contract and a folder raise, in the order in which they are asked. */
export function contractQuestions(facts: ContractFacts): readonly ContractQuestion[] {
  const { contract, isIndistinct, folder } = facts;
  const receives = contract.notifications.length > 0;
  return [
    choice(
      'layout',
      'Is the code a folder of one application, or packages for several?',
      ['folder', 'packages'],
      folder.packages === undefined ? 'packages' : 'folder',
    ),
    {
      name: 'scope',
      text: 'What is the npm scope of the packages?',
      isAsked: ({ layout }) => layout === 'packages',
      requires: '--layout packages',
      // The title is a text of the contract. Its author could own the scope in a registry.
      propose: () => folder.scope,
      guidance: 'Use a scope that your team owns, such as --scope @acme.',
      read: readScope,
    },
    ...(receives ? [frameworkQuestion(facts)] : []),
    {
      name: 'target',
      text: 'What is generated?',
      choices: targetNames,
      isSeveral: true,
      propose: ({ layout, framework }) => proposeTargets(facts, layout, framework).join(', '),
      read: readTargets,
    },
    {
      name: 'output',
      text: 'Which folder is for generated code only?',
      propose: ({ layout }) =>
        layout === 'folder' && folder.hasSources ? 'src/generated' : 'generated',
      read: readFolder,
    },
    ...(isIndistinct ? [kindsQuestion] : []),
    ...(receives ? signatureQuestions(facts) : []),
    ...credentialQuestions(facts),
  ];
}

/** The questions that not every contract raises. */
type RaisedQuestionName = Exclude<ContractQuestionName, 'layout' | 'scope' | 'target' | 'output'>;

/** Why a contract does not raise a question. */
const reasons: Readonly<Record<RaisedQuestionName, string>> = {
  framework: 'it has no notifications',
  kindsBy: 'it distinguishes its notifications',
  signature: 'it has no notifications',
  signatureHeader: 'it has no notifications',
  credentials: 'it has no calls, or declares their credentials',
  credentialsHeader: 'it has no calls, or declares their credentials',
};

/** The answers that add nothing to a contract, so that they are true of every one. */
const additionless: ReadonlySet<unknown> = new Set(['none', 'contract', asStated, sharedSecret]);

/**
 * Checks that options answer questions which the contract raises.
 * @param options the options by the name of their question
 * @param shown returns an option as the command line has it
 * @throws CommandError `usage` for an answer that would be ignored
 */
export function assertRaised(
  questions: readonly ContractQuestion[],
  options: Partial<Readonly<Record<RaisedQuestionName, unknown>>>,
  shown: (name: string) => string,
): void {
  const raised: ReadonlySet<string> = new Set(questions.map(({ name }) => name));
  for (const name of Object.keys(reasons) as RaisedQuestionName[]) {
    const answer = options[name];
    if (answer === undefined || raised.has(name) || additionless.has(answer)) continue;
    throw new CommandError(
      'usage',
      `${shown(name)} has no use with this contract: ${reasons[name]}.`,
    );
  }
}

function frameworkQuestion({ folder }: ContractFacts): ContractQuestion {
  const used = frameworks.find(({ name, dependencies }) =>
    [name, ...Object.keys(dependencies)].some((packageName) => folder.packages?.has(packageName)),
  );
  return choice(
    'framework',
    'Which framework receives its notifications?',
    [...frameworks.map(({ name }) => name), 'none'],
    used?.name ?? 'node',
  );
}

function proposeTargets(
  { contract }: ContractFacts,
  layout: string | undefined,
  framework: string | undefined,
): readonly string[] {
  const receiver = frameworks.find(({ name }) => name === framework)?.target;
  const targets = targetsFor(contract, receiver);
  if (layout === 'folder') return targets;
  // Without calls and notifications, there is nothing to simulate.
  return [...targets, ...(targets.length > 1 ? ['simulator'] : []), 'reference'];
}

function readTargets(text: string): string {
  const names = text.split(/[\s,]+/u).filter((name) => name !== '');
  for (const name of names) chooseName('target', name, targetNames);
  if (names.length === 0) throw new CommandError('usage', 'Name at least one target.');
  return [...new Set(names)].join(', ');
}

function readFolder(text: string): string {
  const folder = text.replace(/\/+$/u, '');
  if (/^(?!\.\.?(?:\/|$))[^\p{C}\\:/][^\p{C}\\:]*$/u.test(folder) && !folder.includes('/../'))
    return folder;
  throw new CommandError('usage', 'The output must be a folder of the project, such as generated.');
}

const kindsQuestion: ContractQuestion = {
  name: 'kindsBy',
  text: 'What decides the kind of a notification?',
  choices: ['contract', 'header:<name>', 'member:<name>', 'path', 'none'],
  propose: () => 'contract',
  read(text) {
    if (/^(?:contract|path|none|header:[\w!#$%&'*+.^`|~-]+|member:[^\p{C}]+)$/u.test(text))
      return text;
    const [, place] = /^(header|member):?$/u.exec(text) ?? [];
    if (place !== undefined)
      throw new CommandError(
        'usage',
        `The answer "${place}" has no name: write ${place}:<name>, such as ${place === 'header' ? 'header:x-event' : 'member:type'}.`,
      );
    throw new CommandError(
      'usage',
      'The kind is decided by contract, header:<name>, member:<name>, path or none.',
    );
  },
};

/** Returns the expression of an answer to the question about kinds; `undefined` for `contract` and `none`. */
export function kindExpression(answer: string): string | undefined {
  const [, place, name = ''] = /^(header|member):(.+)$/u.exec(answer) ?? [];
  if (place === 'header') return `$request.header.${name}`;
  if (place === 'member') return `$request.body#/${name.replace(/^\//u, '')}`;
  return answer === 'path' ? '$url.path' : undefined;
}

function signatureQuestions({ contract, forms }: ContractFacts): readonly ContractQuestion[] {
  const stated = verifiableProofs(contract);
  const isStated = stated.length > 0;
  const { isUnstated } = contract.authentication;
  const declared = declaredPlaces(contract);
  const [recognized] = declared.flatMap((proof) => recognizeForm(proof) ?? []);
  const isAsked = ({ signature = '' }: ContractAnswers): boolean => forms[signature] !== undefined;
  // Signatures that the contract has, but not for notifications.
  const others = readyProofs(contract.authentication).flatMap(
    ({ isStated: isOfDeliveries, scheme }) =>
      isOfDeliveries || Object.hasOwn(forms, scheme) ? [] : [scheme],
  );
  const added = [sharedSecret, ...others, ...Object.keys(forms)];
  const choices = [...(isStated ? [asStated] : []), ...added];
  return [
    {
      ...choice(
        'signature',
        ['How does a delivery prove its sender?', ...describeDeclared(declared)].join(' '),
        choices,
        isStated ? asStated : sharedSecret,
      ),
      // A proof that nobody confirmed would refuse every real delivery, and its tests would pass.
      ...(isUnstated
        ? {
            propose: ({ framework }: ContractAnswers) =>
              framework === 'none' ? sharedSecret : recognized,
            guidance: [
              'The contract does not say how a delivery is authenticated.',
              ...describeDeclared(declared),
              `There are: ${added.join(', ')}.`,
            ].join(' '),
          }
        : {}),
      read(answer) {
        if (choices.includes(answer)) return answer;
        if (answer === asStated)
          throw new CommandError(
            'usage',
            `${describeUnusable(contract)} There are: ${added.join(', ')}.`,
          );
        const { message } = createUnknownNameError('signature', answer, [asStated, ...added]);
        const sentences = stated.map(
          (proof) =>
            ` This contract needs none: it states ${nounOf(proof)} ${proof.scheme}, which \`${proof.verify}\` of the generated package verifies.`,
        );
        throw new CommandError('usage', [message, ...sentences.slice(0, 1)].join(''));
      },
    },
    {
      name: 'signatureHeader',
      text: 'Which header has this proof? <name>; for a secret also query:<name>, cookie:<name>',
      isAsked,
      requires: `--signature <${Object.keys(forms).join('|')}>`,
      propose: ({ signature = '' }) =>
        statedHeader(contract) ?? placeFor(signature, declared) ?? forms[signature]?.name ?? '',
      read: readPlace,
    },
  ];
}

/** Returns the only header that the contract states for the proof of notifications, if there is one. */
function statedHeader(contract: Contract): string | undefined {
  const headers = schemesOfNotifications(contract).flatMap(({ in: place, parameterName }) =>
    place === 'header' && parameterName !== undefined ? [parameterName] : [],
  );
  const [header, ...rest] = new Set(headers);
  return rest.length === 0 ? header : undefined;
}

/** Returns why the proof of the contract cannot be taken as it is. */
function describeUnusable(contract: Contract): string {
  if (contract.authentication.isNone) return 'The contract states that deliveries need no proof.';
  const [unready] = proofsOf(contract, 'unready');
  return unready === undefined
    ? 'The contract does not say how a delivery is authenticated.'
    : `The contract states ${unready.scheme} for deliveries, ${unready.what}: generated code has no function for it.`;
}

/** Returns the declared proofs whose place can be written as an answer. */
function declaredPlaces({ authentication }: Contract): readonly DeclaredProof[] {
  return authentication.declared.filter(({ name }) => headerName.test(name));
}

/** Returns the declared place for a form: one with that form, or else one of its kind. Signatures are in headers. */
function placeFor(form: string, declared: readonly DeclaredProof[]): string | undefined {
  const isSecret = form === 'secret';
  const possible = isSecret ? declared : declared.filter(({ in: place }) => place === 'header');
  const found =
    possible.find((proof) => recognizeForm(proof) === form) ??
    possible.find(({ kind }) => (kind === 'secret') === isSecret) ??
    possible[0];
  return found && writeProofPlace(found);
}

function describeDeclared(declared: readonly DeclaredProof[]): readonly string[] {
  const names = declared.map((proof) => `${proof.name}${describeProofPlace(proof)}`).join(', ');
  if (declared.length === 0) return [];
  return [
    declared.length === 1
      ? `By its name, ${names} can be the proof.`
      : `By their names, ${names} can be the proof.`,
  ];
}

function credentialQuestions({ contract }: ContractFacts): readonly ContractQuestion[] {
  const { operations, security } = contract;
  if (operations.length === 0 || statesCredentials(contract)) return [];
  return [
    choice(
      'credentials',
      'Which credentials do calls carry?',
      ['none', ...credentialForms, ...security.map(({ id }) => id)],
      'none',
    ),
    {
      name: 'credentialsHeader',
      text: 'Which header has the key?',
      isAsked: ({ credentials }) => credentials === 'api-key',
      requires: '--credentials api-key',
      propose: () => 'x-api-key',
      read: readHeader,
    },
  ];
}

/** The credentials that a contract need not declare. */
export const credentialForms: readonly string[] = ['bearer', 'basic', 'api-key'];

const headerName = /^[\w!#$%&'*+.^`|~-]+$/u;

function readPlace(text: string): string {
  if (headerName.test(readProofPlace(text).name)) return text;
  throw new CommandError(
    'usage',
    'The place of the proof must be the name of a header, such as x-signature, or query:<name> or cookie:<name>.',
  );
}

function readHeader(text: string): string {
  if (headerName.test(text)) return text;
  throw new CommandError('usage', 'The header must be a name, such as x-signature.');
}
