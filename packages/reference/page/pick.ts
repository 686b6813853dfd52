/** The option that the reader selected last in each group of choices. */
const picked = new Map<string, string>();

/** Shows the code that the reader selects, such as that of a framework, in every entry. */
export function startPicking(): void {
  showPicked(document);
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    const group = target.dataset['pick'];
    if (group === undefined) return;
    picked.set(group, target.value);
    showPicked(document);
    target.scrollIntoView({ block: 'nearest' });
  });
}

/** The words in front of the field of each group. */
const words: Readonly<Record<string, string>> = {
  framework: 'Receive it with',
  language: 'Call it with',
};

/** Adds the fields that select code inside an element, and shows the code that was selected before. */
export function showPicked(within: ParentNode): void {
  for (const first of within.querySelectorAll<HTMLElement>('[data-choice]:not([hidden])'))
    addField(first);
  for (const [group, value] of picked) {
    for (const select of within.querySelectorAll<HTMLSelectElement>(`[data-pick="${group}"]`))
      select.value = value;
    for (const choice of within.querySelectorAll<HTMLElement>(`[data-choice="${group}"]`))
      choice.hidden = choice.dataset['title'] !== value;
  }
}

/** Adds the field that selects among several choices in front of the first, unless it is there. */
function addField(first: HTMLElement): void {
  const group = first.dataset['choice'] ?? '';
  const choices = [
    ...(first.parentElement?.querySelectorAll<HTMLElement>(`:scope > [data-choice="${group}"]`) ??
      []),
  ];
  if (choices.length < 2 || choices[0] !== first) return;
  if (first.previousElementSibling?.matches('.pick') === true) return;
  const label = document.createElement('label');
  label.className = 'pick';
  const select = document.createElement('select');
  select.dataset['pick'] = group;
  select.append(...choices.map(({ dataset }) => new Option(dataset['title'])));
  label.append(`${words[group] ?? ''} `, select);
  first.before(label);
}
