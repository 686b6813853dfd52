import type { FormattedSchemas } from '../asyncapi-types.ts';
import type { Document, NodeType, Oas3Visitor } from '@redocly/openapi-core';
import { type Diagnostic, type Location, createDiagnostic } from '../../diagnostics/diagnostic.ts';
import { type Json, isJsonObject } from '../../json/json.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { follow, readFileOf, readTarget } from '../follow.ts';
import { referenceOf } from '../../json/descend.ts';
import { splitReference } from '../../json/split-reference.ts';
import {
  type MutableJson,
  type MutableObject,
  type Origins,
  isMutableObject,
  toOrigin,
} from '../origins.ts';
import { isInExtension, resolveReferences } from './redocly-walk.ts';
import { toPath } from '../reference.ts';
import { suggestReference } from '../suggest-reference.ts';
import { type ContractResolver, pathOf, UnusableReference } from './resolver.ts';
import { isRefusal, type Source, type Sources } from '../sources.ts';
import type { SpecVersion } from './redocly-modules.ts';

/** A document that is being bundled. */
export interface UnbundledDocument {
  readonly entry: Source;
  readonly root: MutableObject;
  readonly types: Record<string, NodeType>;
  readonly specVersion: SpecVersion;
  readonly sources: Sources;
  readonly origins: Origins;
  /** The schemas with a `schemaFormat` in the files that are read so far; `types` depends on them. */
  readonly formattedSchemas: FormattedSchemas;
}

/** An object with entries of the ledger, `x-unstated`. */
export interface FoundLedger {
  readonly holder: MutableObject;
}

/** The problems of a document's references, and its ledger; `broken` where the references cannot be followed. */
export interface CheckedReferences {
  readonly diagnostics: readonly Diagnostic[];
  /** The references without a usable target. The diagnostics report each of them. */
  readonly dangling: readonly DanglingReference[];
  readonly ledgers: readonly FoundLedger[];
  readonly broken: boolean;
}

/**
 * Follows every reference of a document, and reads the files that it needs. Reports each reference without a target at
 * the place where it is written. Replaces references to example files by their content, which is data from then on.
 */
export async function checkReferences(
  draft: UnbundledDocument,
  document: Document,
  resolver: ContractResolver,
): Promise<CheckedReferences> {
  const diagnostics: Diagnostic[] = [];
  const dangling: DanglingReference[] = [];
  const examples: ExampleReference[] = [];

  const locate = (source: string, pointer: string, ...more: readonly string[]): Location => {
    const members = [...pointerMembers(pointer === '#/' ? '' : pointer), ...more];
    const file = draft.sources.get(source);
    const written =
      file === undefined || source === draft.entry.path
        ? draft.origins.find(draft.root, members, draft.entry)
        : { source: file, members };
    return written.source.locate(written.members);
  };

  const ledgers: FoundLedger[] = [];
  const visitor: Oas3Visitor = {
    ref(node, context, resolved) {
      if (resolved.node !== undefined || isInExtension(context)) return;
      const { location } = context;
      const base = pathOf(location.source);
      const at = locate(base, location.pointer, '$ref');
      diagnostics.push(...explainReference(draft, base, node.$ref, at, resolved.error));
      const holder = node as object as MutableObject;
      dangling.push({ holder, member: '$ref', base });
    },
    any(node: MutableJson, { type, location }) {
      if (isMutableObject(node) && Object.hasOwn(node, 'x-unstated'))
        ledgers.push({ holder: node });
      for (const example of exampleReferences(type.name, node)) {
        const base = pathOf(location.source);
        const at = (): Location =>
          locate(base, location.pointer, example.member, ...example.within);
        examples.push({ ...example, base, at });
      }
    },
  };

  try {
    const { specVersion, types } = draft;
    const { walk } = await resolveReferences(document, specVersion, types, resolver);
    walk([visitor]);
  } catch (error) {
    return {
      diagnostics: explainFailure(draft, error),
      dangling: [],
      ledgers: [],
      broken: true,
    };
  }

  await readFilesOf(examples, draft.sources);
  for (const example of examples) {
    const problems = await inlineExample(draft, example);
    if (problems.length === 0) continue;
    diagnostics.push(...problems);
    const { base, holder, member } = example;
    const value = holder[member];
    dangling.push(
      isMutableObject(value) ? { holder: value, member: '$ref', base } : { holder, member, base },
    );
  }
  return { diagnostics, dangling, ledgers, broken: false };
}

/** A reference without a usable target. */
interface DanglingReference {
  readonly holder: MutableObject;
  /** The member of the holder with the reference: `$ref` or `externalValue`. */
  readonly member: string;
  /** The file that the reference is written in. */
  readonly base: string;
}

