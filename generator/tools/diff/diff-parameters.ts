import type { Parameter } from '../../contract/contract.ts';
import type { ContractChange, Role } from './change.ts';
import { createChange, pairBy } from './changes.ts';
import { diffDefinitions, type SchemaIndexes } from './diff-schemas.ts';
import { isSameJson } from '../../json/same-json.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';
import { written } from './written.ts';

/** The change codes for a list of parameters. */
export interface ParameterCodes {
  readonly role: Role;
  readonly optionalAdded: ChangeCode;
  readonly requiredAdded: ChangeCode;
  readonly removed: ChangeCode;
  readonly madeRequired: ChangeCode;
  readonly madeOptional: ChangeCode;
}

/** The change codes for the parameters of an operation. */
export const callParameters: ParameterCodes = {
  role: 'request',
  optionalAdded: 'optional-parameter-added',
  requiredAdded: 'required-parameter-added',
  removed: 'parameter-removed',
  madeRequired: 'parameter-required',
  madeOptional: 'parameter-optional',
};

/** The change codes for the headers of a response. */
export const responseHeaders: ParameterCodes = {
  role: 'response',
  optionalAdded: 'response-header-added',
  requiredAdded: 'response-header-added',
  removed: 'response-header-removed',
  madeRequired: 'response-header-required',
  madeOptional: 'response-header-optional',
};

/** The change codes for the headers of a notification. */
export const notificationHeaders: ParameterCodes = {
  role: 'notification',
  optionalAdded: 'optional-notification-header-added',
  requiredAdded: 'required-notification-header-added',
  removed: 'notification-header-removed',
  madeRequired: 'notification-header-required',
  madeOptional: 'notification-header-optional',
};

const serialisation = ['style', 'explode', 'allowReserved', 'mediaType'] as const;

/**
 * Yields the changes of a list of parameters. A new or required parameter that the client generates itself
 * (`x-every-request`) does not count as required, because users do not give it.
 */
export function* diffParameters(
  base: readonly Parameter[],
  head: readonly Parameter[],
  codes: ParameterCodes,
  owner: string,
  indexes: SchemaIndexes,
): Generator<ContractChange> {
  const { pairs, added, removed } = pairBy(base, head, keyOf);
  const roles = new Set([codes.role]);
  for (const parameter of added) {
    const { pointer, required, everyRequest } = parameter;
    const mustBeGiven = required && everyRequest === undefined;
    const code = mustBeGiven ? codes.requiredAdded : codes.optionalAdded;
    const message = mustBeGiven ? 'It is new and has to be there.' : 'It is new.';
    yield createChange(
      code,
      { side: 'head', pointer },
      subjectOf(parameter, owner),
      message,
      roles,
    );
  }
  for (const parameter of removed) {
    const at = { side: 'base', pointer: parameter.pointer } as const;
    yield createChange(codes.removed, at, subjectOf(parameter, owner), 'It is gone.', roles);
  }
  for (const [one, other] of pairs) {
    const subject = subjectOf(other, owner);
    const at = { side: 'head', pointer: other.pointer } as const;
    if (!one.required && other.required && other.everyRequest === undefined)
      yield createChange(codes.madeRequired, at, subject, 'It has to be there.', roles);
    if (one.required && !other.required)
      yield createChange(codes.madeOptional, at, subject, 'It can be missing.', roles);
    for (const member of serialisation) {
      if (one[member] === other[member]) continue;
      const change = `\`${member}\` was ${written(one[member])} and is ${written(other[member])}.`;
      yield createChange('parameter-serialisation-changed', at, subject, change, roles);
    }
    if (!isSameJson(one.everyRequest, other.everyRequest)) {
      const change = `It was made as ${written(one.everyRequest)} and is made as ${written(other.everyRequest)}.`;
      yield createChange('parameter-made-differently', at, subject, change, roles);
    }
    yield* diffNotes(one, other, subject, roles);
    yield* diffDefinitions(schemaOf(one), schemaOf(other), indexes, subject, roles);
  }
}

/** Yields the changes of deprecation, descriptions and citations. */
export function* diffNotes(
  base: Described,
  head: Described,
  subject: string,
  roles: ReadonlySet<Role>,
): Generator<ContractChange> {
  const at = { side: 'head', pointer: head.pointer } as const;
  if (base.deprecated !== true && head.deprecated === true)
    yield createChange('deprecated', at, subject, 'It is deprecated.', roles);
  if (base.deprecated === true && head.deprecated !== true)
    yield createChange('deprecation-withdrawn', at, subject, 'It is no longer deprecated.', roles);
  const texts = (['summary', 'description'] as const).filter((text) => base[text] !== head[text]);
  if (texts.length > 0)
    yield createChange('documentation-changed', at, subject, `${texts.join(', ')} changed.`, roles);
  if (!isSameJson(base.source, head.source)) {
    const change = `${written(base.source)} → ${written(head.source)}`;
    yield createChange(
      'citation-changed',
      at,
      subject,
      `It cites other sections: ${change}.`,
      roles,
    );
  }
}

interface Described {
  readonly pointer: Parameter['pointer'];
  readonly source: readonly string[];
  readonly deprecated?: boolean;
  readonly summary?: string;
  readonly description?: string;
}

function schemaOf({ schema, pointer }: Parameter): Parameters<typeof diffDefinitions>[0] {
  return { definition: schema, pointer };
}

function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

function subjectOf({ in: place, name }: Parameter, owner: string): string {
  return `${owner}, ${place} parameter ${name}`;
}
