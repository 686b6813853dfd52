import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { findPointer } from './find-pointer.ts';
import type { Violation } from './types.ts';

const theme = EditorView.theme({
  '&': {
    fontSize: '0.82rem',
    color: 'var(--text)',
    backgroundColor: 'var(--sunken)',
    height: '100%',
  },
  // The element around it shows the focus: here, the gutter would cover a part of the line.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'color-mix(in srgb, var(--link) 30%, transparent)' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--soft)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    color: 'var(--text)',
    fontFamily: 'var(--sans)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in srgb, var(--link) 22%, transparent)',
    color: 'inherit',
  },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--key)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--open)' },
  { tag: [tags.bool, tags.null], color: 'var(--call)' },
]);

/**
 * An editor of JSON that marks what violates the contract while the reader types. It is in a shadow root: there,
 * CodeMirror adopts its style sheet, which the Content Security Policy allows; elsewhere it inserts a style element.
 */
export function JsonEditor(props: {
  /** The text to begin with. Another object replaces what the reader typed. */
  readonly initial: { readonly text: string };
  readonly label: string;
  readonly onChange: (text: string) => void;
  /** Returns what a parsed payload violates. */
  readonly validate: (payload: unknown) => Promise<readonly Violation[]>;
}): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const current = useRef(props);
  current.current = props;

  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const parse = jsonParseLinter();
    const diagnose = async (editor: EditorView): Promise<readonly Diagnostic[]> => {
      const text = editor.state.doc.toString();
      if (text.trim() === '') return [];
      const malformed = parse(editor);
      if (malformed.length > 0) return malformed;
      const violations = await current.current.validate(JSON.parse(text));
      return violations.map(({ pointer, message }) => ({
        ...findPointer(editor.state, pointer),
        severity: 'error',
        message: `${pointer === '' ? 'The payload' : pointer} ${message}`,
      }));
    };
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: props.initial.text,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          json(),
          syntaxHighlighting(colours),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': props.label }),
          // Tab leaves the editor.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          linter(diagnose, { delay: 200 }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) current.current.onChange(state.doc.toString());
          }),
          theme,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // The editor lives as long as the element; its text is updated below.
  }, []);

  useEffect(() => {
    const editor = view.current;
    const { text } = props.initial;
    if (editor === undefined || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [props.initial]);

  return <div class="json-editor" ref={host} />;
}
