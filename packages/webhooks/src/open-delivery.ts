import type { Catalogue } from './catalogue.ts';
import type { Delivery } from './delivery.ts';
import { identify, isRefused, refuse, type Identification, type Refused } from './identify.ts';
import type { Bounds, ReceiverOptions } from './options.ts';
import { parseBody, type NumberMode, type ParseRules } from './parse-body.ts';
import { findRoute } from './routes.ts';
import { pathSegments, splitTarget } from './target.ts';
import { invalid } from './webhook-error.ts';

/** How deliveries are parsed and identified. */
export interface OpeningRules extends ParseRules {
  readonly numbers: NumberMode;
  /** The segments of the path that the receiver is mounted at. */
  readonly mounted: readonly string[] | undefined;
}

/**
 * Returns the rules of options.
 * @throws WebhookError `invalid-option`
 */
export function toRules(
  options: Pick<ReceiverOptions, 'strict' | 'numbers' | 'mount'>,
  { maxDepth }: Pick<Bounds, 'maxDepth'>,
): OpeningRules {
  const { strict = true, numbers = 'refuse', mount } = options;
  if (numbers !== 'refuse' && !(numbers === 'text' && strict))
    throw invalid('`numbers` must be "refuse" or "text"; "text" requires `strict`');
  // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- callers without types
  const mounted = mount === undefined ? undefined : pathSegments(String(mount));
  if (mount !== undefined && mounted === undefined) throw invalid('`mount` is not a valid path');
  return { strict, numbers, mounted, maxDepth };
}

/** Why an authentic delivery is not handled as what it should be. */
export interface Refusal {
  readonly reason: 'malformed-body' | 'malformed-path' | 'invalid';
  readonly detail?: string;
  readonly kinds?: readonly string[];
}

/** A delivery that was parsed and identified. */
export type Opened =
  /** The body is not UTF-8, or not JSON where it has to be. */
  | { readonly refusal: Refusal; readonly found?: undefined; readonly data?: undefined }
  /** The delivery violates the contract. */
  | {
      readonly refusal: Refusal;
      readonly found: Refused;
      readonly text: string;
      /** The parsed body; `undefined` for a text without a safe or unique value. */
      readonly data: unknown;
    }
  | { readonly refusal?: undefined; readonly found: Identification };

/** Parses, identifies and validates a delivery. Sets its target and its parameters. Never throws. */
export function openDelivery(
  catalogue: Catalogue,
  delivery: Delivery,
  rules: OpeningRules,
): Opened {
  delivery.target = splitTarget(delivery.request.target);
  const segments = pathSegments(delivery.path);
  const label =
    segments === undefined
      ? undefined
      : findRoute(catalogue.routes, segments, delivery.method, rules.mounted);
  if (label !== undefined) delivery.parameters = label.parameters;
  const { fields } = catalogue;
  const parsed =
    fields === undefined
      ? parseBody(delivery.body, rules)
      : fields.read(catalogue, fields.kinds, delivery, label?.kinds, rules);
  const { text } = parsed;
  if (text === undefined) return { refusal: { reason: 'malformed-body', detail: parsed.fault } };
  if (parsed.fault !== undefined) {
    const { fault } = parsed;
    const found = refuse('body', [], [{ pointer: '', keyword: fault, message: notStrict }]);
    return { found, text, data: undefined, refusal: { reason: 'malformed-body', detail: fault } };
  }
  const { value, exact: data } = parsed;
  if (segments === undefined) {
    const found = refuse('path', [], [{ pointer: '', keyword: 'path', message: notOnePath }]);
    return { found, text, data, refusal: { reason: 'malformed-path' } };
  }
  const found = identify(catalogue, delivery, label?.kinds, value, data, rules.numbers);
  if (!isRefused(found)) return { found };
  const { reason: detail, kinds } = found.invalid;
  return { found, text, data, refusal: { reason: 'invalid', detail, kinds } };
}

const notStrict = 'must have unique member names and few levels';
const notOnePath = 'must arrive at a path that all servers resolve alike';
