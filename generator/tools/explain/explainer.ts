import type { Contract, Unstated } from '../../contract/contract.ts';
import type { Documents } from '../../documents/documents.ts';
import { cursorAt } from '../../documents/places.ts';
import { isWithin, type Pointer } from '../../json/pointer.ts';
import { describeRecognition, describeUndecided } from '../../recognition/words.ts';
import { indexSchemas } from '../../schema/references.ts';
import type { OutputFile } from '../../targets/target.ts';
import { type Declaration, declarationsOf } from './declarations.ts';
import { type FileLine, pointersAt, pointersOf } from './place.ts';
import type { Subject } from './subject.ts';
import { subjectsOf } from './subjects.ts';
import { type ReferredSubjects, subjectsOfDeclaration } from './subjects-of-declaration.ts';

/** Returns what decides that a delivery is a notification, and what does not although it could, a line each. */
function recognitionOf(name: string, contract: Contract): readonly string[] {
  const { notifications, recognition } = contract;
  const notification = notifications.find((candidate) => candidate.name === name);
  return [
    ...describeRecognition(notifications, recognition)(name),
    ...(notification === undefined ? [] : describeUndecided(notification, indexSchemas(contract))),
  ];
}

/** A subject of the contract with its ledger entries, generated names and generated files. */
export interface ExplainedSubject {
  readonly subject: Subject;
  /**
   * The ledger entries that concern the subject. Such an entry is within the subject or one of its `statedBy` places,
   * or is used or answered there. An entry directly on the subject's owner concerns it too.
   */
  readonly unstated: readonly Unstated[];
  /** What decides that a delivery is the subject, in words, a line each; empty unless it is a notification. */
  readonly recognition: readonly string[];
  /** The generated names that refer to the subject. */
  readonly declarations: readonly Declaration[];
  /** The paths of the files that are generated from the subject; empty for the contract itself. */
  readonly files: readonly string[];
}

/** The result of a lookup by name or place. */
export interface Explanation {
  /** The generated names that matched; empty if the lookup matched subjects of the contract. */
  readonly declarations: readonly Declaration[];
  readonly explained: readonly ExplainedSubject[];
}

/** Looks up what generated names come from, and what is generated from places of the contract. */
export interface Explainer {
  /**
   * Looks up a name of the contract or of generated code, with exact case first. Returns `undefined` for an unknown
   * name.
   */
  byName(name: string): Explanation | undefined;
  /** Looks up a pointer into a bundled document, with or without the document's name. */
  byPointer(pointer: string): Explanation | undefined;
  /** Looks up a file of the contract and a JSON Pointer in it, as comments of generated code cite them. */
  byCitation(citation: string): Explanation | undefined;
  /** Looks up a line of a contract file; the path is relative as in `Location.file`. */
  byContractLine(place: FileLine): Explanation | undefined;
  /** Looks up a line of a generated file; the path is relative to the output folder. */
  byGeneratedLine(place: FileLine): Explanation | undefined;
  /** All names that `byName` recognizes. */
  readonly names: readonly string[];
}

