import type { Catalogue, Form, Violation } from './catalogue.ts';
import { decide, type Readable } from './decision.ts';
import type { InvalidReason } from './event.ts';
import { normalise } from './forms.ts';

/** A value in the canonical format with its kinds; none where the delivery does not show any. */
export interface Identified {
  /** The name of the kind, or of the union of the possible kinds; `null` for none. */
  readonly name: string | null;
  readonly kinds: readonly string[];
  readonly data: unknown;
}

/** The values of a delivery, or why it violates the contract. */
export type Identification = Found | { readonly invalid: Invalid };

/** The values of a valid delivery, or of a delivery that matches no kind. */
export interface Found {
  readonly form: string;
  readonly events: readonly Identified[];
  readonly invalid?: undefined;
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
 * @param exact the body as it is delivered; it differs from `body` only in numbers
 */
export function identify(
  catalogue: Catalogue,
  from: Readable,
  label: readonly string[] | undefined,
  body: unknown,
  exact: unknown,
): Identification {
  const possible = decide(catalogue.formOf, catalogue.reads, from, body);
  if (possible.length === 0) return identifyCanonical(catalogue, from, label, body, exact);
  const forms = possible.filter(
    (name) =>
      label === undefined || catalogue.forms.get(name)?.kinds.some((kind) => label.includes(kind)),
  );
  const [formName = ''] = forms;
  const form = forms.length === 1 ? catalogue.forms.get(formName) : undefined;
  if (forms.length > 1) return refuse('form', label ?? [], [severalForms]);
  if (form === undefined) return identifyCanonical(catalogue, from, label, body, exact);
  return identifyForm(catalogue, from, label, form, body, exact);
}

function identifyCanonical(
  catalogue: Catalogue,
  from: Readable,
  label: readonly string[] | undefined,
  body: unknown,
  exact: unknown,
): Identification {
  const found = decide(catalogue.kindOf, catalogue.reads, from, body);
  const kinds = narrow(found, label);
  if (kinds.length > 0) return identifyAs(catalogue, kinds, body, exact);
  if (label === undefined)
    return { form: 'canonical', events: [{ name: null, kinds, data: exact }] };
  const other = acceptingKind(catalogue, found, body);
  if (other !== undefined) return refuse('other-kind', label, [ofAnotherKind(other)]);
  if (label.length > 1) return refuse('no-kind', label, violationsOf(catalogue, label, body));
  return identifyAs(catalogue, label, body, exact);
}

function identifyAs(
  catalogue: Catalogue,
  kinds: readonly string[],
  body: unknown,
  exact: unknown,
): Identification {
  return acceptingKind(catalogue, kinds, body) === undefined
    ? refuse('schema', kinds, violationsOf(catalogue, kinds, body))
    : { form: 'canonical', events: [toIdentified(catalogue, kinds, exact)] };
}

/** Returns the first of the kinds for whose schema the body is valid. */
function acceptingKind(
  catalogue: Catalogue,
  kinds: readonly string[],
  body: unknown,
): string | undefined {
  for (const kind of kinds) if (catalogue.kinds.get(kind)?.check.accepts(body)) return kind;
  return undefined;
}

function identifyForm(
  catalogue: Catalogue,
  from: Readable,
  label: readonly string[] | undefined,
  form: Form,
  body: unknown,
  exact: unknown,
): Identification {
  const expected = narrow(form.kinds, label);
  const normalised = normalise(body, form);
  if (normalised.violation !== undefined) return refuse('form', expected, [normalised.violation]);
  const { elements } = normalised;
  const delivered = body === exact ? normalised : normalise(exact, form);
  const kindsOfEach = elements.map((element) => {
    const found = narrow(decide(catalogue.kindOf, catalogue.reads, from, element), expected);
    return found.length > 0 || expected.length > 1 ? found : expected;
  });
  const all = [...catalogue.kinds.keys()].filter((kind) =>
    kindsOfEach.some((kinds) => kinds.includes(kind)),
  );
  if (!form.check.accepts(body))
    return refuse(
      'schema',
      kindsOfEach.includes(none) ? expected : all,
      form.check.violations(body),
    );
  if (kindsOfEach.some((kinds) => kinds.length === 0)) return refuse('no-kind', expected, [noKind]);
  return {
    form: form.name,
    events: kindsOfEach.map((kinds, index) =>
      toIdentified(
        catalogue,
        kinds,
        delivered.violation === undefined ? delivered.elements[index] : undefined,
      ),
    ),
  };
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

function toIdentified({ unions }: Catalogue, kinds: readonly string[], data: unknown): Identified {
  const [first = ''] = kinds;
  const name = kinds.length === 1 ? first : (unions.get(kinds.join(' ')) ?? null);
  return { name, kinds, data };
}

/** Returns the violations of the kinds' schemas, without repeating a schema that kinds share. */
function violationsOf(
  { kinds }: Catalogue,
  names: readonly string[],
  body: unknown,
): readonly Violation[] {
  const checks = new Set(names.flatMap((name) => kinds.get(name)?.check ?? []));
  return [...checks].flatMap((check) => check.violations(body));
}

function refuse(
  reason: InvalidReason,
  kinds: readonly string[],
  violations: readonly Violation[],
): Identification {
  return { invalid: { reason, kinds, violations } };
}

function ofAnotherKind(kind: string): Violation {
  return { pointer: '', keyword: 'kind', message: `is of the kind ${JSON.stringify(kind)}` };
}

const severalForms: Violation = {
  pointer: '',
  keyword: 'form',
  message: 'matches several wire variants',
};
const noKind: Violation = {
  pointer: '',
  keyword: 'kind',
  message: 'is of none of the possible kinds',
};
