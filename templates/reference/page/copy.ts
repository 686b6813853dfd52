/** Lets the button in a caption copy the code of its figure, but not code in the caption. */
export function startCopying(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || !target.classList.contains('copy')) return;
    const code = target.closest('figure')?.querySelector('pre code');
    if (code !== null && code !== undefined) void copy(code, target);
  });
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
