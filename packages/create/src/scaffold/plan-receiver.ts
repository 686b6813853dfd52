import { receiverQuestions } from 'countersign/companion/printing';
import { type Code, code, type Contract, identifier, literal } from 'countersign/kit';
import { planAuthentication } from './authentication.ts';
import type { ScaffoldFramework } from './frameworks.ts';
import type { Answers, AuthenticationPlan } from './proofs/plan.ts';
import { toCommentLines } from './template-data.ts';

/** A receiver in one file of an application that has the generated code in a folder. */
export interface ReceiverFile {
  readonly framework: ScaffoldFramework;
  /** One of `authenticationChoices`. */
  readonly authentication: string;
  readonly answers: Answers;
  /** The path of the generated code from the file, with `/`. */
  readonly output: string;
  /** What relative imports end with. Default: `.js`. */
  readonly importExtension?: string;
}

/**
 * Plans the file of a receiver: what its template renders, and how it authenticates. Returns `undefined` if the framework
 * needs more than a file, or the contract has open questions without an assumption.
 */
export function planReceiver(
  contract: Contract,
  { framework, authentication, answers, output, importExtension = '.js' }: ReceiverFile,
): { readonly data: object; readonly strategy: AuthenticationPlan } | undefined {
  if (framework.handlers !== 'functions' || framework.secrets !== 'process') return undefined;
  const strategy = planAuthentication(contract, authentication, answers);
  const questions = [...receiverQuestions(contract).options, ...strategy.questions];
  if (questions.some(({ optional: hasDefault }) => !hasDefault)) return undefined;
  const read = (variable: string): Code => code`process.env[${literal(variable)}] ?? ''`;
  return {
    strategy,
    data: {
      factory: framework.factory,
      strategy: strategy.strategy,
      receiverModule: `${output}/${framework.target}/index${importExtension}`,
      authenticate: strategy.create(read),
      aboutAuthentication: toCommentLines(strategy.about),
      options: Object.entries(framework.options ?? {}).map(
        ([name, value]) => code`${identifier(name)}: ${literal(value)}`,
      ),
    },
  };
}
