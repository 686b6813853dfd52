import {
  type Catalogue,
  type Check,
  type Handler,
  type Kind,
  type MaybePromise,
  type Read,
  type Violation,
  invalid,
  maxViolations,
  memberAt,
} from './contract.ts';
import type { Identified, Refused } from './identify.ts';
import { type Deviations, type RefusedDelivery, checkFunctions, openDelivery } from './receiver.ts';

export type { Deviations } from './receiver.ts';

/** An event that violates the schema of its kind, and that the application chose to get. */
export interface DeviatingEvent<Kind extends string = string> {
  /** The name of its kind, or of the union of the kinds that it can have. */
  readonly kind: Kind;
  /** Whether the delivery does not show which of several kinds it has. */
  readonly ambiguous: boolean;
  /** The kinds that it can have; one for an event that is not ambiguous. */
  readonly kinds: readonly string[];
  /** The wire variant in which it was sent, or `canonical`. */
  readonly form: string;
  /** The value in the canonical format, which violates the schema. */
  readonly data: unknown;
  /** Every violation of the schemas of its kinds, with JSON Pointers into `data`. There is at least one. */
  readonly violations: readonly Violation[];
}

/** Handles an event that violates the schema of its kind. */
export type DeviationHandler<Kind extends string, Context, Result> = (
  event: DeviatingEvent<Kind>,
  context: Context,
) => MaybePromise<Result>;

/** A location of a value at or below which a number can be, also as a text. */
export interface NumberPlace {
  /** Whether the value itself can be a number, or a text that writes one. */
  readonly number?: true;
  /** Members at or below which a number can be, with the index of their place. */
  readonly members?: readonly (readonly [member: string, place: number])[];
  /** The index of the place for the elements of an array. */
  readonly items?: number;
  /** The index of the place for members that `members` does not have. */
  readonly undeclared?: number;
  /** The declared members, where the value must not have others. */
  readonly declared?: readonly string[];
}

