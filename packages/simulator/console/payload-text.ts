import { isJsonContent } from '../src/media-type.ts';
import { prettyJson } from '../../console/components/visible-text.ts';

/** The text that an editor begins with, and the text that it was made from. */
export interface LoadedText {
  readonly text: string;
  readonly source: string;
}

/** Indents JSON for an editor. */
export function toLoadedText(source: string): LoadedText {
  return { text: prettyJson(source), source };
}

/**
 * Returns the member of a request to the control API that has the payload of an edited text. JSON is sent as it stands,
 * and without indentation where it was not edited: parsing it would round amounts.
 * @throws SyntaxError for text that cannot be sent without a change of its numbers, or is not JSON
 */
export function payloadOf(
  text: string,
  loaded: LoadedText,
  contentType: string,
  allowInvalid: boolean,
): { readonly rawBody: string } | { readonly payload: unknown } {
  if (isJsonContent(contentType)) return { rawBody: text === loaded.text ? loaded.source : text };
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    if (allowInvalid) return { rawBody: text };
    throw new SyntaxError('The payload is not JSON.');
  }
  const changed = numbersIn(text).find((number) => JSON.stringify(Number(number)) !== number);
  if (changed === undefined) return { payload };
  throw new SyntaxError(
    `The number ${changed} would be sent as ${JSON.stringify(Number(changed))}. Write it as text: "${changed}".`,
  );
}

/** Returns the numbers of a JSON text as they are written. */
function numbersIn(json: string): readonly string[] {
  return Array.from(
    json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|(-?\d[\d.eE+-]*)/gsu),
    ([, number]) => number ?? [],
  ).flat();
}
