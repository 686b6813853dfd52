import type { Documents } from '../documents/documents.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { templateNames, normalizeTemplate } from '../contract/path-template.ts';
import { type Place, isReference } from '../specification/walk.ts';
import { placesOf } from '../documents/places.ts';

/**
 * Checks that the parameters of a channel are exactly the names in braces of its address (AsyncAPI 3.0, Channel
 * Object).
 */
export const channelParameters: Rule = {
  codes: ['undeclared-channel-parameter'],
  *check({ documents }) {
    for (const channel of channelsOf(documents)) {
      const address = channel.text('address') ?? '';
      const names = templateNames(address);
      const declared = channel.entries('parameters');
      for (const [name, at] of declared) {
        if (names.includes(name)) continue;
        yield {
          pointer: at.pointer,
          message: `The parameter ${quote(name)} is not in the address of the channel ${quote(channel.key)}.`,
          until: 'it is ignored',
        };
      }
      for (const name of names.filter((wanted) => !declared.some(([key]) => key === wanted))) {
        yield {
          pointer: channel.child('address').pointer,
          message: `The address ${quote(address)} has the parameter ${quote(name)}, which the channel ${quote(channel.key)} does not declare.`,
          until: 'it is read as a string',
        };
      }
    }
  },
};

/** Checks that no two channels share an address and a server. The names of parameters do not distinguish addresses. */
export const addresses: Rule = {
  codes: ['duplicate-address'],
  *check({ documents }) {
    const byTemplate = new Map<string, Place[]>();
    for (const channel of channelsOf(documents)) {
      const address = channel.text('address');
      if (address === undefined) continue;
      const channelsAtAddress = byTemplate.get(normalizeTemplate(address)) ?? [];
      const other = channelsAtAddress.find((candidate) => shareServer(candidate, channel));
      channelsAtAddress.push(channel);
      byTemplate.set(normalizeTemplate(address), channelsAtAddress);
      if (other === undefined) continue;
      yield {
        pointer: channel.child('address').pointer,
        message: `The channel ${quote(channel.key)} has the address ${quote(address)} of the channel ${quote(other.key)}, too.`,
        until: 'both channels receive the messages',
      };
    }
  },
};

/** Returns the channels under `channels`. Those in `components` take effect only where they are referred to. */
function channelsOf(documents: Documents): readonly Place[] {
  return placesOf(documents, 'channel').filter(
    (place) => place.parent?.kind === 'document' && !isReference(place),
  );
}

/** Returns whether two channels have a server in common. A channel without a list of servers is on all of them. */
function shareServer(a: Place, b: Place): boolean {
  const [left, right] = [serversOf(a), serversOf(b)];
  return left.length === 0 || right.length === 0 || left.some((server) => right.includes(server));
}

function serversOf(channel: Place): readonly (string | undefined)[] {
  return channel.items('servers').map((at) => at.localReference);
}