/** What decides whether a delivery that violates a contract can be handed over. */
export interface DeviationRules {
  /** The names of the kinds, and of their unions. */
  readonly names: readonly string[];
  /** The index of the place of a kind's value; left out for a kind without numbers. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly places: readonly NumberPlace[];
}

/**
 * Chooses the kinds whose deliveries are handed over although they violate their schemas.
 * @throws WebhookError `invalid-option` for a name that is not that of a kind, or of a union of kinds, of the contract
 */
export function createDeviations<Context, Result>(
  rules: DeviationRules,
  handlers: Readonly<
    Record<string, ((event: never, context: Context) => MaybePromise<Result>) | undefined>
  >,
): Deviations<Context, Result> {
  const chosen = new Map<string, (event: never, context: Context) => MaybePromise<Result>>();
  for (const [name, handler] of Object.entries(handlers)) {
    if (!rules.names.includes(name))
      throw invalid(`\`deviations\` names ${name}, which is not a kind of the contract`);
    if (handler === undefined) continue;
    checkFunctions({ [`deviations.${name}`]: handler });
    chosen.set(name, handler);
  }
  const lenient = new WeakMap<Catalogue, Catalogue>();
  const lenientOf = (catalogue: Catalogue): Catalogue => {
    const lenientCatalogue = lenient.get(catalogue) ?? toLenient(catalogue, chosen);
    lenient.set(catalogue, lenientCatalogue);
    return lenientCatalogue;
  };
  return {
    handlers: chosen,
    reopen: (catalogue, delivery, opening, refused) => {
      const refuse = (detail: string): RefusedDelivery => ({
        ...refused,
        refusal: { ...refused.refusal, detail },
      });
      if (!isRefusedBySchemas(refused)) return refused;
      const obstacle = obstacleTo(refused.identification);
      if (obstacle !== undefined) return refuse(obstacle);
      // A number that no double holds exactly is found again, whatever the options say about such numbers.
      const { deviations: _, ...rest } = opening;
      const again = { ...rest, strict: true, numbers: 'refuse' } as const;
      const opened = openDelivery(lenientOf(catalogue), delivery, again);
      if (opened.refusal !== undefined) {
        // The schemas of the chosen kinds accept everything, so that another one refuses it.
        const { detail = opened.refusal.reason } = opened.refusal;
        return refuse(detail === 'schema' ? 'not-chosen' : detail);
      }
      const { identification } = opened;
      const validEvents = new Map(
        refused.identification.events.map((event) => [event.index, event]),
      );
      const events: Identified[] = [];
      for (const event of identification.events) {
        const validEvent = validEvents.get(event.index);
        const deviating = validEvent ?? toDeviating(event, catalogue, rules, chosen, refused);
        if (typeof deviating === 'string') return refuse(deviating);
        events.push(deviating);
      }
      if (events.length !== identification.count) return refuse('no-kind');
      delivery.note = { detail: 'deviating' };
      return { identification: { ...identification, events } };
    },
  };
}

/** Why a delivery that schemas refuse is not handed over: the `detail` of its record. */
type Obstacle =
  /** Its kind was not chosen. */
  | 'not-chosen'
  /** A violation touches a number, also as a text, or a place where the contract allows one. */
  | 'touches-number'
  /** A violation touches a member that identifies, orders or deduplicates events. */
  | 'touches-key'
  /** A violation touches a member that the signature in the body covers. */
  | 'touches-signed'
  /** A violation touches what is beside the events of a list. */
  | 'touches-list'
  /** Its schema alone tells what kind it is, so that each member identifies it. */
  | 'recognized-by-schema'
  /** It has more violations than are listed. */
  | 'too-many-violations'
  /** It was not validated to its end. */
  | 'too-deep'
  /** It is of none of the kinds that it violates. */
  | 'no-kind';

/** Returns whether schemas alone refused a delivery. */
function isRefusedBySchemas({ refusal, identification }: RefusedDelivery): boolean {
  return refusal.reason === 'invalid' && identification.invalid.reason === 'schema';
}

/** Returns why the events of a delivery are not examined, if a violation is not listed or is of none of them. */
function obstacleTo({ invalid: { violations }, each }: Refused): Obstacle | undefined {
  if (violations.length >= maxViolations) return 'too-many-violations';
  return each !== undefined && violations.some(({ index }) => index === undefined)
    ? 'touches-list'
    : undefined;
}

const acceptsAll: Check = { accepts: () => true, violations: () => [] };

/** Returns a catalogue in which the schemas of the chosen kinds, and of wire variants, accept every value. */
function toLenient(catalogue: Catalogue, chosen: ReadonlyMap<string, unknown>): Catalogue {
  const names = new Set(chosen.keys());
  for (const [kinds, union] of catalogue.unions)
    if (chosen.has(union)) for (const kind of kinds.split(' ')) names.add(kind);
  const kinds = new Map(
    Array.from(catalogue.kinds, ([name, kind]) => [
      name,
      names.has(name) ? { ...kind, check: acceptsAll } : kind,
    ]),
  );
  const forms = new Map(
    Array.from(catalogue.forms, ([name, form]) => [name, { ...form, checks: [acceptsAll] }]),
  );
  return { ...catalogue, kinds, forms };
}

/** Returns an event with the handler of deviations, or why it must not be handed over. */
function toDeviating(
  event: Identified,
  { kinds: kindsByName, bySchema, reads }: Catalogue,
  { numbers, places }: DeviationRules,
  chosen: ReadonlyMap<string, unknown>,
  { identification }: RefusedDelivery,
): Identified | Obstacle {
  const { name, kinds, data } = event;
  const handler = name === null ? undefined : chosen.get(name);
  if (handler === undefined) return 'not-chosen';
  // Where schemas decide between kinds, each member identifies.
  if (event.bySchema === true || (kinds.length > 1 && kinds.some((kind) => bySchema?.has(kind))))
    return 'recognized-by-schema';
  const { invalid: stated, form } = identification;
  const violations = new Map<string, Violation>();
  for (const kindName of kinds) {
    const kind = kindsByName.get(kindName);
    if (kind === undefined || !stated.kinds.includes(kindName)) return 'no-kind';
    const kindViolations = kind.check.violations(data);
    if (kindViolations.length === 0) return 'no-kind';
    if (kindViolations.length >= maxViolations) return 'too-many-violations';
    const numberAt = numbers.get(kindName);
    // Of several kinds, each normalizes the value for all of them.
    const all = form === 'canonical' ? [...kindViolations, ...stated.violations] : kindViolations;
    if (all.some(({ keyword }) => keyword === 'depth')) return 'too-deep';
    for (const path of all.flatMap((violation) => touched(violation, data, places, numberAt))) {
      if (isRead(path, reads, kind)) return 'touches-key';
      const { members = [] } = kind.signed ?? {};
      if (members.some((member) => startsWith(member, path) || startsWith(path, member)))
        return 'touches-signed';
      if (holdsNumber(memberAt(data, path)) || placeAt(places, numberAt, path) !== undefined)
        return 'touches-number';
    }
    for (const violation of kindViolations) violations.set(JSON.stringify(violation), violation);
  }
  const handle = handler as Handler<DeviatingEvent>;
  return {
    ...event,
    handler: (typed: object, context) =>
      handle(
        { ...(typed as DeviatingEvent), kinds, violations: [...violations.values()] },
        context,
      ),
  };
}

type Path = readonly string[];

/** Returns the paths of the values that a violation concerns, with everything below them. */
function touched(
  { pointer, keyword, message }: Violation,
  data: unknown,
  places: readonly NumberPlace[],
  numberAt: number | undefined,
): readonly Path[] {
  const path = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') {
    const member = missingMember(message);
    return [member === undefined ? path : [...path, member]];
  }
  if (keyword === 'additionalProperties') {
    const declared = placeAt(places, numberAt, path)?.declared;
    const value = memberAt(data, path);
    if (declared !== undefined && typeof value === 'object' && value !== null)
      return Object.keys(value).flatMap((name) =>
        declared.includes(name) ? [] : [[...path, name]],
      );
  }
  return [path];
}

