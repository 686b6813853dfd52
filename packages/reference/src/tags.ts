import { isJsonObject } from 'countersign/companion/values';
import type { Contract, Json } from 'countersign/kit';
import { html, inline, type Html } from './html.ts';
import type { Page } from './page.ts';

/** A call or a notification, by its tags. */
interface Tagged {
  readonly tags: readonly string[];
}

/** Calls or notifications with the same first tag. */
interface TagGroup<Item> {
  /** The tag; `undefined` for the group without a tag. */
  readonly tag: string | undefined;
  readonly description: string | undefined;
  readonly items: readonly Item[];
}

/**
 * Groups calls or notifications by their first tag. Declared tags come first, in the order of the documents, then other
 * tags in the order of their first use, then items without a tag.
 */
export function groupByTag<Item extends Tagged>(
  { documents }: Contract,
  items: readonly Item[],
): readonly TagGroup<Item>[] {
  const declared = declaredTags(documents);
  const groups = Map.groupBy(items, ({ tags: [tag] }) => tag);
  const used = [...groups.keys()].filter((tag) => tag !== undefined && !declared.has(tag));
  return [...declared.keys(), ...used, undefined].flatMap((tag) => {
    const members = groups.get(tag);
    const description = tag === undefined ? undefined : declared.get(tag);
    return members === undefined ? [] : [{ tag, description, items: members }];
  });
}

/** Returns the descriptions of the tags that the documents declare, by name. */
function declaredTags({
  openapi,
  asyncapi,
}: Contract['documents']): ReadonlyMap<string, string | undefined> {
  const info = asyncapi?.['info'];
  const lists = [openapi?.['tags'], isJsonObject(info) ? info['tags'] : undefined];
  const tags = lists
    .flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []))
    .filter(isJsonObject);
  return new Map(
    tags.flatMap(({ name, description }) =>
      typeof name === 'string'
        ? [[name, typeof description === 'string' ? description : undefined] as const]
        : [],
    ),
  );
}

/** Returns the title of a group. */
export function groupTitle(kind: 'call' | 'notification', tag: string | undefined): string {
  return tag ?? (kind === 'call' ? 'Other calls' : 'Other notifications');
}

/** Renders the entries of calls or notifications under their tags. In a large contract, the groups are collapsed. */
export function tagGroups<Item extends Tagged>(
  { contract, anchors, large }: Page,
  kind: 'call' | 'notification',
  items: readonly Item[],
  show: (item: Item) => Html,
): Html {
  const groups = groupByTag(contract, items);
  if (groups.every(({ tag }) => tag === undefined)) return html`${items.map(show)}`;
  const sections = groups.map(({ tag, description, items: members }) => {
    const anchor = anchors.of('tag', `${kind} ${tag ?? ''}`);
    const title = html`<h3>
      ${groupTitle(kind, tag)} <span class="count">${members.length}</span>
    </h3>`;
    const about =
      description === undefined ? undefined : html`<p class="lead">${inline(description)}</p>`;
    const entries = html`${about}${members.map(show)}`;
    return large
      ? html`<details class="tag-group" id="${anchor}">
          <summary>${title}</summary>
          ${entries}
        </details>`
      : html`<section class="tag-group" id="${anchor}">${title}${entries}</section>`;
  });
  return html`${sections}`;
}
