export {
  exchange,
  type Exchange,
  type ExchangeOptions,
  type ExchangeRequest,
  type ExchangeResponse,
  frameHeaders,
} from './exchange.ts';
export {
  type Address,
  chooseAddress,
  isLoopback,
  type Resolve,
  systemResolve,
} from '../loopback.ts';
export {
  bodyIdentity,
  type EventIdentity,
  identifyingHeaders,
  identifyingPlaces,
  identityOf,
} from './event-identity.ts';
export { type OtherEvent, proposeOtherEvent } from './other-event.ts';
export { createRandom, type Random } from '../random.ts';
export { checkIdentity, toClientCert } from './client-certificates.ts';
export type { TlsIdentity } from './test-authority.ts';
export { addQuery, carrySecret } from '../secret-places.ts';
export { encodeForm } from './encode-form.ts';
export { createSignBody, type SignBody } from './sign-body.ts';
export { createSignedUrlMapping, type PublicUrl } from '@countersign/runtime/base';
export { parseExactly } from '../exact-json.ts';
export {
  type JsonPath,
  type Leaf,
  leavesOf,
  mergeJson,
  valueAt,
  writePointer,
} from '../json-path.ts';
export { Redactor } from '../redact.ts';
export { possibleSecrets, withPathSecret } from './receiver.ts';
export { SimulatorError } from '../simulator-error.ts';
