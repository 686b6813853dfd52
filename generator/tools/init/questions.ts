import { CommandError } from '../command-error.ts';
import { noSuch } from '../no-such.ts';
import { frameworks } from '../scaffold/frameworks.ts';

/** What a new project is made for: an answer to every question. */
export type InitAnswers = Readonly<Record<QuestionName, string>>;

export type QuestionName = 'title' | 'scope' | 'framework' | 'ci';

/** Something that has to be known before a project can be written. */
export interface Question {
  /** Its flag as well, behind `--`. */
  readonly name: QuestionName;
  readonly text: string;
  /** What else can be answered is no answer; left out where nearly all is. */
  readonly choices?: readonly string[];
  /** What is taken where nobody says anything else. */
  readonly propose: (before: Partial<InitAnswers>) => string;
  /**
   * The answer that a text means.
   * @throws CommandError `usage`
   */
  readonly read: (text: string) => string;
}

/** Where the steps of CI are written for whom. */
export const ciFiles: ReadonlyMap<string, string> = new Map([
  ['github', '.github/workflows/contract.yml'],
  ['gitlab', '.gitlab-ci.yml'],
]);

/** Every question, in the order in which they are asked: a proposal may depend on the answers before. */
export const questions: readonly Question[] = [
  {
    name: 'title',
    text: 'What is the service called?',
    propose: () => 'Orders',
    read(text) {
      if (/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(text)) return text;
      throw new CommandError('usage', 'A title is a line of at most 100 characters.');
    },
  },
  {
    name: 'scope',
    text: 'Which npm scope do its packages have?',
    propose: ({ title = '' }) => `@${toSlug(title)}`,
    read(text) {
      if (/^@[a-z0-9][a-z0-9._-]{0,99}$/u.test(text)) return text;
      throw new CommandError('usage', 'A scope is `@` and a name in lower case, such as @acme.');
    },
  },
  choice(
    'framework',
    'What receives its notifications?',
    frameworks.map(({ name }) => name),
    'node',
  ),
  choice('ci', 'What checks each change?', [...ciFiles.keys(), 'none'], 'github'),
];

function choice(
  name: QuestionName,
  text: string,
  choices: readonly string[],
  proposal: string,
): Question {
  return {
    name,
    text,
    choices,
    propose: () => proposal,
    read(given) {
      if (choices.includes(given)) return given;
      throw noSuch(name, given, choices);
    },
  };
}

/** A name that npm takes, made from a title. */
export function toSlug(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/gu, '');
  return slug === '' ? 'orders' : slug;
}
