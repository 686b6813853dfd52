type Findable = readonly [kind: string, title: string, detail: string, anchor: string];

/** The members or values of a schema: their kind, its name and anchor, and what is found, with further text. */
type Group = readonly [
  kind: 'members' | 'values',
  typeName: string,
  anchor: string,
  items: readonly (string | readonly [name: string, detail: string])[],
];

/** Returns what the search finds by an item of the page's data. */
function toFindables(item: Findable | Group): readonly Findable[] {
  if (!isGroup(item)) return [item];
  const [kind, typeName, anchor, items] = item;
  return items.map((named) => {
    const [name, detail] = typeof named === 'string' ? [named, ''] : named;
    const title = `${typeName}.${name}`;
    if (kind === 'values') return ['value', title, detail, anchor];
    const slug = name.replaceAll(/[^A-Za-z0-9_]+/gu, '-').replaceAll(/^-|-$/gu, '');
    return ['member', title, detail, `${anchor}.${slug || 'unnamed'}`];
  });
}

function isGroup(item: Findable | Group): item is Group {
  return typeof item[3] !== 'string';
}

/** The maximum number of results. Typing another letter narrows them. */
const most = 30;

/**
 * Searches while the reader types. Arrow keys select a result, Enter opens it, `/` focuses the field and Escape closes
 * the list.
 */
export function startSearch(): void {
  const input = document.querySelector<HTMLInputElement>('#search');
  const list = document.querySelector<HTMLElement>('#found');
  const data = document.getElementById('findable')?.textContent;
  if (input === null || list === null || data === undefined) return;
  let index: readonly (readonly [Findable, string, string])[] | undefined;
  let chosen = -1;

  const choose = (next: number): void => {
    const options = [...list.querySelectorAll<HTMLElement>('[role=option]')];
    options[chosen]?.setAttribute('aria-selected', 'false');
    chosen = options.length === 0 ? -1 : (next + options.length) % options.length;
    const option = options[chosen];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', option.id);
  };
  const close = (): void => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
    chosen = -1;
  };
  const show = (): void => {
    const words = input.value.toLowerCase().split(/\s+/u).filter(Boolean);
    if (words.length === 0) return close();
    index ??= (JSON.parse(data) as readonly (Findable | Group)[])
      .flatMap(toFindables)
      .map((item) => [item, item[1].toLowerCase(), item.join(' ').toLowerCase()]);
    const ranked = index
      .flatMap(([item, title, text]) => {
        const rank = rankOf(words, item[0], title, text);
        return rank === undefined ? [] : [{ item, rank }];
      })
      .toSorted((a, b) => compareRanks(a.rank, b.rank))
      .slice(0, most);
    const rows = ranked.map(({ item }, position) => toOption(item, position));
    if (rows.length === 0) {
      const none = element('div', 'none', `Nothing has “${input.value.trim()}” in it`);
      none.setAttribute('role', 'option');
      none.setAttribute('aria-disabled', 'true');
      list.replaceChildren(none);
    } else list.replaceChildren(...rows);
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    chosen = -1;
    input.removeAttribute('aria-activedescendant');
    if (rows.length > 0) choose(0);
  };
  const go = (option: Element | undefined | null): void => {
    const anchor = option instanceof HTMLElement ? option.dataset['anchor'] : undefined;
    if (anchor === undefined) return;
    close();
    input.value = '';
    input.blur();
    if (location.hash === `#${anchor}`) dispatchEvent(new Event('hashchange'));
    else location.hash = anchor;
  };

  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close();
      input.blur();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      choose(chosen + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(list.querySelectorAll('[role=option]')[chosen]);
    }
  });
  // Handles `mousedown`, which precedes `blur`. The field keeps the focus, so the list stays open until the choice is
  // made.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault();
    go(event.target instanceof Element ? event.target.closest('[role=option]') : undefined);
  });
  input.addEventListener('blur', close);
  document.addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof Element && event.target.closest('input, textarea, select');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

type Rank = readonly [match: number, kind: number, length: number];

/** Kinds of results in the order in which equal matches are listed. */
const kinds = ['call', 'notification', 'security', 'question', 'schema', 'value', 'member'];

/**
 * Ranks by how well the words match, then by kind, then by the length of the title. Smaller is better; `undefined`
 * where a word is missing.
 */
function rankOf(
  words: readonly string[],
  kind: string,
  title: string,
  text: string,
): Rank | undefined {
  let match = 0;
  for (const word of words) {
    if (title === word) continue;
    else if (title.startsWith(word)) match += 1;
    else if (title.includes(word)) match += 2;
    else if (text.includes(word)) match += 4;
    else return undefined;
  }
  const place = kinds.indexOf(kind);
  return [match, place === -1 ? kinds.length : place, title.length];
}

function compareRanks(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function toOption([kind, title, detail, anchor]: Findable, position: number): HTMLElement {
  const option = element('div', `result of-${kind}`, '');
  option.id = `found-${position}`;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  option.dataset['anchor'] = anchor;
  option.append(
    element('span', 'kind', kind),
    element('span', 'title', title),
    element('span', 'detail', detail),
  );
  return option;
}

function element(name: string, className: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
