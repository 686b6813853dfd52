import { NameRegistry } from '../../contract/lower/names.ts';

/** What a page has places for. */
export type Place =
  | 'call'
  | 'notification'
  | 'schema'
  | 'security'
  | 'question'
  | 'source'
  | 'tag'
  | 'ambiguous'
  | 'diagram';

/** Names of places in a page: unique, stable while the contract keeps its names, safe in URLs and attributes. */
export class Anchors {
  readonly #names = new NameRegistry<string>((name) => name.toLowerCase());
  readonly #known = new Map<string, string>();

  /** The anchor of a thing; the same for the same thing. */
  of(place: Place, name: string): string {
    const key = `${place} ${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const wanted = `${place}-${toSlug(name)}`;
    const anchor = this.#names.claimFree(wanted, key, '-');
    this.#known.set(key, anchor);
    return anchor;
  }

  /** The anchor of a member of a schema. */
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
