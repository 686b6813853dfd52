import type { JSX } from 'preact';
import { visibleText } from './visible-text.ts';

/** A text whose parts between backticks are code. */
export function CodeText({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split(/`([^`]+)`/u);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? visibleText(part) : <code key={index}>{visibleText(part)}</code>,
      )}
    </>
  );
}
