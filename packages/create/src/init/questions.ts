import { isReservedScope } from 'countersign/companion/application';
import { type PackageManager, packageManagerNames } from 'countersign/companion/frameworks';
import { chooseName } from 'countersign/companion/options';
import { CommandError } from 'countersign/companion/terminal';
import { frameworks } from '../scaffold/frameworks.ts';
import { isScopeOfDependency } from '../scaffold/package-name.ts';

/** The answers to all questions of `init`, and the package manager, which is not asked for. */
export type InitAnswers = Readonly<Record<QuestionName, string>> & {
  readonly manager: PackageManager;
};

type QuestionName = 'title' | 'scope' | 'framework' | 'ci';

/** A question whose answer is required to create a project. */
export interface Question<Name extends string = QuestionName> {
  /** The name of the question, which is that of its option in camel case. */
  readonly name: Name;
  readonly text: string;
  /** The answers to choose from; omitted for questions with free text. `<name>` at the end stands for a text. */
  readonly choices?: readonly string[];
  /** Whether several of the choices may be chosen, separated by commas. */
  readonly isSeveral?: boolean;
  /** Returns the default answer, given the previous answers; `undefined` if only the user can know it. */
  readonly propose: (before: Partial<Readonly<Record<Name, string>>>) => string | undefined;
  /** What a user has to know to answer, if nothing can be proposed. */
  readonly guidance?: string;
  /** Returns whether the question makes sense, given the previous answers; left out where it always does. */
  readonly isAsked?: (before: Partial<Readonly<Record<Name, string>>>) => boolean;
  /** The option that an answer to this question requires, as a command line has it, such as `--layout packages`. */
  readonly requires?: string;
  /**
   * Parses and validates an answer.
   * @throws CommandError `usage` for an invalid answer
   */
  readonly read: (text: string) => string;
}

/** The folder of the receiving application in a new project. */
export const receiverFolder = 'apps/receiver';

/** The path of the pipeline file, by CI provider. */
export const ciFiles: ReadonlyMap<string, string> = new Map([
  ['github', '.github/workflows/contract.yml'],
  ['gitlab', '.gitlab-ci.yml'],
]);

/** All questions in the order in which they are asked. A default can depend on the previous answers. */
export const questions: readonly Question[] = [
  {
    name: 'title',
    text: 'What is the service called?',
    propose: () => 'Orders',
    read(text) {
      if (/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(text)) return text;
      throw new CommandError('usage', 'The title must be one line of at most 100 characters.');
    },
  },
  {
    name: 'scope',
    text: 'What is the npm scope of its packages?',
    propose({ title = '' }) {
      const scope = `@${toSlug(title)}`;
      return isReservedScope(scope) ? `${scope}-service` : scope;
    },
    read: readScope,
  },
  choice(
    'framework',
    'Which framework receives its notifications?',
    frameworks.map(({ name }) => name),
    'node',
  ),
  choice('ci', 'Which CI provider checks each change?', [...ciFiles.keys(), 'none'], 'github'),
];

/**
 * Returns the package manager of a new project: the given one, or the one that runs the command.
 * @param agent the environment variable `npm_config_user_agent`, such as `pnpm/12.1.0 npm/? node/v24.0.0`
 */
export function chooseManager(manager: PackageManager | undefined, agent = ''): PackageManager {
  if (manager !== undefined) return manager;
  const running = packageManagerNames.find((name) => agent.startsWith(`${name}/`)) ?? 'npm';
  // Yarn 1 has no `workspace:*`, and not the commands of later versions.
  return agent.startsWith('yarn/1.') ? 'npm' : running;
}

/**
 * Reads the npm scope of packages.
 * @throws CommandError `usage`
 */
export function readScope(text: string): string {
  if (!/^@[a-z0-9][a-z0-9._-]{0,99}$/u.test(text))
    throw new CommandError('usage', 'The scope must be `@` and a lower-case name, such as @acme.');
  if (!isReservedScope(text) && !isScopeOfDependency(text)) return text;
  throw new CommandError(
    'usage',
    `The scope ${text} has packages that the project needs. Choose another one, such as @acme.`,
  );
}

/** Creates a question with a few answers. */
export function choice<Name extends string>(
  name: Name,
  text: string,
  choices: readonly string[],
  proposal: string,
): Question<Name> {
  return {
    name,
    text,
    choices,
    propose: () => proposal,
    read: (answer) => chooseName(name, answer, choices),
  };
}

/**
 * Converts a title to a name that npm accepts.
 * @param otherwise the name for a title without letters and digits of ASCII
 */
export function toSlug(title: string, otherwise: string = 'orders'): string {
  const slug = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/gu, '');
  return slug === '' ? otherwise : slug;
}
