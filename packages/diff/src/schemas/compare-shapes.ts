import { SchemaNode } from 'countersign/companion/contract';
import { listTexts } from 'countersign/companion/terminal';
import type { Json } from 'countersign/kit';
import { formatChange, formatValue } from '../format-value.ts';
import { compareNames } from './compare-names.ts';
import { isWithinLimits } from './covers.ts';
import { acceptsAnything, type Findings } from './difference.ts';
import { type Part, type Place, within } from './place.ts';
import { isLower, type Member, type Placed, type Shape } from './shapes.ts';

/** Compares two shapes of one kind, apart from their annotations. */
export function compareShapes(base: Shape, head: Shape, findings: Findings): void {
  compareValues(base, head, findings);
  // A list of values is compared with the limits as a whole.
  if (base.kind !== 'object' && (base.values === undefined) !== (head.values === undefined)) return;
  compareLimits(base, head, findings);
  compareRules(base, head, findings);
  if (base.kind === 'object') compareMembers(base, head, findings);
  if (base.kind === 'array') compareItems(base, head, findings);
}

/** Compares the values of enumerations, whether these are closed, and the names of the values in code. */
function compareValues(base: Shape, head: Shape, findings: Findings): void {
  const { values: was, known: wasKnown } = base;
  const { values: is, known: isKnown } = head;
  const [listedBefore, listed] = [was ?? wasKnown, is ?? isKnown];
  if ((was === undefined) !== (is === undefined)) {
    if (is === undefined)
      findings.differ(
        isKnown === undefined ? 'rule-removed' : 'enum-opened',
        `Values other than these are valid: ${shown(was)}.`,
        isKnown === undefined ? base.valuesAt : (head.knownAt ?? head.valuesAt),
        { side: isKnown === undefined ? 'base' : 'head', accepts: 'more' },
      );
    else
      findings.differ(
        wasKnown === undefined ? 'rule-added' : 'enum-closed',
        `Only listed values are valid: ${shown(is)}.`,
        head.valuesAt,
        { accepts: 'fewer' },
      );
  }
  compareWithLimits(base, head, findings);
  if (listedBefore === undefined || listed === undefined) return;
  const added = [...listed].filter(([key]) => !listedBefore.has(key)).map(([, value]) => value);
  const removed = [...listedBefore].filter(([key]) => !listed.has(key)).map(([, value]) => value);
  const isClosed = was !== undefined && is !== undefined;
  const at = is === undefined ? (head.knownAt ?? head.valuesAt) : head.valuesAt;
  const [first] = added;
  if (isClosed && added.length === 1 && removed.length === 1 && listed.size === 1)
    findings.differ('const-changed', formatChange('The only value', removed[0], first), at);
  else {
    const kind = isClosed ? 'enum-value' : 'known-value';
    const says = (list: readonly Json[], how: string): string =>
      list.length === 1
        ? `${listOf(list)} was ${how}.`
        : `${list.length} values were ${how}: ${listOf(list)}.`;
    if (added.length > 0) findings.differ(`${kind}-added`, says(added, 'added'), at);
    if (removed.length > 0) findings.differ(`${kind}-removed`, says(removed, 'removed'), at);
  }
  compareNames(base, head, findings);
}

/** Compares the values that only one side lists with the limits of the other side. */
function compareWithLimits(base: Shape, head: Shape, findings: Findings): void {
  const outside = (values: Shape['values'], shape: Shape): readonly Json[] =>
    shape.values === undefined
      ? [...(values?.values() ?? [])].filter((value) => !isWithinLimits(value, shape))
      : [];
  const [refused, admitted] = [outside(base.values, head), outside(head.values, base)];
  if (refused.length > 0)
    findings.differ('value-refused', `No longer valid: ${listOf(refused)}.`, head.valuesAt);
  if (admitted.length > 0)
    findings.differ('value-admitted', `Valid now: ${listOf(admitted)}.`, head.valuesAt);
}

/** The number of values that a message lists. */
const maxListed = 10;

function listOf(values: readonly Json[]): string {
  const texts = values.slice(0, maxListed).map(formatValue);
  const rest = values.length - texts.length;
  return listTexts(rest > 0 ? [...texts, `${rest} more`] : texts, 'and');
}

function shown(values: ReadonlyMap<string, Json> | undefined): string {
  return listOf([...(values?.values() ?? [])]);
}