/** Creates the explainer of a contract and the files that are generated from it. */
export function createExplainer(
  contract: Contract,
  documents: Documents,
  files: readonly OutputFile[],
): Explainer {
  const subjects = subjectsOf(contract);
  const declarations = declarationsOf(files);
  const referred = new Map<Declaration, ReferredSubjects>();
  const namesBySubject = new Map<Subject, Declaration[]>();
  for (const declaration of declarations) {
    const said = subjectsOfDeclaration(declaration, subjects);
    referred.set(declaration, said);
    for (const subject of said.named ? said.subjects : [])
      namesBySubject.set(subject, [...(namesBySubject.get(subject) ?? []), declaration]);
  }

  const explain = (subject: Subject): ExplainedSubject => ({
    subject,
    unstated: contract.unstated.filter((entry) => concerns(entry, subject)),
    recognition: subject.kind === 'notification' ? recognitionOf(subject.name, contract) : [],
    declarations: namesBySubject.get(subject) ?? [],
    files: files
      .filter(({ from }) => from.includes(subject.pointer) && subject.kind !== 'contract')
      .map(({ path }) => path),
  });
  const ofSubjects = (matches: readonly Subject[]): Explanation | undefined =>
    matches.length === 0 ? undefined : { declarations: [], explained: matches.map(explain) };
  const ofDeclarations = (declarations: readonly Declaration[]): Explanation | undefined => {
    if (declarations.length === 0) return undefined;
    const all = new Set(
      declarations.flatMap((declaration) => referred.get(declaration)?.subjects ?? []),
    );
    return { declarations, explained: Array.from(all, explain) };
  };
  const ofPointers = (pointers: readonly Pointer[]): Explanation | undefined =>
    ofSubjects([...new Set(pointers.flatMap((pointer) => nearest(pointer, subjects)))]);

  const byName = (isName: (candidate: string) => boolean): Explanation | undefined =>
    ofSubjects(
      subjects.filter(
        ({ kind, name, aliases }) =>
          isName(name) || (kind !== 'parameter' && kind !== 'question' && aliases.some(isName)),
      ),
    ) ?? ofDeclarations(declarations.filter((declaration) => namesOf(declaration).some(isName)));

  return {
    names: [
      ...new Set([
        ...subjects.flatMap(({ name, aliases }) => [name, ...aliases]),
        ...declarations.flatMap(namesOf),
      ]),
    ],
    byName: (name) =>
      byName((candidate) => candidate === name) ??
      byName((candidate) => candidate.toLowerCase() === name.toLowerCase()),
    byPointer(pointer) {
      const path = pointer.replace(/^(?:openapi|asyncapi)?#/u, '');
      const asked = /^(openapi|asyncapi)#/u.exec(pointer)?.[1];
      const places = (['openapi', 'asyncapi'] as const)
        .filter((name) => asked === undefined || asked === name)
        .map((name): Pointer => `${name}#${path}`);
      return ofPointers(places.filter((place) => cursorAt(documents, place).value !== undefined));
    },
    byCitation: (citation) => ofPointers(pointersOf(documents, citation)),
    byContractLine: (place) => ofPointers(pointersAt(documents, place)),
    byGeneratedLine({ file, line }) {
      const inFile = declarations.filter((declaration) => declaration.file.path === file);
      if (line === undefined) return ofDeclarations(inFile.filter(({ kind }) => kind !== 'member'));
      const before = inFile.filter((declaration) => declaration.line <= line);
      const last = before.reduce((most, declaration) => Math.max(most, declaration.line), 0);
      return ofDeclarations(before.filter((declaration) => declaration.line === last));
    },
  };
}

function namesOf({ name, owner }: Declaration): readonly string[] {
  return owner === undefined ? [name] : [`${owner}.${name}`, name];
}

/** Returns the subjects with the longest pointer that contains a place. */
function nearest(pointer: Pointer, subjects: readonly Subject[]): readonly Subject[] {
  let best: readonly Subject[] = [];
  for (const subject of subjects) {
    if (!isWithin(pointer, subject.pointer)) continue;
    const length = best[0]?.pointer.length ?? -1;
    if (subject.pointer.length > length) best = [subject];
    else if (subject.pointer.length === length) best = [...best, subject];
  }
  return best;
}

function concerns(entry: Unstated, subject: Subject): boolean {
  if (subject.kind === 'contract') return false;
  const { kind, owner } = subject;
  // An entry that is written in the `x-unstated` of the owner itself also concerns its members. An entry of a nested
  // place does not.
  if (owner !== undefined && entry.pointer.startsWith(`${owner.pointer}/x-unstated/`)) return true;
  const ownerPointers = kind === 'value' && owner !== undefined ? [owner.pointer] : [];
  const places = [subject.pointer, ...subject.statedBy, ...ownerPointers];
  const at = [entry.pointer, ...entry.usedBy, ...entry.answers];
  return at.some((place) => places.some((within) => isWithin(place, within)));
}
