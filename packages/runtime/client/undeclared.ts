import { ClientError } from './client-error.ts';
import type { Input, OperationData, ParameterDescription } from './operation.ts';
import { cookie, form, simple } from './styles.ts';

/**
 * Returns the description of a call that the contract does not declare. Parameters have OpenAPI's default styles.
 * @throws ClientError `invalid-input` for a method that is not letters only
 */
export function toUndeclared(method: string, path: string, input: Input): OperationData {
  const upper = method.toUpperCase();
  if (!/^[A-Z]+$/.test(upper)) {
    throw new ClientError('invalid-input', 'The HTTP method must consist of letters.');
  }
  return {
    id: `${upper} ${path}`,
    method: upper,
    path,
    parameters: (['path', 'query', 'headers', 'cookies'] as const).flatMap((place) =>
      Object.keys(input[place] ?? {}).map((name): ParameterDescription =>
        place === 'path' || place === 'headers'
          ? { in: place, name, style: simple }
          : { in: place, name, style: place === 'query' ? form : cookie, explode: true },
      ),
    ),
  };
}
