/** Returns the names in braces of a path template, a channel address or the URL of a server, in order and without repetitions. */
export function templateNames(template: string): readonly string[] {
  return [...new Set([...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name))];
}

/** Returns a template without the names of its parameters, so that templates that match the same texts are equal. */
export function normalizeTemplate(template: string): string {
  return template.replace(/\{[^{}]*\}/g, '{}');
}
