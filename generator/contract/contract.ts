import type { Json, JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Recognition } from '../recognition/recognition.ts';
import type { Authentication } from './proofs.ts';
import type { Conditions, ContractNode, JsonSchema, Schema } from '../schema/model.ts';
import type { JsonType } from '../schema/node.ts';
import type { MediaKind } from '../specification/media-type.ts';
import type { BodySignatureScheme } from '@countersign/runtime/signing/body';
import type * as vocabulary from './vocabulary/types.ts';

export type { Repeatable } from './vocabulary/types.ts';

/**
 * The version of the model. Generated packages carry parts of the model, which another version may read otherwise: it
 * changes with the form or the meaning of a member that they carry.
 */
export type ModelVersion = 2;

/**
 * The in-memory model of a contract, which all targets read. It is the same for OpenAPI and AsyncAPI documents. It is
 * plain data: `JSON.stringify` loses nothing. Members are in the author's order.
 */
export interface Contract {
  readonly info: Info;
  readonly schemas: readonly Schema[];
  /** Calls that the integrator makes. */
  readonly operations: readonly Operation[];
  /** Calls that the integrator receives. */
  readonly notifications: readonly Notification[];
  /** How a delivery is recognized. Lowering computes it once. */
  readonly recognition: Recognition;
  /** Messages of the AsyncAPI document that no receiver takes: types and validators are generated for them. */
  readonly messages: readonly Message[];
  readonly security: readonly SecurityScheme[];
  /** Secrets and names that the operator of the service issues. Lowering names them once. */
  readonly credentials: readonly Credential[];
  /** How deliveries prove where they come from. Lowering decides it once. */
  readonly authentication: Authentication;
  /** Where calls are sent. Lowering decides it once. */
  readonly servers: Servers;
  /** Kinds that a receiver cannot distinguish in some deliveries. */
  readonly unions: readonly EventUnion[];
  /**
   * The security of every call that declares none, including calls that the contract does not describe. Omitted if
   * the OpenAPI document has no `security` at its root.
   */
  readonly defaultSecurity?: readonly SecurityRequirement[];
  /** The ledger: questions that the source document does not answer. */
  readonly unstated: readonly Unstated[];
  /** The types of strings by their format, if the configuration names any. */
  readonly formats?: readonly FormatType[];
  /** The order in which calls are made and notifications arrive. */
  readonly workflows: readonly Workflow[];
  /** The bundled documents as they are published: every wire format is described, and every reference is local. */
  readonly documents: {
    readonly openapi?: JsonObject;
    readonly asyncapi?: JsonObject;
    /** The Arazzo documents by name. */
    readonly workflows?: JsonObject;
  };
}

/** The description of a document. */
export interface DocumentInfo extends ContractNode {
  readonly description?: string;
}

export interface Info extends DocumentInfo {
  readonly kind: 'info';
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  /** The description of the AsyncAPI document, if the members above are those of an OpenAPI document. */
  readonly notifications?: DocumentInfo;
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string };
  /** `x-source-document`: the document whose sections `x-source` cites. */
  readonly sourceDocument?: string;
  readonly servers: readonly Server[];
}

export interface Server extends ContractNode {
  readonly kind: 'server';
  /** The name that OpenAPI 3.2 gives a server. */
  readonly name?: string;
  readonly url: string;
  readonly description?: string;
  readonly variables: readonly {
    readonly name: string;
    /** Absent if the document declares none. */
    readonly default?: string;
    readonly enum?: readonly string[];
    readonly description?: string;
  }[];
}

/** The type in generated code for strings of one format. It is always a type that strings can have. */
export interface FormatType {
  readonly format: string;
  /** The identifier of the type; unique among schemas and formats. */
  readonly typeName: string;
  /** `brand`: a branded string. `template`: a template literal type. `import`: a type from another module. */
  readonly kind: 'brand' | 'template' | 'import';
  /** The text of the template literal type, or the name that is imported. */
  readonly type?: string;
  /** The module that the type is imported from. */
  readonly from?: string;
}

