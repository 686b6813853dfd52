import type { Catalogue } from './catalogue.ts';
import { isEncoded } from './content-encoding.ts';
import type { Delivery } from './delivery.ts';
import { identify, isRefused, refuse } from './identify.ts';
import type { Opened, OpeningRules, Refusal, RefusedDelivery } from './opened-delivery.ts';
import type { Bounds, ReceiverOptions } from './options.ts';
import { parseBody, type BodyFault } from './parse-body.ts';
import { findRoute, type Labelled, type Route } from './routes.ts';
import { joinedSegments, pathSegments, splitTarget, withoutSegments } from './target.ts';
import { invalid } from './webhook-error.ts';

/**
 * Returns the rules of options.
 * @throws WebhookError `invalid-option`
 */
export function toRules(
  options: Pick<ReceiverOptions, 'strict' | 'numbers' | 'mount'> & Pick<OpeningRules, 'deviations'>,
  { maxDepth }: Pick<Bounds, 'maxDepth'>,
): OpeningRules {
  const { strict = true, numbers = 'refuse', mount, deviations } = options;
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- callers without types
  if (deviations && !deviations.reopen) throw invalid('`deviations` requires `handOver(…)`');
  if (numbers !== 'refuse' && !(numbers === 'text' && strict))
    throw invalid('`numbers` must be "refuse" or "text"; "text" requires `strict`');
  // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- callers without types
  const mounted = mount === undefined ? undefined : pathSegments(String(mount));
  if (mount !== undefined && mounted === undefined) throw invalid('`mount` is not a valid path');
  return { ...options, strict, numbers, mounted, maxDepth };
}

/** Parses, identifies and validates a delivery. Sets its target and its parameters. Never throws. */
export function openDelivery(
  catalogue: Catalogue,
  delivery: Delivery,
  rules: OpeningRules,
): Opened {
  delivery.target = withoutSegments(splitTarget(delivery.request.target), delivery.secretSegments);
  if (isEncoded(delivery.headers)) return unreadable({ reason: 'encoded-body' }, 'encoding', '');
  const route = findLabel(catalogue.routes, delivery, rules.mounted);
  const label = route?.label;
  if (label !== undefined) delivery.parameters = label.parameters;
  const { fields } = catalogue;
  const parsed =
    fields === undefined
      ? parseBody(delivery.body, rules)
      : fields.read(catalogue, fields.kinds, delivery, label?.kinds, rules);
  if (parsed.fault !== undefined) {
    const { fault: detail, text = '' } = parsed;
    return unreadable({ reason: 'malformed-body', detail }, detail, text);
  }
  const { text, exact: data } = parsed;
  const identification =
    route === undefined
      ? refuse('path', [], [{ pointer: '', keyword: 'path', message: notOnePath }])
      : identify(catalogue, delivery, label?.kinds, parsed, rules.numbers);
  if (!isRefused(identification)) return { identification };
  const { reason: detail, kinds } = identification.invalid;
  const refusal: Refusal =
    route === undefined ? { reason: 'malformed-path' } : { reason: 'invalid', detail, kinds };
  const refused: RefusedDelivery = { identification, text, data, refusal };
  return rules.deviations?.reopen(catalogue, delivery, rules, refused) ?? refused;
}

/**
 * Returns the label of a delivery, if it has one. Returns `undefined` for a path that servers could resolve differently.
 * Where a label is appended to a URL with a trailing slash, the path has an empty segment between them: there alone.
 */
function findLabel(
  routes: readonly Route[],
  { path, method }: Delivery,
  mounted: readonly string[] | undefined,
): { readonly label: Labelled | undefined } | undefined {
  const segments = pathSegments(path);
  if (segments !== undefined) return { label: findRoute(routes, segments, method, mounted) };
  const joined = joinedSegments(path);
  if (joined === undefined) return undefined;
  const { before, behind } = joined;
  if (mounted !== undefined && before.join('/') !== mounted.join('/')) return undefined;
  const label = findRoute(routes, [...before, ...behind], method, before);
  return label && { label };
}

/** Returns a delivery whose body cannot be read, or not safely. */
function unreadable(
  refusal: Refusal,
  keyword: BodyFault | 'encoding',
  text: string,
): RefusedDelivery {
  const reason = keyword === 'encoding' || keyword === 'not-utf-8' ? 'encoding' : 'body';
  const message = bodyMessages.get(keyword) ?? notStrict;
  const identification = refuse(reason, [], [{ pointer: '', keyword, message }]);
  return { identification, text, data: undefined, refusal };
}

const bodyMessages: ReadonlyMap<string, string> = new Map([
  ['encoding', 'must have no content encoding'],
  ['not-utf-8', 'must be UTF-8'],
  ['not-json', 'must be JSON'],
]);
const notStrict = 'must have unique member names and few levels';
const notOnePath = 'must have a path that all servers resolve alike';