const missing = 'must have the member ';

/** Returns the name in the message of a missing member, as generated validators write it. */
function missingMember(message: string): string | undefined {
  if (!message.startsWith(missing)) return undefined;
  try {
    const name: unknown = JSON.parse(message.slice(missing.length));
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** A text that is a decimal number. */
const decimalText = /^[+-]?[\d.,\s]*[.,]\d+\s*$/u;

function holdsNumber(value: unknown): boolean {
  if (typeof value === 'number') return true;
  if (typeof value === 'string') return decimalText.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsNumber);
}

/** Returns the place of a path; `undefined` if the contract allows no number at it or below it. */
function placeAt(
  places: readonly NumberPlace[],
  start: number | undefined,
  path: Path,
): NumberPlace | undefined {
  let place = start === undefined ? undefined : places[start];
  for (const name of path) {
    if (place === undefined) return undefined;
    const { members = [], items, undeclared }: NumberPlace = place;
    const member = members.find(([declared]) => declared === name)?.[1];
    const next = member ?? (items !== undefined && /^\d+$/u.test(name) ? items : undeclared);
    place = next === undefined ? undefined : places[next];
  }
  return place;
}

/** Returns whether a value identifies events, or gives an event of the kind its order key or its identity. */
function isRead(path: Path, reads: readonly Read[], kind: Kind): boolean {
  // Identification reads the value itself: of an object, only that it is one.
  return (
    pathsOf(reads).some((read) => startsWith(read, path)) ||
    // A key is a digest of the value and everything below it. One of the whole body names no member.
    pathsOf([...(kind.dedupeBy ?? []), ...(kind.orderedBy ?? [])])
      .filter((read) => read.length > 0)
      .some((read) => startsWith(read, path) || startsWith(path, read))
  );
}

function pathsOf(reads: readonly Read[]): readonly Path[] {
  return reads.flatMap((read) => (typeof read === 'object' && 'body' in read ? [read.body] : []));
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((name, index) => path[index] === name);
}
