/** Quotes a text so that a POSIX shell reads it as one literal word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Returns whether a name of a contract may be a word of a command. Such a word has the same meaning for every shell and
 * as an argument, so that it needs no quotes: npm runs scripts with `sh` or with `cmd.exe`, which quote differently.
 */
export function isPlainWord(name: string): boolean {
  return /^[A-Za-z\d][\w.-]*$/u.test(name);
}
