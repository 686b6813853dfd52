import { ensureSyntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

type SyntaxNode = NonNullable<ReturnType<typeof ensureSyntaxTree>>['topNode'];

/** Returns where the value of a JSON Pointer is in a text; the nearest value around it where it is absent. */
export function findPointer(
  state: EditorState,
  pointer: string,
): { readonly from: number; readonly to: number } {
  const tree = ensureSyntaxTree(state, state.doc.length, 200);
  const root = tree?.topNode.firstChild;
  if (root === null || root === undefined) return { from: 0, to: Math.min(1, state.doc.length) };
  let node = root;
  for (const segment of pointer.split('/').slice(1)) {
    const member = findMember(state, node, segment.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (member === null) break;
    node = member;
  }
  // A mark of a whole object would hide the others: its first bracket stands for it.
  const isWhole = node.name === 'Object' || node.name === 'Array';
  return { from: node.from, to: isWhole ? node.from + 1 : node.to };
}

function findMember(state: EditorState, node: SyntaxNode, segment: string): SyntaxNode | null {
  if (node.name === 'Object') {
    const property = node.getChildren('Property').find((child) => {
      const name = child.getChild('PropertyName');
      return name !== null && nameOf(state.sliceDoc(name.from, name.to)) === segment;
    });
    return property?.lastChild ?? null;
  }
  let index = 0;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (/^[[\],]$/u.test(child.name)) continue;
    if (String(index) === segment) return child;
    index += 1;
  }
  return null;
}

function nameOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
