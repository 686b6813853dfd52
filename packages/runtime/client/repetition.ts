import type { CallContext } from './call-context.ts';
import type { KeptValue } from './operation.ts';
import { isIdempotent } from './retry.ts';
import type { CarriedValues, Service } from './service.ts';

/**
 * Returns whether a call may be repeated when it is unknown whether the service has processed it. Call it after the
 * first attempt, whose generated values are then known.
 */
export function mayBeRepeated(service: Service, context: CallContext): boolean {
  const { operation, options } = context;
  if (options.repeatable !== undefined) return options.repeatable;
  if (isIdempotent(operation.method)) return true;
  return [operation.repeatable, service.repeatable?.[operation.id]].some((condition) =>
    typeof condition === 'object'
      ? service.isKept?.(condition, context) === true
      : condition === true,
  );
}

const groups = { header: 'headers', query: 'query', path: 'path' } as const;

/**
 * Returns whether all attempts of a call carry the same value of a parameter: one of the caller, or one that the client
 * generates once for a call. A call without a value does not.
 */
export function isKept({ keeps }: KeptValue, context: CarriedValues): boolean {
  const [, place, wanted = ''] = /^\$request\.(header|query|path)\.(.+)$/s.exec(keeps) ?? [];
  if (place === undefined) return false;
  const group = groups[place as keyof typeof groups];
  const { operation, input, options, values, kept } = context;
  const isNamed = (name: string): boolean =>
    group === 'headers' ? name.toLowerCase() === wanted.toLowerCase() : name === wanted;
  const isSame = (parameter: { readonly in: string; readonly name: string }): boolean =>
    parameter.in === group && isNamed(parameter.name);
  const generated = values.find(isSame);
  if (generated?.value === 'timestamp') return false;
  const declared = generated ?? operation.parameters?.find(isSame);
  const groupValues = input[group] as Readonly<Record<string, unknown>> | undefined;
  const value =
    declared !== undefined && groupValues !== undefined && Object.hasOwn(groupValues, declared.name)
      ? groupValues[declared.name]
      : undefined;
  if (value !== undefined && value !== null)
    // An empty text or list is not sent.
    return typeof value === 'object' ? Object.keys(value).length > 0 : value !== '';
  if (generated !== undefined) return (kept.get(generated.name) ?? '') !== '';
  return (
    group === 'headers' &&
    Object.entries(options.headers ?? {}).some(([name, text]) => isNamed(name) && text !== '')
  );
}
