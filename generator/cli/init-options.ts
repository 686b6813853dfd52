import type { PackageManager } from '../execution/package-managers.ts';
import type { ContractQuestionName } from '../tools/init/contract/contract-questions.ts';
import type { AnswerOptions } from './ask.ts';
import type { Invocation } from './command.ts';

/** The options of `init`. */
interface InitOptions extends AnswerOptions<ContractQuestionName | 'perspective' | 'title'> {
  readonly ci?: string;
  readonly contract?: readonly string[];
  readonly overlay?: readonly string[];
  readonly contractFolder?: string;
  readonly manager?: PackageManager;
}

/** The command line of `init`. */
export type InitInvocation = Invocation<InitOptions, readonly [directory: string | undefined]>;
