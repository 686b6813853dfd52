/** The names in braces of a path template or a channel address, each once, in order. */
export function templateNames(template: string): readonly string[] {
  return [...new Set([...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name))];
}

/** A template without the names of its parameters: two templates that match the same texts become equal. */
export function templateShape(template: string): string {
  return template.replace(/\{[^{}]*\}/g, '{}');
}
