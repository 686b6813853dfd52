import { addCopyButton } from './copy.ts';

/** Regular expressions by language. The name of each group is the class of the tokens that it matches. */
const languages: Readonly<Record<string, RegExp>> = {
  json: /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d[\d.eE+-]*)|(?<word>\b(?:true|false|null)\b)/gu,
  typescript:
    /(?<comment>\/\/[^\n]*)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<word>\b(?:as|async|await|catch|class|const|default|export|from|if|import|interface|new|readonly|return|throw|try|type|void)\b)|(?<number>\b\d[\d_.]*\b)|(?<key>@\w+)/gu,
  shell:
    /(?<string>'[^']*'|\\')|(?<key>"\$\{\w+:\?\}")|(?<word>(?<=^| )(?:curl|--?[a-z][a-z-]*)\b)/gmu,
};

/**
 * Marks the tokens of all code inside an element for highlighting, and adds the button that copies it. The text does not
 * change.
 */
export function highlight(within: ParentNode): void {
  for (const code of within.querySelectorAll<HTMLElement>('pre[data-language]')) {
    addCopyButton(code);
    const tokens = languages[code.dataset['language'] ?? ''];
    delete code.dataset['language'];
    if (tokens !== undefined) code.replaceChildren(...mark(code.textContent, tokens));
  }
}

function mark(text: string, tokens: RegExp): readonly (string | HTMLElement)[] {
  const pieces: (string | HTMLElement)[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const name = Object.entries(match.groups ?? {}).find(([, group]) => group !== undefined)?.[0];
    const [token] = match;
    if (name === undefined || token === '') continue;
    const span = document.createElement('span');
    span.className = `t-${name}`;
    span.textContent = token;
    pieces.push(text.slice(end, match.index), span);
    end = match.index + token.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}
