/** The documents that describe the service. */
export type DocumentName = 'openapi' | 'asyncapi';

/** What a pointer refers to: a bundled document, or the Arazzo documents as one object with a member for each. */
export type PointerRoot = DocumentName | 'workflows';

/**
 * A place in a bundled document: the document's name, `#`, and an RFC 6901 JSON Pointer,
 * such as `openapi#/paths/~1token/post`. `Documents.locate` turns it into file, line and column.
 */
export type Pointer = `${PointerRoot}#${string}`;

/** Appends members to a pointer, escaped as RFC 6901 requires. */
export function toPointer(parent: Pointer, ...members: readonly (string | number)[]): Pointer {
  let pointer = parent;
  for (const member of members) pointer = toMember(pointer, member);
  return pointer;
}

/** Returns the pointer of a member or an item. */
export function toMember(parent: Pointer, member: string | number): Pointer {
  return `${parent}/${typeof member === 'number' ? member : escapeMember(member)}`;
}

/** Returns the unescaped members of a pointer, with or without the document and `#`. The root has none. */
export function pointerMembers(pointer: string): readonly string[] {
  const path = pointer.startsWith('/') ? pointer : pointer.slice(pointer.indexOf('#') + 1);
  return path === '' ? [] : path.slice(1).split('/').map(unescapeMember);
}

/** Returns whether a pointer is that of a place or of a part of it. */
export function isWithin(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}

/** Returns the local reference to a place from its own document, such as `#/paths/~1token`. */
export function toLocalReference(pointer: Pointer): string {
  return pointer.slice(pointer.indexOf('#'));
}

/** Returns the document that a pointer refers to. */
export function pointerDocument(pointer: Pointer): PointerRoot {
  if (pointer.startsWith('openapi#')) return 'openapi';
  return pointer.startsWith('asyncapi#') ? 'asyncapi' : 'workflows';
}

/** Decodes the percent-encoding of a reference. Returns a reference that is not encoded correctly as it is. */
export function decodeReference(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** Escapes the name of a member for a pointer. */
export function escapeMember(member: string): string {
  // Very few names have either character, and a contract can have a million names.
  if (!member.includes('/') && !member.includes('~')) return member;
  return member.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns a reference to a place in a file, such as `openapi.yaml#/paths/~1token`; the file alone for its root. */
export function citation(file: string, members: readonly string[]): string {
  if (members.length === 0) return file;
  return `${file}#${members.map((member) => `/${escapeMember(member)}`).join('')}`;
}

/** Returns the name of a member that a pointer escapes. */
export function unescapeMember(member: string): string {
  return member.replaceAll('~1', '/').replaceAll('~0', '~');
}
