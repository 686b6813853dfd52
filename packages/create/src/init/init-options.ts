import type { Invocation } from 'countersign/companion/command';
import type { PackageManager } from 'countersign/companion/frameworks';
import type { AnswerOptions } from './ask.ts';

/** The questions about a contract that exists, of which a contract raises some. */
export const contractQuestionNames = [
  'layout',
  'scope',
  'framework',
  'target',
  'output',
  'kindsBy',
  'signature',
  'signatureHeader',
  'credentials',
  'credentialsHeader',
] as const;

export type ContractQuestionName = (typeof contractQuestionNames)[number];

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
