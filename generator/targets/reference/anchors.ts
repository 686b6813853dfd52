import { NameRegistry } from '../../contract/lower/names.ts';

/** The kinds of things that a page has anchors for. */
export type AnchorKind =
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
  readonly #known = new Map<string, string>();

  /** Returns the anchor of a thing; always the same one for the same thing. */
  of(place: AnchorKind, name: string): string {
    const key = `${place} ${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const wanted = `${place}-${toSlug(name)}`;
    const anchor = this.#names.claimFree(wanted, key, '-');
    this.#known.set(key, anchor);
    return anchor;
  }

  /** Returns the anchor of a member of a schema. */
  member(schema: string, member: string): string {
    const key = `member ${schema} ${member}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const anchor = this.#names.claimFree(
      `${this.of('schema', schema)}.${toSlug(member)}`,
      key,
      '-',
    );
    this.#known.set(key, anchor);
    return anchor;
  }
}

function toSlug(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]+/gu, '-').replaceAll(/^-|-$/gu, '') || 'unnamed';
}
