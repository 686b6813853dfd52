import { oneOf, RefusedRequest, text, toNumber } from '@countersign/console/frame';
import type { HonoRequest } from 'hono';
import type { EntryFilter } from '../journal.ts';

/** The most entries that one response lists. */
export const maxListed = 10_000;

const readers: {
  readonly [K in Exclude<keyof EntryFilter, 'pageSize'>]-?: (
    value: string,
    where: string,
  ) => Exclude<EntryFilter[K], undefined>;
} = {
  type: oneOf(['call', 'delivery', 'step']),
  name: text(200),
  outcome: oneOf(['ok', 'failed']),
  run: text(200),
  text: text(500),
  before: toNumber,
  after: toNumber,
};

/**
 * Reads the filter of a query.
 * @param furtherNames names of further query parameters
 * @throws RefusedRequest for an unknown parameter or value
 */
export function readFilter(
  req: Pick<HonoRequest, 'query'>,
  furtherNames: readonly string[] = [],
): EntryFilter & { readonly pageSize: number } {
  const { pageSize, ...query } = req.query();
  const filter: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    if (furtherNames.includes(name) || value === '') continue;
    if (!isFilterName(name))
      throw new RefusedRequest(
        400,
        'invalid-input',
        `The query parameter ${JSON.stringify(name.slice(0, 60))} is unknown.`,
      );
    filter[name] = readers[name](value, name);
  }
  const asked = pageSize === undefined ? 500 : toNumber(pageSize, 'pageSize');
  return { ...filter, pageSize: Math.min(asked, maxListed) };
}

function isFilterName(name: string): name is keyof typeof readers {
  return Object.hasOwn(readers, name);
}
