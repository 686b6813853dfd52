import { highlight } from './highlight.ts';
import { showPicked } from './pick.ts';

/**
 * Renders the content of an entry when it is opened, fills trees from their schemas, and follows links into closed
 * entries.
 */
export function startEntries(): void {
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return;
      // On paper, the members of each schema are below its own heading alone.
      if (target.dataset['printed'] === undefined) fill(target);
    },
    true,
  );
  for (const open of document.querySelectorAll<HTMLDetailsElement>('details[open]')) fill(open);
  highlight(document);
  addEventListener('hashchange', follow);
  document.addEventListener('click', ({ target }) => {
    // A link to the current hash fires no `hashchange`, but its entry may be closed.
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.hash !== undefined && link.hash !== '' && link.hash === location.hash) follow();
  });
  addEventListener('beforeprint', () => {
    for (const entry of document.querySelectorAll<HTMLDetailsElement>('details:not([open])')) {
      // In a large contract, only entries that the reader has opened are printed.
      if (entry.querySelector(':scope > script') !== null) continue;
      entry.dataset['printed'] = '';
      entry.open = true;
    }
  });
  addEventListener('afterprint', () => {
    for (const entry of document.querySelectorAll<HTMLDetailsElement>('details[data-printed]')) {
      delete entry.dataset['printed'];
      entry.open = false;
    }
  });
  if (location.hash !== '') follow();
}

/** Opens every element that contains the target of the page's address, and scrolls to the target. */
function follow(): void {
  const place = findPlace(targetId());
  if (place === null) return;
  for (let at: Element | null = place; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement && !at.open) {
      at.open = true;
      fill(at);
    }
  }
  place.scrollIntoView();
  for (const marked of document.querySelectorAll('.found-here'))
    marked.classList.remove('found-here');
  place.classList.add('found-here');
}

/** Returns the id that the address of the page names, or an empty string. */
export function targetId(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

/** Finds an element by its id. Renders the entry that contains it where that has not happened yet. */
function findPlace(id: string): HTMLElement | null {
  const element = document.getElementById(id);
  if (element !== null) return element;
  const dot = id.lastIndexOf('.');
  const entry = dot === -1 ? null : document.getElementById(id.slice(0, dot));
  if (!(entry instanceof HTMLDetailsElement)) return null;
  fill(entry);
  return document.getElementById(id) ?? entry;
}

function fill(details: HTMLElement): void {
  const later = details.querySelector(':scope > script');
  if (later !== null) {
    const template = document.createElement('template');
    template.innerHTML = later.textContent;
    showPicked(template.content);
    highlight(template.content);
    later.replaceWith(template.content);
  }
  addPermalink(details);
  fillTrees(details);
}

/** Adds the link to an entry that its reader can copy. */
function addPermalink(details: HTMLElement): void {
  const body = details.querySelector(':scope > .entry-body');
  if (body === null || body.querySelector(':scope > .permalink') !== null) return;
  const link = document.createElement('a');
  link.className = 'permalink';
  link.href = `#${details.id}`;
  link.setAttribute('aria-label', 'Link to this entry');
  link.textContent = '#';
  body.prepend(link);
}

/**
 * Makes places for the members of the schemas that a body or a member links to, and fills them, except in closed
 * elements, which are filled when they open.
 */
function fillTrees(within: HTMLElement): void {
  for (const link of within.querySelectorAll<HTMLAnchorElement>(
    '.payload > a.type-name, li > .row > .type > a.type-name',
  )) {
    if (link.classList.contains('with-members')) continue;
    link.classList.add('with-members');
    const place = document.createElement('div');
    place.dataset['schema'] = link.hash.slice(1);
    const row = link.closest('.row');
    if (row === null) {
      link.after(place);
      continue;
    }
    const nested = document.createElement('details');
    nested.className = 'nested';
    const summary = document.createElement('summary');
    summary.textContent = 'members';
    nested.append(summary, place);
    row.parentElement?.append(nested);
  }
  for (const place of within.querySelectorAll<HTMLElement>('[data-schema]')) {
    const closed = place.parentElement?.closest('details:not([open])') ?? null;
    if (closed !== null && within.contains(closed)) continue;
    const entry = document.getElementById(place.dataset['schema'] ?? '');
    if (entry === null) continue;
    delete place.dataset['schema'];
    if (entry.querySelector(':scope > script') !== null) fill(entry);
    const members = entry.querySelector('.members');
    if (members === null) continue;
    place.replaceChildren(...Array.from(members.childNodes, (node) => node.cloneNode(true)));
    for (const copy of place.querySelectorAll('[id]')) copy.removeAttribute('id');
    // A recursive schema opens one level at a time.
    for (const nested of place.querySelectorAll('details')) nested.open = false;
  }
}
