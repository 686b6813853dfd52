import type { Json } from '../../json.ts';
import { html, joinHtml, type Html } from './html.ts';

/** A JSON value, indented, with its parts marked for colour. */
export function highlightJson(value: Json): Html {
  return highlight(JSON.stringify(value, null, 2), jsonTokens);
}

/** TypeScript with its parts marked for colour. Only colour depends on how well it is understood. */
export function highlightCode(text: string): Html {
  return highlight(text, codeTokens);
}

/** Each group of an expression names the class of what it matches. */
function highlight(text: string, tokens: RegExp): Html {
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

const jsonTokens =
  /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d[\d.eE+-]*)|(?<word>\b(?:true|false|null)\b)/gu;

const codeTokens =
  /(?<comment>\/\/[^\n]*)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<word>\b(?:as|async|await|catch|class|const|default|export|from|if|import|interface|new|readonly|return|throw|try|type|void)\b)|(?<number>\b\d[\d_.]*\b)|(?<key>@\w+)/gu;
