import type { CheckStep } from '../entry.ts';
import type { ServedOperation, Service } from '../service.ts';
import { invalid } from './body-check.ts';
import type { Parameters } from './decode-parameters.ts';
import { failed, passed } from './scheme-check.ts';

/** Compiles the check of decoded parameters. */
export function compileParameterCheck(
  { name: operation, parameters }: ServedOperation,
  { parameterChecks }: Pick<Service, 'parameterChecks'>,
): (values: Parameters) => readonly CheckStep[] {
  const required = parameters.filter((parameter) => parameter.required);
  const check = parameterChecks.get(operation);
  const ok = parameters.length === 0 ? [] : [passed('parameters', 'The parameters are valid.')];
  return (values) => {
    const missing = required.filter(
      ({ name, in: place }) =>
        !Object.hasOwn(values[place], place === 'header' ? name.toLowerCase() : name),
    );
    const [first] = missing;
    if (first !== undefined) {
      const names = missing.map(
        (parameter) =>
          `${parameter.in === 'path' ? 'path parameter' : parameter.in === 'query' ? 'query parameter' : parameter.in} \`${parameter.name}\``,
      );
      return [
        failed(
          'parameters',
          `missing-${first.in === 'header' || first.in === 'cookie' ? first.in : `${first.in}-parameter`}`,
          `Missing: the ${names.join(', the ')}.`,
          `Send the ${names.join(' and the ')} with every call of this operation.`,
        ),
      ];
    }
    return check === undefined || check.accepts(values)
      ? ok
      : [invalid('parameters', 'invalid-parameters', 'The parameters', check.violations(values))];
  };
}
