import { normalizeValue, type NormalizationNode } from './normalization.ts';
import {
  maxViolations,
  type Catalogue,
  type Check,
  type Form,
  type FormCheck,
  type Kind,
  type Violation,
} from './catalogue.ts';
import { decide, memberAt, type Decision, type Readable } from './decision.ts';
import type { Handler, InvalidReason } from './event.ts';
import { toCanonicalElements, toPointer, withElement } from './forms.ts';
import type { NumberMode } from '../base/number-mode.ts';
import type { BodyContent } from './parse-body.ts';

/** A value in the canonical format with its kinds; none where the delivery does not show any. */
export interface Identified {
  /** Its index in the delivery. */
  readonly index: number;
  /** The name of the kind, or of the union of the possible kinds; `null` for none. */
  readonly name: string | null;
  readonly kinds: readonly string[];
  /** Set where only the schemas decided between several kinds. */
  readonly bySchema?: true;
  readonly data: unknown;
  /** Its handler, for an event that violates its schema, and that the application chose to get. */
  readonly handler?: Handler<never>;
}

/** The values of a delivery, and why it violates the contract, if it does. */
export interface Identification {
  readonly form: string;
  /** The path to the array of values, where the delivery has one. */
  readonly each?: readonly string[] | undefined;
  /** The number of values in the delivery. */
  readonly count: number;
  /** All values of a valid delivery, or of one that matches no kind; the valid values of an invalid one. */
  readonly events: readonly Identified[];
  readonly invalid?: Invalid | undefined;
}

/** A delivery that violates the contract. */
export type Refused = Identification & { readonly invalid: Invalid };

/** Returns whether a delivery violates the contract. */
export function isRefused(identification: Identification): identification is Refused {
  return identification.invalid !== undefined;
}

/** Why an authentic delivery violates the contract. */
export interface Invalid {
  readonly reason: InvalidReason;
  readonly kinds: readonly string[];
  readonly violations: readonly Violation[];
}

/**
 * Identifies the kinds of a body, and validates the body as such. Where the request has a label, the body must match
 * it.
 * @param label the kinds of the label, where the request has one
 * @param numbers whether a body with texts in place of numbers is invalid
 */
export function identify(
  catalogue: Catalogue,
  from: Readable,
  label: readonly string[] | undefined,
  body: BodyContent,
  numbers: NumberMode,
): Identification {
  const { value, exact } = body;
  const identification = refuseUnsigned(catalogue, identifyBody(catalogue, from, label, body));
  if (identification.invalid === undefined && value === exact) return identification;
  const violations = new ViolationList(identification.each);
  for (const violation of identification.invalid?.violations ?? []) violations.add(violation);
  if (value !== exact) addInexactNumbers(value, exact, '', numbers, violations);
  if (violations.first.length === 0) return identification;
  return {
    ...identification,
    events: identification.events.filter(({ index }) => !violations.concerns(index)),
    invalid: {
      reason: 'number',
      kinds: inOrder(
        catalogue,
        identification.events.map(({ kinds }) => kinds),
      ),
      ...identification.invalid,
      violations: violations.first,
    },
  };
}

/**
 * Refuses a delivery whose values are elsewhere than where the contract states that they are signed, whatever authenticated
 * it: a worker no longer knows that.
 */
function refuseUnsigned({ kinds }: Catalogue, identification: Identification): Identification {
  const { events, each = [] } = identification;
  const unsigned = events.filter((event) =>
    event.kinds.some((name) => {
      const signed = kinds.get(name)?.signed;
      return signed !== undefined && toPointer(signed.each ?? []) !== toPointer(each);
    }),
  );
  return unsigned.length === 0
    ? identification
    : refuse(
        'form',
        unsigned.flatMap((event) => event.kinds),
        [notSigned],
      );
}

/** The first violations of a delivery, and the indices of the elements that any violation concerns. */
class ViolationList {
  readonly first: Violation[] = [];
  readonly #start: string | undefined;
  readonly #indices = new Set<number>();
  #concernsAll = false;

  /** @param each the path to the array of elements, where the delivery has one */
  constructor(each: readonly string[] | undefined) {
    this.#start = each === undefined ? undefined : `${toPointer(each)}/`;
  }

