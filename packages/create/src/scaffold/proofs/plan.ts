import type { ReadyProof } from 'countersign/companion/deliveries';
import type { AskedOption, StrategyCode } from 'countersign/companion/printing';
import { secretVariable } from 'countersign/companion/secrets';
import { type Code, literal, object } from 'countersign/kit';

/** How an application authenticates deliveries, and the code and settings for that. */
export interface AuthenticationPlan extends StrategyCode {
  /** A description of the strategy in one or two sentences. */
  readonly about: string;
  /** The environment variables that the strategy needs. */
  readonly variables: readonly Variable[];
  /** The ledger entries that the strategy depends on. */
  readonly questions: readonly AskedOption[];
  /** The address that senders call in tests; `undefined` if no signature covers the whole URL. */
  readonly publicUrl?: string;
  /** How the simulator authenticates its deliveries in tests: an object. */
  readonly simulated: Code;
  /** The options that make `countersign send` and `countersign simulate` authenticate in the same way. */
  readonly sendOptions: readonly string[];
}

/** An environment variable and its value in tests. */
export interface Variable {
  readonly name: string;
  readonly about: string;
  readonly inTests: string;
}

/** Choices by the id of the ledger entry that they answer. */
export type Answers = ReadonlyMap<string, string>;

/** Returns the answers as members of an options object. Omits options without an answer, which use the assumption. */
export function answerMembers(
  options: readonly AskedOption[],
  answers: Answers,
): readonly (readonly [name: string, answer: Code])[] {
  return options.flatMap(({ name, entry }) => {
    const answer = answers.get(entry.id);
    return answer === undefined ? [] : [[name, literal(answer)] as const];
  });
}

/**
 * Returns an option with a name of the contract, which the commands need if they would send another proof by themselves; none
 * if a shell could read this name as something else.
 */
export function wordsOf(option: string, name: string, rest = ''): readonly string[] {
  return isPlainWord(name) ? [option, `${name}${rest}`] : [];
}

/** The secret in the tests of an application. */
export const secretInTests = 'only for tests';

/** Returns the subject of a sentence about what deliveries carry by what the contract states. */
export function deliveriesWith({ notRequiredBy }: ReadyProof): string {
  return notRequiredBy.length === 0 ? 'Every delivery carries' : 'Some deliveries carry';
}

/** What a secret in a header needs, whether the contract states it or not. */
export function secretSettings(
  header: string,
): Pick<AuthenticationPlan, 'variables' | 'questions' | 'simulated' | 'sendOptions'> {
  return {
    variables: [
      {
        name: secretVariable,
        about: `The secret that every delivery carries in the header ${header}: long and random.`,
        inTests: secretInTests,
      },
    ],
    questions: [],
    simulated: object({ headers: object([[header, literal(secretInTests)]]) }),
    sendOptions: ['--header-env', `${header}=${secretVariable}`],
  };
}

/**
 * Returns whether a name of a contract may be a word of a command. Such a word has the same meaning for every shell and
 * as an argument, so that it needs no quotes: npm runs scripts with `sh` or with `cmd.exe`, which quote differently.
 */
function isPlainWord(name: string): boolean {
  return /^[A-Za-z\d][\w.-]*$/u.test(name);
}
