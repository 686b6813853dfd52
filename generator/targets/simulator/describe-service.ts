import type { ServiceData } from '@countersign/simulator';
import type { Contract } from '../../contract/contract.ts';
import { describeNotifications } from './describe-notifications.ts';
import { describeOperations } from './describe-operations.ts';
import { describeQuestions, describeSchemes } from './describe-security.ts';
import { describeTokenEndpoints } from './describe-token-endpoints.ts';
import { describeWorkflows } from '../printing/describe-workflows.ts';
import { parameterSchemas, type ParameterSchemas } from './parameter-schemas.ts';
import type { Samples } from './samples.ts';

/** Describes a contract for the simulator, as plain data. */
export function describeService(
  contract: Contract,
  samples: Samples,
  parameters: ParameterSchemas = parameterSchemas(contract),
): ServiceData {
  const {
    info: { title, version },
    servers: { overrides },
  } = contract;
  const endpoints = describeTokenEndpoints(contract);
  return {
    modelVersion: 1,
    info: { title, version },
    operations: [...describeOperations(contract, parameters, samples), ...endpoints.operations],
    ...(overrides.length === 0 ? {} : { servers: overrides.map(({ key }) => key) }),
    ...(endpoints.operations.length === 0 ? {} : { tokenEndpoints: endpoints.paths }),
    notifications: describeNotifications(contract, samples),
    ...describeSchemes(contract, endpoints),
    unstated: describeQuestions(contract),
    workflows: describeWorkflows(contract),
  };
}

/** Returns the names of all checks that a description refers to. */
export function checksOf({ operations, notifications }: ServiceData): ReadonlySet<string> {
  const media = operations.flatMap(({ requestBody, responses }) => [
    ...(requestBody?.content ?? []),
    ...responses.flatMap(({ content }) => content),
  ]);
  const names = [
    ...operations.map(({ parameterCheck }) => parameterCheck),
    ...media.map(({ schema }) => schema),
    ...notifications.map(({ check }) => check),
  ];
  return new Set(names.filter((name) => name !== undefined));
}
