/** Returns the values that a URL has for the parameters of a label's path; empty where the URL does not end in it. */
export function labelParameters(path: string, url: string): Readonly<Record<string, string>> {
  const parsed = URL.parse(url);
  const wanted = path.split('/').filter((segment) => segment !== '');
  if (parsed === null || wanted.length === 0) return {};
  const segments = parsed.pathname.split('/').filter((segment) => segment !== '');
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.slice(-wanted.length).entries()) {
    const [, name] = /^\{([^{}]+)\}$/u.exec(wanted[index] ?? '') ?? [];
    if (name === undefined && segment !== wanted[index]) return {};
    if (name !== undefined) parameters[name] = decode(segment);
  }
  return parameters;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
