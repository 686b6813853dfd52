/** The option that the reader selected last in each group of choices. */
const picked = new Map<string, string>();

/** Shows the code that the reader selects, such as that of a framework, in every entry. */
export function startPicking(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    const group = target.dataset['pick'];
    if (group === undefined) return;
    picked.set(group, target.value);
    showPicked(document);
    target.scrollIntoView({ block: 'nearest' });
  });
}

/** Shows the selected code inside an element. */
export function showPicked(within: ParentNode): void {
  for (const [group, value] of picked) {
    for (const select of within.querySelectorAll<HTMLSelectElement>(`[data-pick="${group}"]`)) {
      select.value = value;
      for (const option of select.options)
        option.toggleAttribute('selected', option.value === value);
    }
    for (const choice of within.querySelectorAll<HTMLElement>(`[data-choice^="${group} "]`))
      choice.hidden = choice.dataset['choice'] !== `${group} ${value}`;
  }
}
