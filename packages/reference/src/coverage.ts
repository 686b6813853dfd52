import type { ContractNode, JsonSchema, PointerRoot } from 'countersign';
import { Cursor, pointerMembers, textsIn } from 'countersign/companion/values';
import { type Contract, type Parameter, SchemaNode, subschemasOf } from 'countersign/kit';
import { type Html, html, joinEach } from './html.ts';
import { type Page, part, table } from './page.ts';
import { workflowAnchor } from './workflows.ts';

/** A part of the contract that cites a section, with its anchor in the page. */
interface Fact {
  readonly title: string;
  readonly anchor: string;
}

/**
 * A section of the source document, with the parts of the contract that cite it and the questions that it leaves open.
 */
export interface Section {
  readonly name: string;
  readonly facts: readonly Fact[];
  /** The questions without a confirmed answer. */
  readonly questions: readonly Fact[];
  /** The questions that somebody has answered since. */
  readonly answered: readonly Fact[];
}

/** Returns every section that the contract cites, in the order of the source document. */
export function coverSections(page: Page): readonly Section[] {
  const { contract, anchors } = page;
  type Kind = Exclude<keyof Section, 'name'>;
  const sections = new Map<string, Readonly<Record<Kind, Map<string, Fact>>>>();
  const cite = (
    source: readonly string[],
    title: string,
    anchor: string,
    kind: Kind = 'facts',
  ): void => {
    for (const name of source) {
      const section = sections.get(name) ?? {
        facts: new Map(),
        questions: new Map(),
        answered: new Map(),
      };
      sections.set(name, section);
      if (!section[kind].has(title)) section[kind].set(title, { title, anchor });
    }
  };
  const { info } = contract;
  cite(info.source, info.title, 'overview');
  for (const server of info.servers) cite(server.source, `server ${server.url}`, 'overview');
  const citeParts = (
    name: string,
    anchor: string,
    { source }: ContractNode,
    parameters: readonly Parameter[],
  ): void => {
    cite(source, name, anchor);
    for (const parameter of parameters) cite(parameter.source, `${name} ${parameter.name}`, anchor);
  };
  for (const operation of contract.operations) {
    const { id, name, parameters, responses } = operation;
    const anchor = anchors.of('call', id);
    citeParts(name, anchor, operation, parameters);
    for (const response of responses)
      citeParts(`${name} ${response.status}`, anchor, response, response.headers);
  }
  for (const notification of contract.notifications) {
    const { id, name, label, headers } = notification;
    const parameters = [...(label?.parameters ?? []), ...headers];
    citeParts(name, anchors.of('notification', id), notification, parameters);
  }
  for (const workflow of contract.workflows) {
    const source = [workflow, ...workflow.steps].flatMap((node) => node.source);
    cite(source, `workflow ${workflow.id}`, workflowAnchor(page, workflow));
  }
  for (const { source, id } of contract.security) cite(source, id, anchors.of('security', id));
  for (const schema of contract.schemas) {
    if (schema.origin === 'wire' || schema.origin === 'request') continue;
    const anchor = anchors.of('schema', schema.name);
    cite(schema.source, schema.typeName, anchor);
    for (const variant of schema.variants) {
      cite(variant.source, `${schema.typeName}, form ${variant.name}`, anchor);
    }
    if (schema.origin !== 'variant')
      citeMembers(page, schema.name, schema.typeName, schema.definition, cite);
  }
  for (const { id, source, settled } of contract.unstated) {
    const kind = settled === undefined ? 'questions' : 'answered';
    cite(source, id, anchors.of('question', id), kind);
  }
  // The parts above have their own links. A citation elsewhere in the documents is listed only where they cite nothing.
  const linked = new Set(
    Array.from(sections).flatMap(([name, { facts }]) => (facts.size === 0 ? [] : [name])),
  );
  for (const { source, title } of documentCitations(contract)) {
    const unlinkedSections = source.filter((name) => !linked.has(name));
    cite(unlinkedSections, title, 'overview');
  }
  return Array.from(sections, ([name, { facts, questions, answered }]) => ({
    name,
    facts: [...facts.values()],
    questions: [...questions.values()],
    answered: [...answered.values()],
  })).toSorted((a, b) => compareSections(a.name, b.name));
}

