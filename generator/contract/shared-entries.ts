import { type Pointer, pointerDocument, pointerMembers } from '../json/pointer.ts';
import type { Contract, Unstated } from './contract.ts';
import { isStatedAt, openEntries, placesOf } from './ledger-entries.ts';

/** Returns the entries that a document of notifications states about all of them, and not at one of its parts. */
export function sharedEntries(contract: Contract): readonly Unstated[] {
  const documents = new Set(contract.notifications.map(({ pointer }) => pointerDocument(pointer)));
  const places = [...documents].flatMap((name): readonly Pointer[] => [
    `${name}#`,
    `${name}#/info`,
    `${name}#/components`,
  ]);
  return contract.unstated.filter((entry) => places.some((place) => isStatedAt(entry, place)));
}

/**
 * Returns the entries that concern every notification of a document, without their own part, or about its
 * authentication.
 */
export function generalEntries(contract: Contract): readonly Unstated[] {
  return sharedEntries(contract).filter((entry) => placesOf(entry).every(isAuthentication));
}

/** Returns the entries that ask how notifications are authenticated, and are not settled. */
export function openAuthentication(contract: Contract): readonly Unstated[] {
  const open = new Set(openEntries(contract));
  return generalEntries(contract).filter((entry) => open.has(entry) && placesOf(entry).length > 0);
}

/** Returns whether a place decides how notifications are authenticated: a security scheme, or an operation as a whole. */
function isAuthentication(place: Pointer): boolean {
  const [section, name, member] = pointerMembers(place);
  if (section === 'components') return name === 'securitySchemes';
  return section === 'operations' && (member === undefined || member === 'security');
}
