import { shellWord } from 'countersign/companion/options';
import { printable } from 'countersign/companion/terminal';
import type { BodyFindings } from './check-body.ts';
import type { ComposedDelivery } from './compose-delivery.ts';
import type { SendFlags } from './send-options.ts';

/** Describes what keeps a receiver from handling a body as an event, in a line for each; empty where nothing does. */
export function describeFindings(
  event: string,
  { violations, identifiedAs }: BodyFindings,
): string {
  const name = printable(event);
  const lines = [];
  if (violations !== undefined)
    lines.push(`The body is not valid for ${name}: ${printable(violations)}.`);
  if (identifiedAs !== undefined)
    lines.push(
      identifiedAs.length === 0
        ? `The body does not have the members that identify ${name}, nor those of another kind.`
        : `The body does not have the members that identify ${name}, but those of ${printable(identifiedAs.join(', '))}.`,
    );
  return lines.map((line) => `warning: ${line} The delivery is sent.\n`).join('');
}

/**
 * Returns what to compare where a receiver does not accept the proof of origin: the variables that the secrets of a
 * delivery are in, by their names alone.
 */
export function describeProof(
  options: SendFlags,
  {
    keyVariables,
    lackingHeaders: lacking,
    lacksPublicUrl,
  }: Pick<ComposedDelivery, 'keyVariables' | 'lackingHeaders' | 'lacksPublicUrl'>,
): string {
  const variables = [
    ...keyVariables,
    ...(options.headerEnv ?? []).map(([, variable]) => variable),
    ...[options.pathSecretEnv].filter((variable) => variable !== undefined),
  ];
  const proofs = [
    ...(variables.length === 0 ? [] : [`${[...new Set(variables)].join(', ')} of this terminal`]),
    ...(options.clientCert === undefined ? [] : ['the certificate of --client-cert']),
  ];
  if (proofs.length === 0 && lacking.length > 0) {
    const flags = lacking.map(
      (name) => `--header-env ${shellWord(printable(`${name}=WEBHOOK_SECRET`))}`,
    );
    return `The receiver does not accept where the delivery comes from: the contract states a secret in a header, and no option gives it. Give the variable that has it with ${flags.join(' or ')}.`;
  }
  return proofs.length === 0
    ? 'The receiver does not accept where the delivery comes from: no option gives it a secret. Sign it with --sign, or give a secret with --header-env or --path-secret-env.'
    : `The receiver does not accept where the delivery comes from: compare ${proofs.join(' and ')} with what the receiver expects.${lacksPublicUrl ? ' The signature covers the host: give the `publicUrl` of the receiver with --public-url.' : ''}`;
}
