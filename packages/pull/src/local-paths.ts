import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { pulledMark } from 'countersign/companion/paths';

/** The maximum length of one name in a path. */
const maxName = 80;

/**
 * Assigns each address a path below the folder of the contract, with `/` between its names. A document chooses the
 * addresses, and tools act on files with names of theirs, such as `package.json`. Therefore each name in a path, also of
 * a folder, has the mark of pulled documents, which no tool knows.
 */
export class LocalPaths {
  readonly #entries: readonly URL[];
  readonly #paths = new Map<string, string>();
  /** Files and folders that are used, as a file system that ignores case names them. */
  readonly #used = new Map<string, 'file' | 'folder'>();

  /**
   * @param entries the documents that the user named; what is below their folders keeps its path there
   * @param knownPaths the paths that addresses have already; one without the mark is not kept
   */
  constructor(entries: readonly URL[], knownPaths: ReadonlyMap<string, string>) {
    this.#entries = entries;
    for (const [address, path] of knownPaths) {
      if (!isPulledPath(path)) continue;
      this.#paths.set(address, path);
      this.#use(path);
    }
  }

  /** Returns the path of a document; the same for the same address. */
  pathOf(address: URL, format: 'yaml' | 'json'): string {
    const knownPath = this.#paths.get(address.href);
    if (knownPath !== undefined) return knownPath;
    const wanted = this.#wanted(address, format);
    const path = this.#isFree(wanted) ? wanted : withHash(wanted, address);
    this.#use(path);
    this.#paths.set(address.href, path);
    return path;
  }

  #wanted(address: URL, format: 'yaml' | 'json'): string {
    const query = address.search === '' ? '' : `-${address.search.slice(1)}`;
    for (const entry of this.#entries) {
      const folder = entry.pathname.slice(0, entry.pathname.lastIndexOf('/') + 1);
      if (entry.origin === address.origin && address.pathname.startsWith(folder))
        return toNames(address.pathname.slice(folder.length) + query, format);
    }
    return toNames(`${address.host}${address.pathname}${query}`, format);
  }

  #isFree(path: string): boolean {
    return (
      !this.#used.has(fold(path)) &&
      foldersOf(path).every((folder) => this.#used.get(fold(folder)) !== 'file')
    );
  }

  #use(path: string): void {
    this.#used.set(fold(path), 'file');
    for (const folder of foldersOf(path)) this.#used.set(fold(folder), 'folder');
  }
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Returns whether each name in a path has the mark of pulled documents. */
export function isPulledPath(path: string): boolean {
  return (
    /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.(?:ya?ml|json)$/iu.test(path) &&
    path
      .replace(/\.\w+$/u, '')
      .split('/')
      .every((name) => name.endsWith(pulledMark))
  );
}

/** Returns a path whose names every file system accepts, and that stays below its folder. */
function toNames(path: string, format: 'yaml' | 'json'): string {
  const [last = 'document', ...folders] = path
    .split('/')
    .filter((name) => name !== '')
    .toReversed();
  const [, stem = last, extension = `.${format}`] = /^(.+)(\.(?:ya?ml|json))$/iu.exec(last) ?? [];
  return [...folders.toReversed().map(toName), `${toName(stem)}${extension}`].join('/');
}

/** Names that Windows keeps for devices. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

function toName(text: string): string {
  const plain = text
    .replaceAll(/[^\w.-]/gu, '_')
    .slice(0, maxName)
    .replaceAll(/^[.-]|\.$/gu, '_');
  const name = device.test(plain) ? `_${plain}` : plain;
  return name.endsWith(pulledMark) ? name : `${name}${pulledMark}`;
}

/** Returns a path for a document whose own is taken: a name in the folder itself, with a hash of the address. */
function withHash(path: string, address: URL): string {
  const { name, ext: extension } = posix.parse(path);
  const hash = createHash('sha256').update(address.href).digest('hex').slice(0, 12);
  return `${name.slice(0, -pulledMark.length)}-${hash}${pulledMark}${extension}`;
}
