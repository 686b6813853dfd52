/** Returns the URL that a text is; `undefined` for other text. `URL.parse` is not in every supported Node. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
