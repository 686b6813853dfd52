/** Lets buttons save a document of the contract, which the page holds as data. Makes no request. */
export function startDownloads(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const name = target.dataset['download'];
    const data = document.getElementById(`document-${name}`)?.textContent;
    if (name === undefined || data === undefined) return;
    const text = `${JSON.stringify(JSON.parse(data), undefined, 2)}\n`;
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${name}.json`;
    link.click();
    // Some browsers read the data only after the click was handled.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  });
}
