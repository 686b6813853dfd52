import type * as clientRuntime from '@countersign/runtime/client';
import { describeForm, kindOf } from 'countersign/companion/contract';
import type { Styles } from 'countersign/companion/printing';
import type { Contract, Example, Json, StatedContent } from 'countersign/kit';

/** The runtime of generated clients. With it, the page shows exactly what clients send. */
export type ClientRuntime = typeof clientRuntime;

/** What forms are written with. */
interface FormWriter {
  readonly runtime: ClientRuntime;
  /** The styles in which generated clients serialize values. */
  readonly styles: Styles;
}

/** Writes a form body as generated clients send it. Returns `undefined` for a value that a form cannot carry. */
export function writeForm(
  { runtime, styles }: FormWriter,
  content: StatedContent,
  value: Json,
): string | undefined {
  const { fields, isOpen } = describeForm(content, styles.index);
  const described = fields.map(({ name, style, explode, reserved }) => {
    const encode = reserved ? { encode: runtime.reserved } : {};
    const written = style === 'deepObject' ? styles.deepObject : style;
    return [name, { style: runtime[written], ...(explode ? { explode } : {}), ...encode }] as const;
  });
  const fallbacks = isOpen ? [runtime.jsonItems] : [];
  try {
    return runtime.formText(value, Object.fromEntries(described), ...fallbacks);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Writes every example of a form body. Omits examples that a form cannot carry. */
export function writeForms(
  { operations, notifications }: Contract,
  writer: FormWriter,
): ReadonlyMap<Example, string> {
  const contents = [
    ...operations.flatMap(({ requestBody, responses }) => [
      ...(requestBody?.content ?? []),
      ...responses.flatMap(({ content }) => content),
    ]),
    ...notifications.map(({ contentType, payload, examples }) => ({
      mediaType: contentType,
      schema: payload,
      examples,
    })),
  ].filter(({ mediaType, examples }) => kindOf(mediaType) === 'form' && examples.length > 0);
  const forms = new Map<Example, string>();
  for (const content of contents) {
    for (const example of content.examples) {
      const text = writeForm(writer, content, example.value);
      if (text !== undefined) forms.set(example, text);
    }
  }
  return forms;
}