function compareLimits(base: Shape, head: Shape, findings: Findings): void {
  for (const keyword of new Set([...base.limits.keys(), ...head.limits.keys()])) {
    const [was, is] = [base.limits.get(keyword), head.limits.get(keyword)];
    if (was?.value === is?.value) continue;
    const [before, after] = [amount(keyword, was), amount(keyword, is)];
    // `minimum` and `exclusiveMinimum` limit the same side: the one that is kept replaces the other.
    const twin = twinOf(keyword);
    const [wasTwin, isTwin] = [base.limits.get(twin), head.limits.get(twin)];
    const isReplaced = is === undefined && isTwin !== undefined;
    if (isReplaced) continue;
    const opposed = was === undefined ? wasTwin : undefined;
    const at = is?.at ?? was?.at;
    if (at === undefined) continue;
    const isTighter =
      opposed === undefined
        ? (after - before) * (isLower(keyword) ? 1 : -1) > 0
        : isTighterThan(keyword, after, opposed, base.isInteger && head.isInteger);
    if (isTighter === undefined) continue;
    const words =
      opposed === undefined
        ? formatChange(nameOfLimit(keyword, was, is), written(keyword, was), written(keyword, is))
        : `\`${opposed.keyword}\` ${formatValue(opposed.value)} is \`${keyword}\` ${formatValue(after)} now.`;
    findings.differ(isTighter ? 'limit-tightened' : 'limit-loosened', words, at, {
      side: is === undefined ? 'base' : 'head',
    });
  }
}

/** Names a limit: by its keyword, unless that is another one than the limit of integers is compared as. */
function nameOfLimit(keyword: string, ...limits: readonly (Placed | undefined)[]): string {
  if (limits.every((limit) => limit === undefined || limit.keyword === keyword))
    return `\`${keyword}\``;
  return isLower(keyword) ? 'The lowest valid integer' : 'The highest valid integer';
}

function written(keyword: string, limit: Placed<number> | undefined): Json | undefined {
  return keyword === 'format' && limit !== undefined ? `int${limit.value}` : limit?.value;
}

/** Returns the limit, or the one that applies where the keyword is not set (JSON Schema Validation 2020-12, section 6). */
function amount(keyword: string, limit: Placed<number> | undefined): number {
  if (limit !== undefined) return limit.value;
  if (!isLower(keyword)) return Infinity;
  if (keyword === 'minContains') return 1;
  return keyword.endsWith('inimum') ? -Infinity : 0;
}

function twinOf(keyword: string): string {
  const twins: Readonly<Record<string, string>> = {
    minimum: 'exclusiveMinimum',
    exclusiveMinimum: 'minimum',
    maximum: 'exclusiveMaximum',
    exclusiveMaximum: 'maximum',
  };
  return twins[keyword] ?? '';
}

/** Returns whether a limit accepts less than one of the other kind; `undefined` if both accept the same. */
function isTighterThan(
  keyword: string,
  value: number,
  other: Placed<number>,
  isInteger: boolean,
): boolean | undefined {
  const sign = isLower(keyword) ? 1 : -1;
  const steps = ({ keyword: name, value: limit }: { keyword: string; value: number }): number =>
    isInteger ? limit * sign + (name.startsWith('exclusive') ? 1 : 0) : limit * sign;
  const [is, was] = [steps({ keyword, value }), steps(other)];
  if (is !== was) return is > was;
  return isInteger ? undefined : keyword.startsWith('exclusive');
}

function compareRules(base: Shape, head: Shape, findings: Findings): void {
  const added = [...head.rules].filter(([key]) => !base.rules.has(key)).map(([, rule]) => rule);
  const removed = [...base.rules].filter(([key]) => !head.rules.has(key)).map(([, rule]) => rule);
  for (const rule of added) {
    const before = removed.findIndex(({ keyword }) => keyword === rule.keyword);
    const [was] = before < 0 ? [] : removed.splice(before, 1);
    if (was === undefined) addRule(rule, findings);
    else changeRule(was, rule, findings);
  }
  for (const { keyword, value, at } of removed) {
    if (keyword === 'uniqueItems')
      findings.differ('limit-loosened', 'The elements need not be unique.', at, { side: 'base' });
    else
      findings.differ(
        keyword === 'multipleOf' ? 'limit-loosened' : 'rule-removed',
        keyword === 'multipleOf'
          ? formatChange('`multipleOf`', value, undefined)
          : `\`${keyword}\` ${formatValue(value)} was removed.`,
        at,
        { side: 'base' },
      );
  }
}

function addRule({ keyword, value, at }: Placed, findings: Findings): void {
  if (keyword === 'uniqueItems')
    findings.differ('limit-tightened', 'The elements must be unique.', at);
  else if (keyword === 'multipleOf')
    findings.differ('limit-tightened', formatChange('`multipleOf`', undefined, value), at);
  else findings.differ('rule-added', `\`${keyword}\` ${formatValue(value)} was added.`, at);
}