/** A value that the contract declares, or a reference to the ledger entry that supplies the value. */
export type OrUnstated<T> = T | vocabulary.UnstatedReference;

/** A parameter or header of OpenAPI, or a message header or channel parameter of AsyncAPI. */
export interface Parameter extends ContractNode {
  readonly kind: 'parameter';
  readonly name: string;
  /** The identifier in code; unique among the parameters of its operation. */
  readonly propertyName: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  /** The media type, if the value is serialized by `content` instead of `style`. */
  readonly mediaType?: string;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly examples: readonly Json[];
  /** `location` of a channel parameter of AsyncAPI: the runtime expression of its value in the message. */
  readonly location?: string;
  /**
   * For a parameter of a label: the JSON Pointer of its value in the payload, by its location, otherwise of the only
   * member of the first example with its name.
   */
  readonly inPayload?: string;
  /** For a parameter of a label: a text that identifies the notification. */
  readonly identifying?: string;
  /** `x-every-request`: how the client generates a value for each call. */
  readonly everyRequest?: EveryRequest;
}

export type EveryRequest = Required<vocabulary.EveryRequest>;

/** The data of a message in one media type, as the contract declares it. */
export interface StatedContent {
  /** As it is written, with its parameters. */
  readonly mediaType: string;
  /** The name of the schema; omitted if the media type has none. */
  readonly schema?: string;
  /** The name of the schema of one item of a sequence such as `text/event-stream`, if the contract declares it. */
  readonly itemSchema?: string;
  /** Set if `itemSchema` describes an event whose `data` is a JSON value instead of text. */
  readonly hasJsonData?: true;
  /** OpenAPI's Encoding Objects by property, as written, but with references to headers resolved. */
  readonly encoding?: JsonObject;
  readonly examples: readonly Example[];
}

/**
 * The wire format of a body, which decides how the runtime encodes and decodes it. In a range of media types, `value` is
 * a value of the schema and `string` a text of the schema: the content type of each message decides how it is written.
 */
export type BodyKind = MediaKind | 'value' | 'string';

export interface Content extends StatedContent {
  /** The media type without its parameters, in lower case. */
  readonly type: string;
  /** The parameters of the media type, such as `charset`, by name in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly kind: BodyKind;
  /** For a form in the body of a request: how it is written. */
  readonly form?: Form;
}

/** How a form is written. */
export interface Form {
  /** Properties that are not scalars or arrays of scalars, or have a style. */
  readonly fields: readonly FormField[];
  /** Whether undeclared properties that are not scalars are written as JSON. */
  readonly isOpen: boolean;
}

/** A property of a form. `jsonItems` writes it, or each of its items, as JSON. */
export interface FormField {
  readonly name: string;
  readonly style: 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'jsonItems';
  readonly explode: boolean;
  /** Whether reserved characters stay as they are. */
  readonly reserved: boolean;
}

/** The data of a notification in one form, as the contract declares it: in a body of a media type, or in the query. */
export interface StatedRepresentation extends StatedContent {
  /** Set if the data is in parameters of the query, which are written as a form, and the delivery has no body. */
  readonly isQuery?: true;
  /** Set for a range of media types that contains forms, if the data is an object: receivers read forms of it, too. */
  readonly isFormToo?: true;
  /** How members of the query are written, by name, if it is not the default. `encoding` has it for a form. */
  readonly memberStyles?: Readonly<Record<string, MemberStyle>>;
  /** Set for the one that senders write, and from which `ReadData` follows. */
  readonly isRead?: true;
  /** For that one: the name of the schema of all data that receivers read, if their representations differ. */
  readonly union?: string;
}

export type Representation = Content & StatedRepresentation;

/** One status, or the ranges, such as `4XX`, without the statuses of them that have a declaration of their own. */
export type Statuses =
  | number
  | { readonly ranges: readonly string[]; readonly without: readonly number[] };

