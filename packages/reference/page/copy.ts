/** Lets the button in a caption copy the code of its figure, but not code in the caption. */
export function startCopying(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || !target.classList.contains('copy')) return;
    const code = target.closest('figure')?.querySelector('pre');
    if (code !== null && code !== undefined) void copy(code, target);
  });
}

/** Adds the button that copies code to the caption of its figure. */
export function addCopyButton(code: Element): void {
  const caption = code.closest('figure')?.querySelector('figcaption') ?? null;
  if (caption === null) return;
  const words = document.createElement('span');
  words.append(...caption.childNodes);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  caption.append(words, button);
}

async function copy(code: Element, button: HTMLButtonElement): Promise<void> {
  let word = 'Copied';
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    // The page has no permission, or its origin is not secure. The code is selected, so that the reader can copy it by
    // hand.
    getSelection()?.selectAllChildren(code);
    word = 'Selected';
  }
  button.textContent = word;
  const status = document.getElementById('status');
  if (status !== null) status.textContent = word;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}
