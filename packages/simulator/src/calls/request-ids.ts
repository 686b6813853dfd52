import { createHash } from 'node:crypto';
import type { CheckStep } from '../entry.ts';
import type { ServedParameter } from '../service.ts';
import type { Parameters } from './decode-parameters.ts';
import type { ReceivedCall } from './received-call.ts';
import { failed, passed } from './scheme-check.ts';

/** Remembers the ids of accepted requests. */
export interface RequestIds {
  /** Checks the ids of a call. */
  check(
    declared: readonly ServedParameter[],
    call: ReceivedCall,
    values: Parameters,
  ): readonly CheckStep[];
  /** Remembers the ids of a call that passed all checks. A refused call can be corrected and sent with its id. */
  remember(declared: readonly ServedParameter[], call: ReceivedCall, values: Parameters): void;
}

/** The number of ids that are remembered. */
const maximumIds = 10_000;

/** Creates a bounded memory of request ids. */
export function createRequestIds(): RequestIds {
  const seen = new Map<string, string>();
  const idsOf = (declared: readonly ServedParameter[], values: Parameters) =>
    declared.flatMap(({ name, in: place, everyRequest }) => {
      if (everyRequest?.value !== 'uuid') return [];
      const id = values[place][place === 'header' ? name.toLowerCase() : name];
      return typeof id === 'string' && id !== ''
        ? [{ name, place, key: createHash('sha256').update(`${name} ${id}`).digest('latin1') }]
        : [];
    });
  return {
    check: (declared, call, values) =>
      idsOf(declared, values).map(({ name, place, key }) => {
        const earlier = seen.get(key);
        if (earlier === undefined) return passed('request-id', `The ${place} \`${name}\` is new.`);
        if (earlier !== digestOf(call))
          return failed(
            'request-id',
            'request-id-reused',
            `The ${place} \`${name}\` has the id of an earlier call with another method, URL or body.`,
            'Make a new UUID for every call. Only a further attempt at the same call may carry the same id.',
          );
        return {
          name: 'request-id',
          outcome: 'warned',
          code: 'request-id-repeated',
          message: `The ${place} \`${name}\` has the id of an earlier call with the same method, URL and body.`,
          fix: 'Make a new UUID for every call, unless this is a further attempt at the same call.',
        };
      }),
    remember(declared, call, values) {
      for (const { key } of idsOf(declared, values)) {
        seen.delete(key);
        seen.set(key, digestOf(call));
        const [oldest] = seen.keys();
        if (seen.size > maximumIds && oldest !== undefined) seen.delete(oldest);
      }
    },
  };
}

function digestOf({ method, path, query, body }: ReceivedCall): string {
  return createHash('sha256').update(`${method} ${path}?${query}\n`).update(body).digest('latin1');
}
