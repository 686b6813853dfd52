import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { toJsonPath } from '../../json/json-path.ts';
import { TimeLimit } from '../../execution/time-limit.ts';
import { selectPaths, type Step } from './json-path.ts';
import {
  childOrigin,
  isMutableObject,
  originMembers,
  toOrigin,
  type MutableJson,
  type MutableObject,
  type Origin,
  type Origins,
} from '../origins.ts';
import type { Overlay, OverlayAction } from './overlay.ts';

/** Reports a place that an action writes or removes. `isAppended` means that it only adds items to a list. */
export type OnWrite = (path: readonly Step[], isAppended: boolean) => void;

/** Applies the actions of an overlay, in order, to a document in which no object occurs twice. */
export async function applyOverlay(
  overlay: Overlay,
  root: MutableObject,
  origins: Origins,
  limit: TimeLimit = new TimeLimit(),
  onWrite: OnWrite = () => undefined,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const action of overlay.actions) {
    const origin = toOrigin(overlay.source, action.members);
    const at = overlay.source.locate([...action.members, 'target']);
    const selected = await selectPaths(root, action.target, limit);
    if ('message' in selected) {
      const message = `\`${action.target}\` is not a usable JSONPath: ${selected.message}`;
      const help =
        "Write the target according to RFC 9535. A name with other characters than letters, digits and `_` needs brackets: `$['x-a']`.";
      diagnostics.push(createDiagnostic('invalid-overlay', message, at, { help }));
    } else if (action.convert !== undefined) {
      // An overlay can have removed every example, so a target may select nothing.
      convertAll(root, selected, action.convert);
    } else if (selected.length === 0) {
      const message = `The target \`${action.target}\` selects nothing, so the action has no effect.`;
      diagnostics.push(createDiagnostic('overlay-target-not-found', message, at));
    } else if (action.remove) {
      for (const path of selected) onWrite(path, false);
      const removed = removeAll(root, selected, origins);
      if (!removed) {
        const message = 'The whole document cannot be removed.';
        diagnostics.push(createDiagnostic('invalid-overlay', message, at));
      }
    } else {
      const copied = await readCopy(action, root, limit);
      if ('message' in copied) {
        const place = overlay.source.locate([...action.members, 'copy']);
        diagnostics.push(createDiagnostic('invalid-overlay', copied.message, place));
        continue;
      }
      const changed = { ...action, ...copied };
      diagnostics.push(...updateAll(overlay, changed, root, selected, origins, origin, onWrite));
    }
  }
  return diagnostics;
}

/** Returns a copy of the node that an action copies as its update, or the reason why there is none. */
async function readCopy(
  { copy }: OverlayAction,
  root: MutableObject,
  limit: TimeLimit,
): Promise<Pick<OverlayAction, 'update'> | { readonly message: string }> {
  if (copy === undefined) return {};
  const selected = await selectPaths(root, copy, limit);
  if ('message' in selected)
    return { message: `\`${copy}\` is not a usable JSONPath: ${selected.message}` };
  const [path, ...others] = selected;
  const node = path === undefined ? undefined : nodeAt(root, path);
  if (node === undefined || others.length > 0)
    return { message: `\`${copy}\` selects ${selected.length} nodes, and has to select one.` };
  return { update: structuredClone(node) };
}

function removeAll(
  root: MutableObject,
  selected: readonly (readonly Step[])[],
  origins: Origins,
): boolean {
  if (selected.some((path) => path.length === 0)) return false;
  const places = selected.map((path) => ({
    holder: nodeAt(root, path.slice(0, -1)),
    step: path.at(-1) ?? '',
  }));
  // Removes later items first, so that the indexes of earlier items stay valid.
  const index = (step: Step): number => (typeof step === 'number' ? step : -1);
  places.sort((a, b) => index(b.step) - index(a.step));
  for (const { holder, step } of places) {
    if (Array.isArray(holder) && typeof step === 'number') {
      const itemOrigins = holder.map((_, index) => origins.ofMember(holder, String(index)));
      holder.splice(step, 1);
      itemOrigins.splice(step, 1);
      itemOrigins.forEach((origin, index) => origins.setMember(holder, String(index), origin));
    } else if (isMutableObject(holder)) {
      delete holder[step];
    }
  }
  return true;
}

/** Converts numbers to strings, or strings that are JSON numbers to numbers. Every other value stays as it is. */
function convertAll(
  root: MutableObject,
  selected: readonly (readonly Step[])[],
  type: 'string' | 'number',
): void {
  for (const path of selected) {
    const holder = nodeAt(root, path.slice(0, -1));
    const step = path.at(-1) ?? '';
    const value = nodeAt(root, path);
    const converted = value === undefined ? undefined : convert(value, type);
    if (converted === undefined) continue;
    if (Array.isArray(holder)) holder[Number(step)] = converted;
    else if (isMutableObject(holder)) holder[step] = converted;
  }
}