/** A multiple of the old step is tighter, a divisor is looser, and any other step is another rule. */
function changeRule(was: Placed, is: Placed, findings: Findings): void {
  const { keyword } = is;
  const message = formatChange(`\`${keyword}\``, was.value, is.value);
  const divides = (step: Json, larger: Json): boolean => {
    const ratio = Number(larger) / Number(step);
    return Math.abs(ratio - Math.round(ratio)) < 1e-9;
  };
  if (keyword === 'multipleOf' && divides(was.value, is.value))
    findings.differ('limit-tightened', message, is.at);
  else if (keyword === 'multipleOf' && divides(is.value, was.value))
    findings.differ('limit-loosened', message, is.at);
  else findings.differ('rule-changed', message, is.at);
}

/** Returns whether no value can have a member. */
function isRefused({ parts, required }: Member): boolean {
  return required === undefined && parts.some(({ schema }) => schema === false);
}

function isClosed({ rest }: Shape): boolean {
  return rest.some(({ schema }) => schema === false);
}

/** Returns the members that values can have and that are declared. */
function declaredIn({ members }: Shape): ReadonlyMap<string, Member & { readonly at: Place }> {
  return new Map(
    [...members].flatMap(([name, member]) =>
      member.at === undefined || isRefused(member) ? [] : [[name, { ...member, at: member.at }]],
    ),
  );
}

function compareMembers(base: Shape, head: Shape, findings: Findings): void {
  const [was, is] = [declaredIn(base), declaredIn(head)];
  for (const [name, member] of is) {
    const before = was.get(name);
    if (before !== undefined) findings.compare({ base: before.parts, head: member.parts });
    else addMember(name, member, base, findings);
  }
  const come = [...is.keys()].filter((name) => !base.members.has(name));
  for (const [name, member] of was)
    if (!is.has(name)) removeMember(name, member, head, besideRemoved(come), findings);
  for (const name of new Set([...base.members.keys(), ...head.members.keys()])) {
    const [before, after] = [base.members.get(name), head.members.get(name)];
    if ((before?.required === undefined) === (after?.required === undefined)) continue;
    const isRequired = after?.required !== undefined;
    // That a member came or went says whether it is required too, unless it was required without a declaration.
    if (was.has(name) !== is.has(name) && is.has(name) === isRequired) continue;
    const at = after?.at ?? after?.required ?? before?.required;
    if (at === undefined) continue;
    const side = after?.at === undefined && after?.required === undefined ? 'base' : 'head';
    // Types have it as long as it is required, so code that names it does not compile any more.
    if (before?.at === undefined && after === undefined && !isOpened(head))
      findings.differ(
        isClosed(head) ? 'member-refused' : 'member-removed',
        `\`${name}\` was removed.${isClosed(head) ? ' Now it is refused.' : ''}`,
        ownerPlace(at, name),
        { side, member: name, ...(isClosed(head) ? { accepts: 'other' } : {}) },
      );
    else if (after?.required === undefined)
      findings.differ('member-optional', `\`${name}\` is optional now.`, ownerPlace(at, name), {
        side,
        member: name,
      });
    else
      findings.differ('member-required', `\`${name}\` is required now.`, ownerPlace(at, name), {
        member: name,
      });
  }
  compareRest(base, head, 'members', findings);
}

/** Returns the place of a member with the path of the object that has it. */
function ownerPlace(at: Place, name: string): Place {
  const suffix = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return at.path.endsWith(suffix) ? { ...at, path: at.path.slice(0, -suffix.length) } : at;
}

function addMember(
  name: string,
  member: Member & { readonly at: Place },
  base: Shape,
  findings: Findings,
): void {
  const at = ownerPlace(member.at, name);
  const wasRequired = base.members.get(name)?.required;
  if (member.required !== undefined && wasRequired === undefined)
    findings.differ('required-member-added', `\`${name}\` was added and is required.`, at, {
      member: name,
    });
  if (isClosed(base))
    findings.differ(
      'member-admitted',
      `\`${name}\` was added${member.required === undefined ? ' and is optional' : ''}. Before, it was refused.`,
      at,
      { member: name },
    );
  else if (wasRequired !== undefined && !acceptsAnything(member.parts)) {
    // Senders had to send it, with whatever value the rule for other members allows.
    if (base.rest.length > 0) findings.compare({ base: base.rest, head: member.parts });
    else
      findings.differ(
        'type-narrowed',
        `\`${name}\` was not declared, and its value could be anything. Now it is ${schemaName(member.parts)}.`,
        at,
      );
  } else {
    if (member.required === undefined || wasRequired !== undefined)
      findings.differ(
        'optional-member-added',
        wasRequired === undefined
          ? `\`${name}\` was added and is optional.`
          : `\`${name}\` has a schema now.`,
        at,
        { accepts: acceptsAnything(member.parts) ? 'same' : 'fewer', member: name },
      );
    if (base.rest.length > 0) findings.compare({ base: base.rest, head: member.parts });
  }
}

