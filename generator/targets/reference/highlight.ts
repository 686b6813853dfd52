import type { Json } from '../../json.ts';
import { html, joinHtml, type Html } from './html.ts';

// Each group of an expression names the class of what it matches.

const jsonTokens =
  /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d[\d.eE+-]*)|(?<word>\b(?:true|false|null)\b)/gu;

const codeTokens =
  /(?<comment>\/\/[^\n]*)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<word>\b(?:as|async|await|catch|class|const|default|export|from|if|import|interface|new|readonly|return|throw|try|type|void)\b)|(?<number>\b\d[\d_.]*\b)|(?<key>@\w+)/gu;

const markJson = remembering((text) => mark(text, jsonTokens));
const markCode = remembering((text) => mark(text, codeTokens));

/** A JSON value, indented, with its parts marked for colour. */
export function highlightJson(value: Json): Html {
  return markJson(JSON.stringify(value, null, 2));
}

/** TypeScript with its parts marked for colour. Only colour depends on how well it is understood. */
export function highlightCode(text: string): Html {
  return markCode(text);
}

/** Texts that are remembered: more than a page has that people wait for. */
const most = 300;

/** The same, which does not do again what it did for the page before: hardly any code and examples change. */
function remembering(make: (text: string) => Html): (text: string) => Html {
  const made = new Map<string, Html>();
  return (text) => {
    const known = made.get(text) ?? make(text);
    if (made.size >= most) made.clear();
    made.set(text, known);
    return known;
  };
}

function mark(text: string, tokens: RegExp): Html {
  const pieces: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const [name, token] =
      Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    if (name === undefined || token === undefined) continue;
    pieces.push(html`${text.slice(end, match.index)}<span class="t-${name}">${token}</span>`);
    end = match.index + token.length;
  }
  pieces.push(html`${text.slice(end)}`);
  return joinHtml(pieces);
}
