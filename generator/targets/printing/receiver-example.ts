import type { Contract } from '../../contract/contract.ts';
import { code, type Code } from '../code.ts';
import { identifier, literal } from '../escape.ts';
import { proofsOf } from '../../contract/authentication.ts';
import { eventsOf } from '../../contract/events.ts';
import { proofPrinters } from './proofs/printers.ts';
import { receiverQuestions } from './receiver-questions.ts';
import { sharedSecretCode, type StrategyCode } from './strategy-code.ts';

/** The example of a receiver for pages, and of a delivery that it accepts if every secret is `secret`. */
interface ReceiverExample extends Omit<StrategyCode, 'create'> {
  /** The strategy, with secrets from `process.env`. */
  readonly authenticate: Code;
  /** The strategy, with secrets from the `env` that Workers receive. */
  readonly authenticateOfEnvironment: Code;
  /** The names of the environment variables with secrets. */
  readonly secrets: readonly string[];
  /** Options for open questions without an assumed answer. */
  readonly answers: readonly Code[];
  /** The first kind that has an example; `undefined` where there is none. */
  readonly first: { readonly name: string; readonly eventType: string } | undefined;
  /** Whether the contract states a secret in the path. */
  readonly hasPathSecret: boolean;
}

/**
 * Describes an example with the signature or secret that the contract states for notifications, or else a secret in a
 * header.
 */
export function describeExample(contract: Contract): ReceiverExample {
  const kind = eventsOf(contract).kinds.find(
    ({ notification }) => notification.examples.length > 0,
  );
  const { create, strategy, signer, proof } = chooseStrategy(contract);
  const answers = receiverQuestions(contract).required();
  const secrets = new Set<string>();
  return {
    strategy,
    signer,
    proof,
    authenticate: create((name) => code`process.env[${literal(name)}] ?? ''`),
    authenticateOfEnvironment: create((name) => {
      secrets.add(name);
      return code`env.${identifier(name)}`;
    }),
    secrets: [...secrets],
    answers: answers.map(([name, answer]) => code`${identifier(name)}: ${answer}`),
    first: kind && { name: kind.notification.name, eventType: kind.eventType },
    hasPathSecret: proofsOf(contract, 'secret').some(({ place }) => place === 'path'),
  };
}

/** Chooses the strategy that is preferred. One beside other schemes is an example only if nothing else is stated. */
function chooseStrategy(contract: Contract): StrategyCode {
  const stated = proofPrinters.flatMap((printer) => printer.example(contract) ?? []);
  return stated.find(({ isPreferred }) => isPreferred) ?? stated[0] ?? sharedSecretCode('secret');
}
