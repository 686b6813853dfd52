let picked: string | undefined;

/** Shows the code of the framework that was picked, everywhere at once. */
export function startPicking(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || target.dataset['pick'] === undefined) return;
    picked = target.value;
    showPicked(document);
    target.scrollIntoView({ block: 'nearest' });
  });
}

/** Shows the code of the framework that was picked last in what was made since. */
export function showPicked(within: ParentNode): void {
  const value = picked;
  if (value === undefined) return;
  for (const select of within.querySelectorAll<HTMLSelectElement>('select[data-pick]')) {
    select.value = value;
    for (const option of select.options) option.toggleAttribute('selected', option.value === value);
  }
  for (const choice of within.querySelectorAll<HTMLElement>('[data-choice]'))
    choice.hidden = choice.dataset['choice'] !== value;
}