export interface Response extends ContractNode {
  readonly kind: 'response';
  /** `200`, `2XX` or `default`; the letter case is normalized. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly Parameter[];
  readonly content: readonly Content[];
  /** The values of its required headers, by name, if the contract declares one. */
  readonly fixedHeaders: Readonly<Record<string, string>>;
  /** The statuses that it describes of calls that return. */
  readonly success?: Statuses;
  /** The statuses that it describes of calls that are rejected. */
  readonly failure?: Statuses;
}

/** A call or a message, as its authors describe it. */
export interface DescribedNode extends ContractNode {
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
}

export interface Operation extends DescribedNode {
  readonly kind: 'operation';
  /** The operationId, or a name made from method and path if there is none, or if an earlier operation has it. */
  readonly id: string;
  /** The identifier of its function; unique among operations. */
  readonly name: string;
  /** Upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly description?: string;
    readonly content: readonly Content[];
  };
  readonly responses: readonly Response[];
  /** Alternatives: a call must satisfy all schemes of one of them. An empty list means no security. */
  readonly security: readonly SecurityRequirement[];
  readonly servers: readonly Server[];
  /** `x-repeatable`: whether the call may be sent again. Without it, its method decides. */
  readonly repeatable?: OrUnstated<vocabulary.Repeatable>;
  /** `x-pagination`: how the next page of its list is requested. */
  readonly pagination?: vocabulary.Pagination;
  /** Its names in generated code; omitted if it gets no function. */
  readonly names?: CallNames;
  /** Why it gets no function; omitted if it gets one. */
  readonly leftOut?: string;
  /** The key of its server in `Contract.servers`; omitted if it is called at that of the document. */
  readonly ownServer?: string;
}

/** The names of a call in generated code. */
export interface CallNames {
  /** The name of its function and of the client's method. */
  readonly name: string;
  readonly inputType: string;
  readonly responseType: string;
  /** The type of the errors of its declared failures, and the function that returns whether an error is one. */
  readonly failureType: string;
  readonly guard: string;
  /** The module of its function; omitted if one module has all calls. */
  readonly module?: string;
}

/** The servers that calls are sent to. */
export interface Servers {
  /** The server of operations that do not have one: the first of the document. */
  readonly root?: Server;
  /** Whether any operation is sent to `root`. */
  readonly isRootUsed: boolean;
  /** The servers of single operations or paths: the first of their lists. */
  readonly overrides: readonly OwnServer[];
  /** The token endpoints of the security schemes that operations use. */
  readonly tokenEndpoints: readonly TokenEndpoint[];
}

/** A server of single operations, instead of that of the document. */
export interface OwnServer {
  /** Its name, otherwise its URL as the contract declares it; unique. The option `baseUrls` of clients uses it. */
  readonly key: string;
  readonly server: Server;
}

/** An address at which security schemes obtain access tokens with the client credentials flow. */
export interface TokenEndpoint {
  /** The address as the contract declares it; unique among own servers. The option `baseUrls` of clients uses it. */
  readonly key: string;
  /** The address without `path`; it can be relative to the server of the document. */
  readonly server: Server;
  /** The text after the address: nothing, a slash or a query. */
  readonly path: string;
  /** The ids of the schemes. */
  readonly schemes: readonly string[];
  /** The name of its call; no operation has it. */
  readonly name: string;
  /** The path of its address if it is served beside the operations; none of them has it. */
  readonly servedPath: string;
}

export type SecurityRequirement = readonly {
  readonly scheme: string;
  readonly scopes: readonly string[];
}[];

