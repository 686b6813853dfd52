import { proofsOf } from '../../contract/authentication.ts';
import type { Contract, SecurityScheme, Unstated } from '../../contract/contract.ts';
import { entriesAt, isStatedAt, openEntries } from '../../contract/ledger-entries.ts';
import { openIdsIn } from '../../contract/open-values.ts';
import { oneLine } from '../package/prose.ts';
import type { ConnectionCode } from '../printing/connection-code.ts';
import { everyRequestParameters } from '../printing/operation-data.ts';

/**
 * Describes for the README what to compare after a call was refused, and how a secret is replaced.
 * @param schemes the security schemes that calls use
 */
export function describeRefusals(
  contract: Contract,
  schemes: readonly SecurityScheme[],
  { questions, security }: ConnectionCode,
): object {
  const signatures = schemes.flatMap(({ signature }) => signature ?? []);
  const optionsFor = (...values: readonly (object | undefined)[]): readonly string[] => {
    const ids = new Set(values.flatMap((value) => (value === undefined ? [] : openIdsIn(value))));
    return questions.options.filter(({ entry }) => ids.has(entry.id)).map(({ name }) => name);
  };
  const timeOptions = optionsFor(...signatures.map(({ timestamp }) => timestamp));
  const parameters = [...everyRequestParameters(contract).values()];
  const optionIds = new Set(questions.options.map(({ entry }) => entry.id));
  const withoutOption = openEntries(contract).filter(({ id }) => !optionIds.has(id));
  const ofSchemes = new Set(
    entriesAt(contract, ...schemes.map(({ pointer }) => pointer)).filter(isDocumentation),
  );
  return {
    secrets: security.credentials
      .filter(({ isPublic }) => isPublic !== true)
      .map(({ name }) => name),
    tokenOptions: optionsFor(...schemes.map(({ accessToken }) => accessToken)),
    isTimed: signatures.some(({ timestamp }) => timestamp !== undefined),
    timeOptions,
    signatureOptions: optionsFor(...signatures).filter((name) => !timeOptions.includes(name)),
    ownHeaders: [
      ...schemes.flatMap(({ in: place, parameterName }) =>
        place === 'header' ? (parameterName ?? []) : [],
      ),
      ...parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
    ],
    verifiers: proofsOf(contract, 'signature')
      .filter(({ scheme, isPair }) => !isPair && schemes.some(({ id }) => id === scheme))
      .map(({ verify }) => verify),
    openAboutCalls: withoutOption
      .filter(
        (entry) =>
          !isDocumentation(entry) &&
          entry.choices.length === 0 &&
          contract.operations.some(({ pointer }) => isStatedAt(entry, pointer)),
      )
      .map(({ id }) => id),
    openAboutSecrets: withoutOption
      .filter((entry) => ofSchemes.has(entry))
      .map(({ id, question }) => ({ id, question: oneLine(question) })),
  };
}

function isDocumentation({ documentation }: Unstated): boolean {
  return documentation === true;
}
