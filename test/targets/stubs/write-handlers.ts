/** The statement of a stub that nobody has written yet, with what its error says of the delivery. */
const unwritten =
  /throw new WebhookError\(\s*'not-written',\s*`\w+ is not written yet: ([^`]*)`,?\s*\);/gu;

/** Returns the number of handlers in a file that nobody has written yet. */
export function countUnwritten(text: string): number {
  return Array.from(text.matchAll(unwritten)).length;
}

/**
 * Writes one line for each stub of a file, as its user would: a handler logs `handled`, the kind and the id. Removes the
 * import that is then without use.
 */
export function writeHandlers(text: string): string {
  return text
    .replaceAll(unwritten, (_, subject: string) => {
      const values = Array.from(subject.matchAll(/\$\{([^}]+)\}/gu), ([, value = '']) => value);
      return `console.log(${[`'${wordOf(subject)}'`, ...values].join(', ')});`;
    })
    .replace(/\s*\bWebhookError,/u, '');
}

function wordOf(subject: string): string {
  if (subject.includes('violations')) return 'violates the contract';
  return subject.includes('event.kind') ? 'handled' : 'matches no kind of the contract';
}