function convert(value: MutableJson, type: 'string' | 'number'): string | number | undefined {
  if (type === 'string') return typeof value === 'number' ? JSON.stringify(value) : undefined;
  const isNumber =
    typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u.test(value);
  return isNumber ? Number(value) : undefined;
}

function updateAll(
  { source, replacesScalars = false }: Overlay,
  { target, update, copy, updateOrigin, members }: OverlayAction,
  root: MutableObject,
  selected: readonly (readonly Step[])[],
  origins: Origins,
  action: Origin,
  onWrite: OnWrite,
): readonly Diagnostic[] {
  if (update === undefined) return [];
  const problems = new Map<string, Diagnostic>();
  const refuse = (
    message: string,
    way: readonly string[],
    details: { readonly help?: string } = {},
  ): void => {
    const at =
      updateOrigin === undefined || way[0] !== 'update'
        ? source.locate([...members, ...way])
        : updateOrigin.source.locate([...originMembers(updateOrigin), ...way.slice(1)]);
    const diagnostic = createDiagnostic('invalid-overlay', message, at, details);
    problems.set(JSON.stringify(diagnostic), diagnostic);
  };

  const append = (list: MutableJson[], items: readonly Json[], origin: Origin): void => {
    items.forEach((item, index) => {
      const itemOrigin = childOrigin(origin, String(index));
      origins.setMember(list, String(list.length), itemOrigin);
      list.push(origins.adopt(item, itemOrigin));
    });
  };
  const merge = (
    object: MutableObject,
    changes: JsonObject,
    origin: Origin,
    way: readonly string[],
    path: readonly Step[],
  ): void => {
    for (const [member, change] of Object.entries(changes)) {
      if (change === undefined) continue;
      const memberOrigin = childOrigin(origin, member);
      const present = Object.hasOwn(object, member) ? object[member] : undefined;
      if (isMutableObject(present) && isJsonObject(change)) {
        merge(present, change, memberOrigin, [...way, member], [...path, member]);
      } else if (Array.isArray(present) && Array.isArray(change)) {
        onWrite([...path, member], true);
        append(present, change, memberOrigin);
      } else if (
        present === undefined ||
        present === null ||
        (isScalar(present) && isScalar(change))
      ) {
        onWrite([...path, member], false);
        object[member] = origins.adopt(change, memberOrigin);
        origins.setMember(object, member, memberOrigin);
      } else {
        refuse(
          `\`${member}\` is ${kindOf(present)} in the document and ${kindOf(change)} here.`,
          [...way, member],
          // What a choice changes is not written in an action that another one can precede.
          updateOrigin === undefined
            ? { help: helpToReplace(target, [...way.slice(1), member]) }
            : {},
        );
      }
    }
  };

  const origin = updateOrigin ?? childOrigin(action, copy === undefined ? 'update' : 'copy');
  for (const path of selected) {
    const node = nodeAt(root, path);
    if (isMutableObject(node)) {
      if (isJsonObject(update)) merge(node, update, origin, ['update'], path);
      else refuse(`The target is an object, and the update is ${kindOf(update)}.`, ['update']);
    } else if (Array.isArray(node)) {
      // Overlay 1.0 appends one entry. Version 1.1 clarifies that each entry of a list is appended.
      if (Array.isArray(update)) append(node, update, origin);
      else {
        origins.setMember(node, String(node.length), origin);
        node.push(origins.adopt(update, origin));
      }
    } else if (replacesScalars && isScalar(update)) {
      const holder = nodeAt(root, path.slice(0, -1));
      const step = path.at(-1) ?? '';
      onWrite(path, false);
      if (Array.isArray(holder)) holder[Number(step)] = update as MutableJson;
      else if (isMutableObject(holder)) holder[step] = update as MutableJson;
      if (typeof holder === 'object' && holder !== null)
        origins.setMember(holder, String(step), origin);
    } else {
      refuse('The target is a single value; select the object that holds it.', ['target']);
    }
  }
  return [...problems.values()];
}

/** Returns how a value of another type replaces a member of the objects that a target selects. */
function helpToReplace(target: string, members: readonly string[]): string {
  const path = `${target}${toJsonPath(null, members).slice('$'.length)}`;
  // A text that contains one of these is not a plain scalar of YAML.
  const pathText = /: | #|\s$/u.test(path) ? JSON.stringify(path) : path;
  return `An update does not replace a value by one of another type. Remove it in an action before this one: \`- target: ${pathText}\` and \`remove: true\`.`;
}

function nodeAt(root: MutableObject, path: readonly Step[]): MutableJson | undefined {
  let node: MutableJson | undefined = root;
  for (const step of path) {
    if (Array.isArray(node)) node = node[Number(step)];
    else node = isMutableObject(node) ? node[step] : undefined;
  }
  return node;
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
