export { accessToken, type AccessTokenDescription, type AnswerPlace } from './access-token.ts';
export type { AddressOf, CreateAddresses, ServiceAddresses } from './addresses.ts';
export {
  binary,
  formBody,
  formText,
  json,
  jsonItems,
  styledForm,
  text,
  type FormStyles,
} from './bodies.ts';
export {
  clientCredentials,
  type ClientCredentials,
  type TokenEndpoint,
} from './client-credentials.ts';
export { choose } from './choose.ts';
export { bind, type Bound, type CallArguments, type Methods, type TypedRequest } from './client.ts';
export { ClientError, type ClientErrorCode, type FailedCall } from './client-error.ts';
export { connect, type Connection } from './connection.ts';
export { fromBytes, fromContent, fromJson, fromText, fromTextContent } from './decoders.ts';
export { fromEvents, type ServerSentEvent } from './event-stream.ts';
export type { ClientEvent } from './events.ts';
export { isFailureOf } from './failure.ts';
export {
  booleanHeader,
  jsonHeader,
  listHeader,
  numberHeader,
  readHeaders,
  textHeader,
  type HeaderDecoder,
} from './header-decoders.ts';
export type { NumberMode } from '../base/number-mode.ts';
export { fromLines } from './lines.ts';
export {
  multipart,
  part,
  typedMultipart,
  type MultipartBody,
  type Part,
  type PartDescription,
  type PartOptions,
} from './multipart.ts';
export type {
  Alternatives,
  Answer,
  AnswerTo,
  BodyCheck,
  BodyDecoder,
  BodyEncoder,
  ByResponse,
  Failure,
  Input,
  KeptValue,
  Operation,
  OperationData,
  ParameterDescription,
  ScopedScheme,
  StatusIn,
  StreamDecoder,
  StreamSource,
} from './operation.ts';
export { withChecks } from './with-checks.ts';
export type { CallOptions, ConnectionOptions, ExtraHeaders, RetryOptions } from './options.ts';
export { isKept } from './repetition.ts';
export {
  apiKey,
  basic,
  bearer,
  areGiven,
  outside,
  signature,
  type Authorizer,
  type CreateSigner,
  type CredentialPlace,
  type GivenToken,
  type Signer,
  type TokenInput,
} from './security.ts';
export type { ServerDescription, Servers, ServerVariable } from './server-description.ts';
export { serverAddresses } from './servers.ts';
export type { Account, CarriedValues, EveryRequestValue, Service } from './service.ts';
export { fromBinary } from './streams.ts';
export {
  cookie,
  cookieValue,
  deepObject,
  deepObjectBrackets,
  deepObjectRepeat,
  form,
  jsonPair,
  jsonValue,
  label,
  matrix,
  percent,
  pipeDelimited,
  reserved,
  reservedPath,
  simple,
  spaceDelimited,
  type Encode,
  type Style,
} from './styles.ts';
export type { StoredToken, TokenStore } from './token-store.ts';
