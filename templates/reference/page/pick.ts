/** Shows the code of the framework that was picked, everywhere at once. */
export function startPicking(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || target.dataset['pick'] === undefined) return;
    show(document, target.value);
    for (const template of document.querySelectorAll('template'))
      show(template.content, target.value);
    target.scrollIntoView({ block: 'nearest' });
  });
}

function show(within: ParentNode, value: string): void {
  for (const select of within.querySelectorAll<HTMLSelectElement>('select[data-pick]')) {
    select.value = value;
    for (const option of select.options) option.toggleAttribute('selected', option.value === value);
  }
  for (const choice of within.querySelectorAll<HTMLElement>('[data-choice]'))
    choice.hidden = choice.dataset['choice'] !== value;
}
