/** Opens and closes the contents on narrow screens, and marks in them where the reader is. */
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
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    set(false);
    button.focus();
  });
  markPosition(contents);
}

function markPosition(contents: HTMLElement): void {
  const links = new Map<string, HTMLAnchorElement>();
  for (const link of contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]'))
    links.set(link.hash.slice(1), link);
  let current: HTMLAnchorElement | undefined;
  const observer = new IntersectionObserver(
    (seen) => {
      const [entry] = seen
        .filter(({ isIntersecting }) => isIntersecting)
        .toSorted((a, b) => a.boundingClientRect.top - b.boundingClientRect.top);
      const link = entry === undefined ? undefined : links.get(entry.target.id);
      if (link === undefined || link === current) return;
      current?.removeAttribute('aria-current');
      link.setAttribute('aria-current', 'true');
      current = link;
    },
    { rootMargin: '-56px 0px -70% 0px' },
  );
  for (const id of links.keys()) {
    const place = document.getElementById(id);
    if (place !== null) observer.observe(place);
  }
}
