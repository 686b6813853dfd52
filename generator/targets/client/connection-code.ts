import type { Contract } from '../../contract/contract.ts';
import { type Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { describeSecurity, type SecurityCode } from './credentials.ts';
import { answersCode, collectOptions, type LedgerOptions } from './ledger-options.ts';
import { describeParameter, everyRequestParameters, isAddress } from './operation-data.ts';
import type { PlannedOperation } from './plan.ts';
import { usedSchemes } from './used-schemes.ts';

/** Everything that the module of the connection says. */
export interface ConnectionCode {
  readonly options: LedgerOptions;
  readonly security: SecurityCode;
  /** What the runtime is told of the contract: values of every request, schemes, inputs. */
  readonly service: Code;
  /** What the client's options say to the questions of the contract; left out where there are none. */
  readonly answers: Code | undefined;
  readonly imports: readonly string[];
  /** The address where the contract has one that needs nothing filled in. */
  readonly address: string | undefined;
}

/** Describes for the runtime what the contract says about every call. */
export function describeConnection(
  contract: Contract,
  planned: readonly PlannedOperation[],
): ConnectionCode {
  const options = collectOptions(contract, usedSchemes(contract, planned));
  const security = describeSecurity(contract, planned, options);
  const imports = new Set(security.imports);
  const use = (name: string): Code => {
    imports.add(name);
    return identifier(name);
  };
  const values = Array.from(everyRequestParameters(contract).values(), (parameter) => {
    const { everyRequest, name } = parameter;
    const format = timestampFormat(contract, name, options);
    return describeParameter(parameter, use, [
      code`value: ${options.valueOf(everyRequest?.value ?? 'uuid')}`,
      code`retry: ${options.valueOf(everyRequest?.retry ?? 'keep')}`,
      ...(format === undefined ? [] : [code`format: ${format}`]),
    ]);
  });
  const entries = (list: readonly { readonly id: string; readonly text: Code }[]): Code =>
    joinCode(
      list.map(({ id, text }) => code`${memberName(id)}: ${text}`),
      ', ',
    );
  const usual = (contract.defaultSecurity ?? []).map((schemes) =>
    schemes.map(({ scheme }) => scheme),
  );
  const service = joinCode(
    [
      code`everyRequest: [${joinCode(values, ', ')}]`,
      code`schemes: { ${entries(security.schemes)} }`,
      code`security: ${literal(usual)}`,
      ...(security.inputs.length === 0 ? [] : [code`inputs: { ${entries(security.inputs)} }`]),
    ],
    ', ',
  );
  if (options.entries.some(({ choices }) => choices.length > 0)) use('choose');
  const [server] = contract.info.servers;
  return {
    options,
    security,
    service: code`{ ${service} }`,
    answers:
      options.entries.length === 0
        ? undefined
        : code`{ ${joinCode(answersCode(options.entries), ', ')} }`,
    imports: [...imports],
    address: server !== undefined && isAddress(server) ? server.url : undefined,
  };
}

/** A timestamp is written as the signature that covers it says; the contract says it nowhere else. */
function timestampFormat(
  contract: Contract,
  name: string,
  { valueOf }: LedgerOptions,
): Code | undefined {
  const timestamp = contract.security
    .map(({ signature }) => signature?.timestamp)
    .find((candidate) => candidate?.header?.toLowerCase() === name.toLowerCase());
  return timestamp === undefined ? undefined : valueOf(timestamp.format);
}