/** The method and path that the contract gives a notification. */
export interface Label {
  /** Upper case; omitted if the contract declares none. */
  readonly method?: string;
  /** The path template, beginning with `/`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

/** A representation that receivers read: JSON, a form or a query. */
export interface Reading {
  readonly mediaType: string;
  /** The range in the contract that contains the media type, if the contract does not have the media type itself. */
  readonly range?: string;
  /** How it is written, if not as JSON. */
  readonly encoding?: 'form' | 'query';
  /** How members of a form or a query are written, by name, if it is not the default. */
  readonly memberStyles?: Readonly<Record<string, MemberStyle>>;
  /** The name of its schema. */
  readonly schema: string;
}

/** The data that receivers read of a notification. Except for `readings`, its members are those of the marked representation. */
export interface ReadData {
  /** The representations that receivers read, the marked one first. */
  readonly readings: readonly Reading[];
  readonly contentType: string;
  /**
   * How the data is written, if not as JSON: as a form in the body, or as parameters of the query, without a body.
   */
  readonly encoding?: 'form' | 'query';
  /** How members of a form or a query are written, by name, if it is not the default. */
  readonly memberStyles?: Readonly<Record<string, MemberStyle>>;
  /**
   * The name of the canonical schema of the data: of the body, or of the parameters of the query as one object. It is the
   * union of the schemas of several readings.
   */
  readonly payload: string;
  readonly examples: readonly Example[];
}

export interface Notification extends DescribedNode, ReadData {
  readonly kind: 'notification';
  /**
   * The objects that describe it: the message, its operation and its channel, or the operation and the path item of a
   * webhook; and the named conditions that identify it.
   */
  readonly places: readonly Pointer[];
  /** The name of the message or webhook in the contract, from which the kind is derived. */
  readonly id: string;
  /** The identifier of its handler and event; unique among notifications. */
  readonly name: string;
  /** The PascalCase identifier for types; unique among notifications. */
  readonly typeName: string;
  /** The name of the type of its event. */
  readonly eventType: string;
  /** The HTTP method, upper case; omitted if the contract declares none. The label repeats it, if there is one. */
  readonly method?: string;
  /** Omitted if the contract names no address. */
  readonly label?: Label;
  readonly headers: readonly Parameter[];
  /** The name of the schema of all headers as one object, if an AsyncAPI message has any. */
  readonly headersSchema?: string;
  /** Its parameters in cookies, and those of the query that are not its data; omitted if there are none. */
  readonly otherParameters?: readonly OtherParameter[];
  /** Its data in each form that the contract declares for it. Receivers read the one that is marked. */
  readonly representations: readonly Representation[];
  /**
   * The conditions that identify the notification if the label does not: alternatives, each a list of conditions.
   */
  readonly identifiedBy: readonly Conditions[];
  /**
   * Declared alternatives that no valid delivery meets. A delivery of no kind that meets one of them is refused as this
   * notification, because it is not merely unknown. Omitted if there are none.
   */
  readonly resembledBy?: readonly Conditions[];
  /**
   * Whether `identifiedBy` is declared (`x-identified-by`) or derived from constants of the headers and the payload.
   */
  readonly identifiedByOrigin: 'declared' | 'derived';
  /**
   * `x-identified-by-schema`: set if a delivery that nothing else distinguishes is this notification when only its schema
   * accepts the data. The others that it can be have the key too.
   */
  readonly identifiedBySchema?: true;
  /** Names of the other notifications that the same delivery can match if it has no usable label. */
  readonly ambiguousWith: readonly string[];
  /**
   * `x-dedupe-by`: expressions whose equal values make two deliveries duplicates; omitted if nothing is declared.
   */
  readonly dedupeBy?: OrUnstated<readonly string[]>;
  /**
   * `x-ordered-by`: expressions whose equal values mark notifications that are handled in order; omitted if nothing
   * is declared.
   */
  readonly orderedBy?: OrUnstated<readonly string[]>;
  readonly invalidExamples: readonly InvalidExample[];
  /** The responses to an accepted delivery, as the contract states them. */
  readonly successes: readonly SuccessResponse[];
  /**
   * The responses with which receivers can accept it, each of another status: the one that they send by default, then the
   * others. Empty if the contract declares none.
   */
  readonly acceptances: readonly Acceptance[];
  /**
   * Alternatives: a delivery satisfies all schemes of one of them. An empty list means that the contract does not declare
   * how the notification is authenticated. One empty requirement means that nothing authenticates it.
   */
  readonly security: readonly SecurityRequirement[];
  /** The part of it that signatures in the body cover; omitted if its security names none. */
  readonly signedBody?: SignedBody;
  /** How it is sent. */
  readonly delivery: Delivery;
  /** The name of the schema of its data in any wire format. */
  readonly wire: string;
  /** The members in which codes that the contract does not list are valid, and do not decide which notification it is. */
  readonly openCodes: readonly OpenCode[];
}

/** The method, headers and statuses of every delivery of a notification. */
export interface Delivery {
  readonly method: string;
  /** The media type that it is sent with; omitted if its data is in the query. */
  readonly contentType?: string;
  /** The headers with values that the contract fixes, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The success statuses that the contract declares for it, such as `202` or `2XX`; omitted if it declares none. */
  readonly statuses?: readonly string[];
}

/** A member with an open enumeration (`x-extensible-enum`). */
export interface OpenCode {
  /** Its members; `*` is every element of an array. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'number';
}

/** The part of a notification's data that signatures in the body cover. */
export interface SignedBody {
  /** The ids of their schemes, in the order of the contract. */
  readonly schemes: readonly string[];
  /** The list of which each element is signed. A rule refuses signatures of different lists. */
  readonly each?: string;
  /** The members that some of them covers, each once. */
  readonly members: readonly SignedMember[];
}

/** A member whose text is signed. */
export interface SignedMember {
  /** Its path in the canonical format. */
  readonly path: readonly string[];
  /** The types that its value can have besides `null`, with integers as numbers; none for an undeclared member. */
  readonly types: readonly JsonType[];
  readonly isNullable: boolean;
  /** Whether a value must have it: `maybe` if only some alternatives require it. */
  readonly required: boolean | 'maybe';
  /** Whether an empty text is valid. */
  readonly canBeEmpty: boolean;
}

/** A parameter that a delivery has beside its data. Receivers do not read it, unless it is a proof. */
export interface OtherParameter {
  readonly name: string;
  readonly in: 'query' | 'cookie';
  readonly examples: readonly Json[];
}

/** A response with which a notification is accepted. */
export interface SuccessResponse {
  /** `200` or `2XX`; the letter case is normalized. */
  readonly status: string;
  /** The bodies that the contract declares. */
  readonly answers: readonly Answer[];
}

/** A response with which a receiver accepts a delivery. */
export interface Acceptance extends Pick<Answer, 'status'> {
  /** The body, if the contract declares it. */
  readonly body?: Omit<Answer, 'status'>;
}

/** A response whose body the contract declares. */
export interface Answer {
  /** The schema of the body. */
  readonly pointer: Pointer;
  readonly status: number;
  /** JSON, `text/plain`, or XML for a constant. */
  readonly mediaType: string;
  readonly value: AnswerValue;
}

/** A value in a response: a constant, a value of the delivery (`x-echoes`), or an object of such values. */
export type AnswerValue =
  | { readonly fixed: Json }
  | { readonly echoes: string; readonly pointer: Pointer }
  | { readonly members: readonly (readonly [name: string, value: AnswerValue])[] };

/** Kinds that a receiver cannot distinguish in some deliveries. */
export interface EventUnion {
  readonly name: string;
  /** Its name in PascalCase. */
  readonly typeName: string;
  readonly eventType: string;
  /** The names of the notifications. */
  readonly kinds: readonly string[];
  /** Its meaning, as a sentence. */
  readonly summary: string;
  /** The notes that all of its kinds have, then the others with the names of the kinds that have them. */
  readonly notes: readonly string[];
  /** Whether all of its kinds are deprecated. */
  readonly deprecated: boolean;
}

/** How a member of a form or a query is written. */
export interface MemberStyle {
  readonly style: string;
  readonly explode: boolean;
}

/**
 * A message of an AsyncAPI operation that is not a notification: the integrator sends it, it is a reply, or its
 * protocol is not HTTP.
 */
export interface Message extends DescribedNode {
  readonly kind: 'message';
  /** The name of the message in the contract; not unique. */
  readonly id: string;
  /** The name of the operation. */
  readonly operation: string;
  readonly from: 'service' | 'integrator';
  /** Whether it is the reply to a message of the operation. */
  readonly isReply: boolean;
  /** In lower case, such as `http` or `kafka`; never empty. */
  readonly protocols: readonly string[];
  /** The address of the channel; omitted if the contract declares none. */
  readonly address?: string;
  readonly contentType: string;
  /** The name of the schema of the payload; omitted if the message has none. */
  readonly payload?: string;
  /** The name of the schema of the headers; omitted if the message has none. */
  readonly headers?: string;
  readonly examples: readonly Example[];
}

export interface Example extends ContractNode {
  readonly kind: 'example';
  readonly name: string;
  readonly summary?: string;
  readonly value: Json;
}

/** A payload that validation must reject, and the one rule that it breaks. */
export interface InvalidExample extends Omit<Example, 'kind'> {
  readonly kind: 'invalid-example';
  readonly violates: vocabulary.InvalidExample['violates'];
}

export interface SecurityScheme extends ContractNode {
  readonly kind: 'security-scheme';
  /** The name in the contract; unique. */
  readonly id: string;
  /** The identifier of its credential in code; unique. */
  readonly name: string;
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS' | 'other';
  readonly description?: string;
  /** `deprecated` of OpenAPI 3.2; set only if the scheme is deprecated. */
  readonly deprecated?: boolean;
  /** For `apiKey`: where the key is sent; none for a signature in the body. `path` is a segment of the path of the registered URL (`x-in-path`). */
  readonly in?: 'header' | 'query' | 'cookie' | 'path';
  /** For `apiKey`: the name of the header, query parameter or cookie; none for a segment of the path. */
  readonly parameterName?: string;
  /** For `http`: the authentication scheme, such as `bearer`. */
  readonly httpScheme?: string;
  /** The name in `Contract.credentials` of its key or its secret; omitted if it has none there. */
  readonly credential?: string;
  readonly signature?: Signature;
  readonly bodySignature?: BodySignature;
  /** `bodySignature` as signers and verifiers accept it. It has no open questions. */
  readonly bodyScheme?: BodySignatureScheme;
  readonly accessToken?: AccessToken;
  /** The client credentials flow of `oauth2`, if no operation issues the token. */
  readonly clientCredentials?: {
    readonly pointer: Pointer;
    /** As the contract declares it: an http or https URL, or relative to the server. */
    readonly tokenUrl: string;
  };
}

/** A secret or a name that the operator of the service issues, and that the user of a client provides. */
export interface Credential {
  /** Its identifier in code; unique. */
  readonly name: string;
  /** `pair`: a user name and a password for HTTP Basic, or a client ID and its secret. `key`: that of a signature. */
  readonly form: 'text' | 'pair' | 'key';
  readonly description?: string;
  /** The places in the contract that declare it. Ledger entries there are about it. */
  readonly places: readonly Pointer[];
  readonly source: readonly string[];
  readonly notes?: readonly string[];
  /** Whether every scheme that has it is deprecated. */
  readonly deprecated: boolean;
  /** Whether the user of a client has to provide it. */
  readonly required: boolean;
  /** The part of a token request whose value it is. */
  readonly sentBy?: {
    /** The name of the operation's function. */
    readonly operation: string;
    readonly in: Parameter['in'] | 'body';
    /** The name of the parameter, or of the property of the body. */
    readonly name: string;
    readonly schema: JsonSchema;
    /** Set if the contract does not require it. */
    readonly isOptional?: true;
  };
  /** Set for a value of a token request that is not a secret, such as a scope. */
  readonly isPublic?: true;
  /** A value of it that the contract declares. */
  readonly value?: string;
  /** Set for a key with which deliveries are signed, and calls are not. */
  readonly isOfDeliveries?: true;
}

/** `x-signature`, with the default of `value`. */
export type Signature = Omit<vocabulary.Signature, 'x-source' | 'x-note'> & {
  /** The header that carries it. */
  readonly header: string;
  readonly value: string;
};

/** `x-body-signature`: a signature over members of a body, which also contains it. */
export type BodySignature = Omit<vocabulary.BodySignature, 'x-source' | 'x-note'>;

/** `x-access-token`: which operation issues the token, and how the client reads and sends it. */
export type AccessToken = Omit<vocabulary.AccessToken, 'x-source' | 'x-note'>;

/** A workflow of an Arazzo document, from the integrator's side. */
export interface Workflow extends ContractNode {
  readonly kind: 'workflow';
  /** The workflowId, with the name of its document if several documents have it (`flows.list`); unique. */
  readonly id: string;
  readonly summary?: string;
  readonly description?: string;
  readonly steps: readonly WorkflowStep[];
  /** The Workflow Object without its steps: components are in place of references, and workflows have their ids. */
  readonly definition: JsonObject;
}

export type WorkflowStep = WorkflowAction | WorkflowNote;

/** A step that the contract describes. */
export interface WorkflowAction extends ContractNode {
  /** A call that the integrator makes, a message that it receives or sends, or another workflow. */
  readonly kind: 'call' | 'receive' | 'send' | 'workflow';
  /** The stepId; unique in its workflow. */
  readonly id: string;
  readonly description?: string;
  /**
   * The pointers of the operation, of the notifications or messages of which the step expects one, or of the workflow.
   */
  readonly targets: readonly Pointer[];
  /** The names of these operations or notifications, or the ids of the workflows. */
  readonly names: readonly string[];
  /** The place of the correlation id in messages, as AsyncAPI declares it (`$message.payload#/id`); by kind. */
  readonly correlation?: Readonly<Record<string, string>>;
  /** The Step Object, in which components are in place of references. */
  readonly definition: JsonObject;
}

/** A step that the source document mentions and the contract does not describe (`x-undescribed`). */
export interface WorkflowNote extends ContractNode {
  readonly kind: 'note';
  /** `note-1`, `note-2`, …: no other step of the workflow has it. */
  readonly id: string;
  readonly description: string;
  /** The id of the ledger entry that asks for the step. */
  readonly unstated: string;
  /** The path of the call that the step makes, if the contract declares it. */
  readonly path?: string;
}

type StatedInEntry = Pick<
  vocabulary.LedgerEntry,
  'question' | 'remark' | 'assumed' | 'settled' | 'documentation'
>;

/** An entry of the ledger: a question that the source document does not answer. */
export interface Unstated extends ContractNode, StatedInEntry {
  readonly kind: 'unstated';
  readonly id: string;
  /** The identifier of the option in generated code; unique. */
  readonly optionName: string;
  readonly choices: readonly Choice[];
  /** The loss that a wrong assumption causes. */
  readonly risk?: Risk;
  /** The places that use the entry while it is not settled; empty if the entry is only documentation. */
  readonly usedBy: readonly Pointer[];
  /**
   * The places that use the settled answer, and those that its actions wrote or removed; empty while the entry is not
   * settled.
   */
  readonly answers: readonly Pointer[];
  /** The places that the actions of its choices would change; empty if the entry is settled. */
  readonly affects: readonly Pointer[];
}

/** The loss that a wrong assumption about a question causes, and how. */
export type Risk = Pick<vocabulary.Risk, 'loses' | 'because' | 'rank'>;

export type Choice = {
  readonly name: string;
  readonly value: Json;
  readonly meaning: string;
};