function explainReference(
  { entry, root, sources }: UnbundledDocument,
  base: string,
  reference: string,
  at: Location,
  error: Error | undefined,
): readonly Diagnostic[] {
  if (error instanceof UnusableReference) {
    const { result } = error;
    if (isRefusal(result)) return [createDiagnostic(result.code, result.message, at, result)];
    if (result.diagnostics.length > 0) return result.diagnostics;
    const message = `\`${reference}\` refers to an empty file.`;
    return [createDiagnostic('unresolved-reference', message, at)];
  }
  const message = `\`${reference}\` refers to a member that does not exist.`;
  const { uri } = splitReference(reference);
  const to = uri === '' ? { path: base } : toPath(base, uri);
  const path = 'path' in to ? to.path : '';
  // Overlays can have changed the entry file.
  const target = path === entry.path ? root : sources.get(path)?.value;
  const help = suggestReference(target, reference);
  return [createDiagnostic('unresolved-reference', message, at, { help })];
}

/**
 * Explains why Redocly could not follow the references. Reports each circular reference at its place, and any other
 * reason at the start of the document.
 */
function explainFailure(draft: UnbundledDocument, error: unknown): readonly Diagnostic[] {
  const start = draft.entry.locate([]);
  if (error instanceof RangeError) {
    return [createDiagnostic('contract-too-large', 'The chain of references is too long.', start)];
  }
  const circles: Diagnostic[] = [];
  for (const source of draft.sources.all()) {
    const visit = (value: Json | undefined, members: readonly string[]): void => {
      const reference = referenceOf(value);
      if (reference !== undefined && follow(draft.sources, source, reference) === 'circular') {
        const at = source.locate([...members, '$ref']);
        circles.push(
          createDiagnostic('unresolved-reference', `\`${reference}\` is a circular reference.`, at),
        );
      }
      if (typeof value !== 'object' || value === null) return;
      for (const [member, child] of Object.entries(value)) {
        if (typeof child === 'object') visit(child, [...members, member]);
      }
    };
    visit(source.value, []);
  }
  if (circles.length > 0) return circles;
  const reason = error instanceof Error ? error.message : String(error);
  return [
    createDiagnostic('unresolved-reference', `References cannot be followed: ${reason}.`, start),
  ];
}

interface FoundExample {
  readonly holder: MutableObject;
  readonly member: string;
  /** The members from the holder's member to where the reference itself is written. */
  readonly within: readonly string[];
  readonly reference: string;
}

interface ExampleReference extends FoundExample {
  /** The file that the reference is written in. */
  readonly base: string;
  /** Returns where it is written. Call it only to report a mistake, because it reads the file again. */
  readonly at: () => Location;
}

function exampleReferences(type: string, node: MutableJson): readonly FoundExample[] {
  if (!isMutableObject(node)) return [];
  if (type === 'Example') {
    const { externalValue } = node;
    return typeof externalValue === 'string' && node.value === undefined
      ? [{ holder: node, member: 'externalValue', within: [], reference: externalValue }]
      : [];
  }
  if (type !== 'MessageExample' && type !== 'InvalidExample') return [];
  return ['payload', 'headers'].flatMap((member) => {
    const value = node[member];
    const reference = referenceOf(value);
    // A `$ref` with siblings is not a reference, but a member of the value that has this name.
    return reference === undefined || !isJsonObject(value) || Object.keys(value).length > 1
      ? []
      : [{ holder: node, member, within: ['$ref'], reference }];
  });
}

/** Reads all files of examples in parallel, before the examples are replaced one by one. */
async function readFilesOf(examples: readonly ExampleReference[], sources: Sources): Promise<void> {
  await Promise.all(
    examples.map(({ reference, base }) => readFileOf(sources, base, splitReference(reference).uri)),
  );
}

async function inlineExample(
  { sources, origins }: UnbundledDocument,
  { holder, member, reference, base, at }: ExampleReference,
): Promise<readonly Diagnostic[]> {
  const external = member === 'externalValue';
  // An example is data: what looks like a reference in it is not followed.
  const named = external ? splitReference(reference).uri : reference;
  const target = await readTarget(sources, base, named, at);
  if ('length' in target) {
    // `externalValue` may be any URL that a human reader can open; only files become part of the contract.
    return external ? target.filter(({ code }) => code !== 'remote-reference') : target;
  }
  const { value } = target;
  const origin = toOrigin(target.source, target.members);
  if (external) delete holder.externalValue;
  const place = external ? 'value' : member;
  holder[place] = origins.adopt(value, origin);
  if (typeof value !== 'object' || value === null) {
    origins.setMember(holder, place, origin);
  }
  return [];
}
