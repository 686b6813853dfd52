import { targetId } from './entries.ts';

/** Opens and closes the table of contents on narrow screens, and marks the reader's position in it. */
export function startMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('button.menu');
  const contents = document.querySelector<HTMLElement>('#contents');
  if (button === null || contents === null) return;
  const set = (open: boolean): void => {
    button.setAttribute('aria-expanded', String(open));
    contents.classList.toggle('open', open);
    if (open) contents.focus();
  };
  button.addEventListener('click', () => set(button.getAttribute('aria-expanded') !== 'true'));
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) set(false);
  });
  // The open contents cover the page, so that a focus behind them would not be seen.
  contents.addEventListener('focusout', ({ relatedTarget }) => {
    if (button.getAttribute('aria-expanded') !== 'true' || relatedTarget === button) return;
    if (relatedTarget instanceof Node && !contents.contains(relatedTarget)) set(false);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    set(false);
    button.focus();
  });
  markPosition(contents);
}

/**
 * Marks the link to the topmost visible entry, rather than to its section. After a jump, the followed link stays marked
 * until the reader scrolls, even where the page is too short to scroll its target to the top.
 */
function markPosition(contents: HTMLElement): void {
  const links = new Map<string, HTMLAnchorElement>();
  for (const link of contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]'))
    links.set(link.hash.slice(1), link);
  const visible = new Set<Element>();
  let current: HTMLAnchorElement | undefined;
  let hasJumped = false;

  const mark = (link: HTMLAnchorElement | undefined): void => {
    if (link === undefined || link === current) return;
    current?.removeAttribute('aria-current');
    const group = link.closest('details');
    const before = current?.closest('details') ?? null;
    if (before !== group && before?.dataset['opened'] !== undefined) {
      delete before.dataset['opened'];
      before.open = false;
    }
    if (group !== null && !group.open) {
      group.dataset['opened'] = '';
      group.open = true;
    }
    link.setAttribute('aria-current', 'true');
    current = link;
    const { top, bottom } = link.getBoundingClientRect();
    const frame = contents.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom)
      contents.scrollTop += top - frame.top - frame.height / 3;
  };
  const markVisible = (): void => {
    const places = [...visible].filter((place) => !contains(place, visible));
    const [first] = places.toSorted(
      (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
    );
    mark(links.get(first?.id ?? ''));
  };
  const markTarget = (): void => {
    let place = document.getElementById(targetId());
    while (place !== null && !links.has(place.id)) place = place.parentElement;
    if (place === null) return;
    hasJumped = true;
    mark(links.get(place.id));
  };

  const observer = new IntersectionObserver(
    (changes) => {
      for (const { isIntersecting, target } of changes) {
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      }
      if (!hasJumped) markVisible();
    },
    // Leaves out the bar at the top, and the margin that a jump leaves above its target.
    { rootMargin: '-73px 0px -70% 0px' },
  );
  for (const id of links.keys()) {
    const place = document.getElementById(id);
    if (place !== null) observer.observe(place);
  }
  for (const event of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(event, () => (hasJumped = false), { passive: true });
  addEventListener('hashchange', markTarget);
  markTarget();
}

function contains(place: Element, places: ReadonlySet<Element>): boolean {
  return [...places].some((other) => other !== place && place.contains(other));
}