  add(violation: Violation): void {
    const placed = withIndex(violation, this.#start);
    if (placed.index === undefined) this.#concernsAll = true;
    else this.#indices.add(placed.index);
    if (this.first.length < maxViolations) this.first.push(placed);
  }

  concerns(index: number): boolean {
    return this.#concernsAll || this.#indices.has(index);
  }
}

/** Returns a violation with the index of its element in the array whose elements have pointers with that start. */
function withIndex(violation: Violation, start: string | undefined): Violation {
  if (start === undefined || !violation.pointer.startsWith(start)) return violation;
  return { ...violation, index: Number.parseInt(violation.pointer.slice(start.length), 10) };
}

/** Adds the violations by numbers that no double represents exactly. As text, only infinite doubles are violations. */
function addInexactNumbers(
  value: unknown,
  exact: unknown,
  pointer: string,
  numbers: NumberMode,
  violations: ViolationList,
): void {
  if (typeof value === 'number') {
    if (value === exact || (numbers === 'text' && Number.isFinite(value))) return;
    violations.add({
      pointer,
      keyword: 'number',
      message: 'must be a number that a double holds exactly',
    });
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = memberAt(exact, [name]);
    addInexactNumbers(
      member,
      inner,
      `${pointer}${toPointer([shorten(name)])}`,
      numbers,
      violations,
    );
  }
}

/** Maximum length of a member name in a pointer. A longer one is cut, because each of its members would repeat it. */
const maxName = 256;

function shorten(name: string): string {
  return name.length > maxName ? `${name.slice(0, maxName)}…` : name;
}

function identifyBody(
  catalogue: Catalogue,
  from: Readable,
  label: readonly string[] | undefined,
  body: BodyContent,
): Identification {
  const possible = decide(catalogue.formOf, catalogue.reads, from, body.value);
  if (possible.length === 0) return identifyCanonical(catalogue, from, label, body);
  const forms = possible.filter(
    (name) =>
      label === undefined || catalogue.forms.get(name)?.kinds.some((kind) => label.includes(kind)),
  );
  const [formName = ''] = forms;
  const form = forms.length === 1 ? catalogue.forms.get(formName) : undefined;
  if (forms.length > 1) return refuse('form', label ?? [], [severalForms]);
  return form === undefined
    ? identifyCanonical(catalogue, from, label, body)
    : identifyForm(catalogue, from, narrow(form.kinds, label), form, body);
}

function identifyCanonical(
  catalogue: Catalogue,
  from: Readable,
  label: readonly string[] | undefined,
  body: BodyContent,
): Identification {
  const { value } = body;
  const decidedKinds = decideKinds(catalogue, catalogue.kindOf, from, value);
  const possible = narrow(decidedKinds, label);
  const asWritten = narrow(possible, body.kinds);
  // A body in JSON can also be of a kind that is written as a form.
  const kinds = asWritten.length === 0 ? possible : asWritten;
  if (kinds.length > 0) return identifyAs(catalogue, kinds, body);
  if (label === undefined) return identifyResembling(catalogue, from, body);
  const other = acceptingKind(catalogue, decidedKinds, value);
  if (other !== undefined) return refuse('other-kind', label, [ofAnotherKind(other)]);
  if (label.length > 1) return refuseAs(catalogue, 'no-kind', label, value);
  return identifyAs(catalogue, label, body);
}

/** Refuses a body of no kind that resembles one, because it is not merely unknown. `otherwise` gets any other body. */
function identifyResembling(
  catalogue: Catalogue,
  from: Readable,
  { value, exact }: BodyContent,
): Identification {
  const { resembles } = catalogue;
  const kinds = resembles === undefined ? none : decideKinds(catalogue, resembles, from, value);
  return kinds.length === 0
    ? toCanonical({ index: 0, name: null, kinds, data: exact })
    : refuseAs(catalogue, 'contradiction', kinds, value);
}

/**
 * Refuses a body of no kind as one of some kinds: with the violations of their schemas, or for the given reason where it
 * is valid for one of them.
 */
function refuseAs(
  catalogue: Catalogue,
  reason: 'contradiction' | 'no-kind',
  kinds: readonly string[],
  body: unknown,
): Refused {
  if (acceptingKind(catalogue, kinds, body) !== undefined)
    return refuse(reason, kinds, [reason === 'no-kind' ? noKind : contradicting]);
  const violations = violationsOf(catalogue, kinds, body);
  return refuse(reason === 'no-kind' ? reason : 'schema', kinds, violations);
}

function identifyAs(
  catalogue: Catalogue,
  kinds: readonly string[],
  { value, exact }: BodyContent,
): Identification {
  return acceptingKind(catalogue, kinds, value) === undefined
    ? refuse('schema', kinds, violationsOf(catalogue, kinds, value))
    : toCanonical(toIdentified(catalogue, kinds, value, exact));
}

/** Returns the first of the kinds for whose schema the body is valid. */
function acceptingKind(
  catalogue: Catalogue,
  kinds: readonly string[],
  body: unknown,
): string | undefined {
  for (const name of kinds) {
    const kind = catalogue.kinds.get(name);
    if (kind?.check.accepts(toNormal(kind, body))) return name;
  }
  return undefined;
}

/** Decides the kinds of a value. What is normalized for one kind is normalized for this decision. */
function decideKinds(
  catalogue: Catalogue,
  decision: Decision,
  from: Readable,
  body: unknown,
): readonly string[] {
  let normal = body;
  for (const nodes of normalizationsOf(catalogue)) normal = normalizeValue(normal, nodes);
  return decide(decision, catalogue.reads, from, normal);
}

/** What is normalized for any kind of each catalogue, without repetition. */
const normalizations = new WeakMap<Catalogue, ReadonlySet<readonly NormalizationNode[]>>();

function normalizationsOf(catalogue: Catalogue): ReadonlySet<readonly NormalizationNode[]> {
  let nodes = normalizations.get(catalogue);
  if (nodes === undefined) {
    nodes = new Set(
      Array.from(catalogue.kinds.values(), ({ normalization = [] }) => normalization),
    );
    normalizations.set(catalogue, nodes);
  }
  return nodes;
}

function toNormal(kind: Kind | undefined, body: unknown): unknown {
  return kind?.normalization === undefined ? body : normalizeValue(body, kind.normalization);
}

function identifyForm(
  catalogue: Catalogue,
  from: Readable,
  expected: readonly string[],
  form: Form,
  { value: body, exact }: BodyContent,
): Identification {
  const { elements, violations: faults } = toCanonicalElements(body, form);
  const count = elements.length;
  if (count === 0 && faults.length > 0) return refuse('form', expected, faults);
  const delivered = body === exact ? elements : toCanonicalElements(exact, form).elements;
  const kindsOfEach = elements.map((element) => {
    if (element === undefined) return none;
    const elementKinds = narrow(decideKinds(catalogue, catalogue.kindOf, from, element), expected);
    return elementKinds.length > 0 || expected.length > 1 ? elementKinds : expected;
  });
  const { each, checks } = form;
  // The schema of another kind can accept what the schemas of the elements' own kinds refuse.
  const isAccepted =
    faults.length === 0 &&
    checks.some(
      (check) =>
        (check.kinds === undefined || kindsOfEach.every((kinds) => isOf(check, kinds))) &&
        check.accepts(body),
    );
  const isValid = (kinds: readonly string[], index: number): boolean =>
    isAccepted ||
    (each !== undefined &&
      checks.some((check) => isOf(check, kinds) && check.accepts(withElement(body, each, index))));
  const refused: (readonly [index: number, kinds: readonly string[]])[] = [];
  const events = kindsOfEach.flatMap((kinds, index) => {
    if (kinds.length > 0 && isValid(kinds, index))
      return [toIdentified(catalogue, kinds, elements[index], delivered[index], index)];
    // What cannot be converted has a violation.
    if (elements[index] !== undefined) refused.push([index, kinds.length > 0 ? kinds : expected]);
    return [];
  });
  const identification: Identification = {
    form: form.name,
    each,
    count,
    events,
  };
  if (count === 0) {
    // A delivery without any value reaches `otherwise`, so that the application sees it.
    if (isAccepted) return toCanonical({ index: 0, name: null, kinds: none, data: exact });
    refused.push([0, expected]);
  }
  // No schema accepts the array of elements that different schemas accept.
  else if (events.length === count) return identification;
  const elementViolations = violationsOfEach(form, body, refused);
  const isOfKinds = elementViolations.some(({ keyword }) => keyword !== 'kind');
  const reason = faults.length > 0 ? 'form' : isOfKinds ? 'schema' : 'no-kind';
  const kinds = kindsOfEach.includes(none) ? expected : inOrder(catalogue, kindsOfEach);
  return {
    ...identification,
    invalid: { reason, kinds, violations: [...faults, ...elementViolations] },
  };
}

/**
 * Returns the violations of elements, each as the kinds that it can have, without repetitions. Where one of the schemas
 * accepts an element, the violation is that it is of none of the kinds.
 */
function violationsOfEach(
  { each, checks }: Form,
  body: unknown,
  elements: readonly (readonly [index: number, kinds: readonly string[]])[],
): readonly Violation[] {
  const start = each && `${toPointer(each)}/`;
  const violationsByKey = new Map<string, Violation>();
  for (const [index, kinds] of elements) {
    if (violationsByKey.size >= maxViolations) break;
    const elementBody = each ? withElement(body, each, index) : body;
    const lists = checks.flatMap((check) =>
      isOf(check, kinds) ? [check.violations(elementBody)] : [],
    );
    const all = lists.some((list) => list.length === 0)
      ? [{ ...noKind, pointer: start ? `${start}0` : '' }]
      : lists.flat();
    for (const violation of all) {
      const { pointer } = violation;
      const placed =
        start && pointer.startsWith(start)
          ? { ...violation, pointer: start + index + pointer.slice(start.length + 1) }
          : violation;
      violationsByKey.set(JSON.stringify(placed), placed);
    }
  }
  return [...violationsByKey.values()];
}

/** Returns the kinds of several values, without repetitions, in the order of the contract. */
function inOrder(
  { kinds }: Catalogue,
  kindsOfEach: readonly (readonly string[])[],
): readonly string[] {
  const possible = new Set(kindsOfEach.flat());
  return [...kinds.keys()].filter((name) => possible.has(name));
}

/** Returns whether a schema of a wire variant is that of one of the kinds. */
function isOf({ kinds: checkKinds }: FormCheck, kinds: readonly string[]): boolean {
  return checkKinds === undefined || checkKinds.some((kind) => kinds.includes(kind));
}

const none: readonly string[] = [];

/** Returns the kinds that the label or the wire variant also allows. */
function narrow(
  kinds: readonly string[],
  allowed: readonly string[] | undefined,
): readonly string[] {
  const [only] = kinds;
  if (allowed === undefined || (only !== undefined && kinds.length === 1 && allowed.includes(only)))
    return kinds;
  const narrowed = kinds.filter((kind) => allowed.includes(kind));
  return narrowed.length === 0 ? none : narrowed;
}

function toIdentified(
  catalogue: Catalogue,
  possible: readonly string[],
  body: unknown,
  exact: unknown,
  index = 0,
): Identified {
  const { unions } = catalogue;
  const kinds = possible.length > 1 ? decideBySchema(catalogue, possible, body) : possible;
  const [first = ''] = kinds;
  let data = exact;
  for (const name of kinds) data = toNormal(catalogue.kinds.get(name), data);
  if (kinds !== possible) return { index, name: first, kinds, bySchema: true, data };
  const name = kinds.length === 1 ? first : (unions.get(kinds.join(' ')) ?? null);
  return { index, name, kinds, data };
}

/** Returns the one of several kinds whose schema alone accepts a value, if schemas decide all of them; else the kinds. */
function decideBySchema(
  { bySchema, kinds }: Catalogue,
  possible: readonly string[],
  body: unknown,
): readonly string[] {
  if (bySchema === undefined || !possible.every((name) => bySchema.has(name))) return possible;
  const accepting = possible.filter((name) => {
    const kind = kinds.get(name);
    return kind?.check.accepts(toNormal(kind, body));
  });
  return accepting.length === 1 ? accepting : possible;
}

/** Returns the violations of the kinds' schemas, without repetitions. */
function violationsOf(
  { kinds }: Catalogue,
  names: readonly string[],
  body: unknown,
): readonly Violation[] {
  const checked = new Set<Check['accepts']>();
  const violationsByKey = new Map<string, Violation>();
  for (const name of names) {
    const kind = kinds.get(name);
    // Kinds with one schema share its functions, and other schemas can have the same members.
    if (kind === undefined || checked.has(kind.check.accepts)) continue;
    checked.add(kind.check.accepts);
    for (const violation of kind.check.violations(toNormal(kind, body)))
      violationsByKey.set(JSON.stringify(violation), violation);
  }
  return [...violationsByKey.values()];
}

/** Creates the result for a delivery without valid events. */
export function refuse(
  reason: InvalidReason,
  kinds: readonly string[],
  violations: readonly Violation[],
): Refused {
  return { form: 'canonical', count: 1, events: [], invalid: { reason, kinds, violations } };
}

function toCanonical(event: Identified): Identification {
  return { form: 'canonical', count: 1, events: [event] };
}

function ofAnotherKind(kind: string): Violation {
  return { pointer: '', keyword: 'kind', message: `is of the kind ${JSON.stringify(kind)}` };
}

const severalForms: Violation = {
  pointer: '',
  keyword: 'form',
  message: 'matches several wire variants',
};
const notSigned: Violation = {
  pointer: '',
  keyword: 'form',
  message: 'is in a format whose values are not signed',
};
const contradicting: Violation = {
  pointer: '',
  keyword: 'kind',
  message: 'contradicts the contract about the kinds that it resembles',
};
const noKind: Violation = {
  pointer: '',
  keyword: 'kind',
  message: 'is of none of the possible kinds',
};