function schemaName([first]: readonly Part[]): string {
  const { reference, types = [] } = new SchemaNode(first?.schema ?? true);
  if (reference !== undefined) return `of the schema ${formatValue(reference)}`;
  if (types.length === 0) return 'described by a schema';
  return `of the type ${types.map((type) => formatValue(type)).join(' or ')}`;
}

function removeMember(
  name: string,
  member: Member & { readonly at: Place },
  head: Shape,
  beside: string,
  findings: Findings,
): void {
  const at = ownerPlace(member.at, name);
  const options = { side: 'base', member: name } as const;
  const isOptional = member.required === undefined;
  if (isClosed(head)) {
    const message = `\`${name}\` was removed. Now it is refused.${beside}`;
    const code = isOptional ? 'optional-member-refused' : 'member-refused';
    findings.differ(code, message, at, { ...options, accepts: isOptional ? 'fewer' : 'other' });
    return;
  }
  const isAnything = acceptsAnything(member.parts);
  if (isOpened(head) && !isAnything) {
    const message = `\`${name}\` is no longer declared, but undeclared members are accepted.${beside}`;
    findings.differ('member-undeclared', message, at, options);
  } else {
    const code = isOptional ? 'optional-member-removed' : 'member-removed';
    findings.differ(code, `\`${name}\` was removed.${beside}`, at, {
      ...options,
      accepts: isAnything && isOptional ? 'same' : 'more',
    });
  }
  if (head.rest.length > 0) findings.compare({ base: member.parts, head: head.rest });
}

/** Returns whether a schema says that it accepts members which it does not declare. */
function isOpened({ choice }: Shape): boolean {
  return choice.conjuncts.some(({ node }) => {
    const additional = node.schema('additionalProperties');
    return additional !== undefined && additional !== false;
  });
}

/** The most members that a removed one is told with. */
const maxBeside = 5;

/** Names the members that came where others went: one of them may be the successor. */
function besideRemoved(come: readonly string[]): string {
  if (come.length === 0 || come.length > maxBeside) return '';
  const names = listTexts(
    come.map((name) => `\`${name}\``),
    'and',
  );
  return ` In the same place, ${names} ${come.length === 1 ? 'was' : 'were'} added.`;
}

/** Compares the schemas of members or elements without a declaration. */
function compareRest(
  base: Shape,
  head: Shape,
  what: 'members' | 'elements',
  findings: Findings,
): void {
  const [wasClosed, isNowClosed] = [isClosed(base), isClosed(head)];
  if (wasClosed && isNowClosed) return;
  const subject = what === 'members' ? 'Members without a declaration' : `Further elements`;
  if (isNowClosed) findings.differ('rule-added', `${subject} are refused now.`, head.restAt);
  else if (wasClosed)
    findings.differ('rule-removed', `${subject} are accepted now.`, base.restAt, { side: 'base' });
  else if (base.rest.length + head.rest.length > 0)
    findings.compare({ base: orAnything(base), head: orAnything(head) });
}

/** Returns the schemas of members or elements without a declaration; every value is valid without any. */
function orAnything({ rest, restAt }: Shape): readonly Part[] {
  return rest.length > 0 ? rest : [{ schema: true, at: { ...restAt, path: `${restAt.path}/*` } }];
}

function compareItems(base: Shape, head: Shape, findings: Findings): void {
  const length = Math.max(base.prefix.length, head.prefix.length);
  for (let position = 0; position < length; position += 1) {
    const partsOf = (shape: Shape): readonly Part[] =>
      shape.prefix[position]?.parts ?? orAnything(shape);
    findings.compare({ base: partsOf(base), head: partsOf(head) });
  }
  compareRest(base, head, 'elements', findings);
}

/** Returns the place of a shape: that of the schema that only its choice has, or else of its type. */
export function placeOfShape({ choice, valuesAt }: Shape): Place {
  const conjunct = choice.conjuncts.find(({ outer }) => outer !== undefined) ?? choice.conjuncts[0];
  return conjunct === undefined ? valuesAt : within(conjunct.at);
}
