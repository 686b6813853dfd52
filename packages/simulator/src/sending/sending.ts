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
} from './loopback.ts';
export {
  bodyIdentity,
  type EventIdentity,
  identifyingHeaders,
  identifyingPlaces,
  identityOf,
} from './event-identity.ts';
export { type OtherEvent, proposeOtherEvent } from './other-event.ts';
export { systemRandom, type Random } from './random.ts';
export { checkIdentity, type TlsIdentity } from './tls-identity.ts';
export { carrySecret } from './secret-places.ts';
export { composeRequest, type UnsignedRequest } from './compose-request.ts';
export { dataQuery, labelPath } from './compose-request.ts';
export { coveredHeaders, createRequestSigner } from './signature-scheme.ts';
export { type RequestProofs, type SignedRequest, signRequest } from './sign-request.ts';
export { toSignatureScheme } from './signature-scheme.ts';
export { encodeForm } from './compose-request.ts';
export { createSignBody, type SignBody } from './sign-body.ts';
export { createSignedUrlMapping, type PublicUrl } from '@countersign/runtime/base';
export { parseExactly } from './exact-json.ts';
export {
  type JsonPath,
  type Leaf,
  leavesOf,
  mergeJson,
  valueAt,
  writePointer,
} from './json-path.ts';
export { Redactor } from './redact.ts';
export { possibleSecrets, urlBelow, withPathSecret } from './receiver.ts';
export { SimulatorError } from './simulator-error.ts';