function citeMembers(
  page: Page,
  schema: string,
  title: string,
  definition: JsonSchema,
  cite: (source: readonly string[], title: string, anchor: string) => void,
): void {
  for (const { keyword, path, schema: part } of subschemasOf(definition, 'value', 'child')) {
    if (keyword !== 'properties') {
      citeMembers(page, schema, keyword === 'items' ? `${title}[]` : title, part, cite);
      continue;
    }
    const name = String(path[1]);
    // Nested members do not have an anchor, so the link leads to the schema.
    const isNested = title.includes('.');
    const anchor = isNested ? page.anchors.of('schema', schema) : page.anchors.member(schema, name);
    cite(new SchemaNode(part).source, `${title}.${name}`, anchor);
    citeMembers(page, schema, `${title}.${name}`, part, cite);
  }
}

/** Yields every citation in the bundled documents, except those in answers, with the path of the object that has it. */
function* documentCitations({
  documents: { openapi, asyncapi, workflows },
}: Contract): Generator<{ source: readonly string[]; title: string }> {
  for (const [name, document] of Object.entries({ openapi, asyncapi, workflows })) {
    for (const at of Cursor.ofDocument(document ?? {}, name as PointerRoot).withDescendants()) {
      const source = textsIn(at.valueIn('x-source'));
      if (source.length === 0) continue;
      const members = pointerMembers(at.pointer);
      // What an answer would write cites a section, but the contract does not have it.
      if (members.includes('x-unstated')) continue;
      yield { source, title: [name, ...members].join(' ') };
    }
  }
}

/** Compares two sections part by part: numbers by value, other parts by code unit. */
function compareSections(first: string, second: string): number {
  const [a, b] = [first.split('.'), second.split('.')];
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const [x = '', y = ''] = [a[at], b[at]];
    if (x === y) continue;
    const [m, n] = [Number(x), Number(y)];
    if (x !== '' && y !== '' && Number.isFinite(m) && Number.isFinite(n) && m !== n) return m - n;
    return x < y ? -1 : 1;
  }
  return 0;
}

/** Returns the numbers of sections that are skipped between cited sections. The contract cites nothing from them. */
function skippedSections(sections: readonly Section[]): readonly string[] {
  const children = new Map<string, Set<number>>();
  for (const { name } of sections) {
    if (!/^\d+(?:\.\d+)*$/u.test(name)) continue;
    const parts = name.split('.').map(Number);
    for (let depth = 0; depth < parts.length; depth += 1) {
      const parent = parts.slice(0, depth).join('.');
      children.set(parent, (children.get(parent) ?? new Set()).add(parts[depth] ?? 0));
    }
  }
  const skipped: string[] = [];
  for (const [parent, numbers] of children) {
    const last = Math.max(...numbers);
    // A large number is a year or a code, not the last section of a list.
    if (last > 200) continue;
    for (let number = 1; number < last; number += 1) {
      if (!numbers.has(number)) skipped.push(parent === '' ? `${number}` : `${parent}.${number}`);
    }
  }
  return skipped.toSorted(compareSections);
}

/** Renders the sections of the source document, each with the parts of the contract that cite it. */
export function coverageSection(page: Page, sections: readonly Section[]): Html {
  const { sourceDocument } = page.contract.info;
  if (sections.length === 0) return html``;
  const skipped = skippedSections(sections);
  const isAnswered = sections.some(({ answered }) => answered.length > 0);
  const rows = sections.map(({ name, facts, questions, answered }) => {
    const links = (list: readonly Fact[]): Html =>
      joinEach(list, ' ', ({ title, anchor }) => html`<a href="#${anchor}">${title}</a>`);
    return html`<tr id="${page.anchors.of('source', name)}">
      <th scope="row">§${name}</th>
      <td class="count">${facts.length}</td>
      <td class="facts">${links(facts)}</td>
      <td class="facts open">${links(questions)}</td>
      ${isAnswered && html`<td class="facts">${links(answered)}</td>`}
    </tr>`;
  });
  const gaps =
    skipped.length === 0
      ? undefined
      : html`<p class="note">
          Between these, nothing cites
          ${joinEach(skipped, ' ', (name) => html`<span class="gap">§${name}</span>`)}
        </p>`;
  const document =
    sourceDocument === undefined ? html`the source document` : html`<cite>${sourceDocument}</cite>`;
  const stating = sections.filter(({ facts }) => facts.length > 0).length;
  const lead = html`Every section of ${document} that the contract cites, what is taken from it, and
    what it leaves open. Of ${sections.length}, parts of the contract cite ${stating}; questions
    alone cite the others. The marks <span class="source">§</span> across this page lead here.`;
  const columns = [
    'Section',
    'Parts',
    'Parts of the contract that cite it',
    'What it leaves open',
    ...(isAnswered ? ['Answered since'] : []),
  ];
  const body = html`${gaps} ${table('coverage', 'Sections of the source document', columns, rows)}`;
  return part('coverage', 'Source coverage', undefined, lead, body);
}
