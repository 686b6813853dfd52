import { NameRegistry } from 'countersign/kit';

/** The kinds of things that a page has anchors for. */
type AnchorKind =
  | 'call'
  | 'notification'
  | 'message'
  | 'workflow'
  | 'schema'
  | 'security'
  | 'question'
  | 'source'
  | 'tag'
  | 'ambiguous'
  | 'diagram';

/** The anchors of a page: unique, stable while the contract keeps its names, and safe in URLs and attributes. */
export class Anchors {
  readonly #names = new NameRegistry<string>((name) => name.toLowerCase());
  readonly #anchorsByKey = new Map<string, string>();

  /** Returns the anchor of a thing; always the same one for the same thing. */
  of(place: AnchorKind, name: string): string {
    return this.#claim(`${place} ${name}`, `${place}-${toSlug(name)}`);
  }

  /** Returns the anchor of a member of a schema. */
  member(schema: string, member: string): string {
    const anchor = `${this.of('schema', schema)}.${toSlug(member)}`;
    return this.#claim(`member ${schema} ${member}`, anchor);
  }

  #claim(key: string, wanted: string): string {
    const anchor = this.#anchorsByKey.get(key) ?? this.#names.claimFree(wanted, key, '-');
    this.#anchorsByKey.set(key, anchor);
    return anchor;
  }
}

function toSlug(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]+/gu, '-').replaceAll(/^-|-$/gu, '') || 'unnamed';
}
