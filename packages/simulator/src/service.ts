import type {
  Content,
  Contract,
  Credential,
  Example,
  Json,
  ModelVersion,
  Notification,
  Operation,
  OwnServer,
  Parameter,
  Response,
  SecurityScheme,
  TokenEndpoint,
  Unstated,
  ValueShape,
  Workflow,
  WorkflowAction,
  WorkflowNote,
} from 'countersign/kit';
import type { SentLabel } from './sending/compose-request.ts';
import type { SentSignature } from './sending/signature-scheme.ts';

export type { SentSignature } from './sending/signature-scheme.ts';

/** A violation of the contract by a value. Its texts come from the contract, and contain no value. */
export interface Violation {
  /** JSON Pointer (RFC 6901) of the invalid value; empty for the whole value. */
  readonly pointer: string;
  /** The violated keyword of JSON Schema. */
  readonly keyword: string;
  /** What is wrong, as a phrase that follows the name of the value. */
  readonly message: string;
}

/** The compiled validation of a schema. Neither function throws. */
export interface Check {
  readonly accepts: (value: unknown) => boolean;
  readonly violations: (value: unknown) => readonly Violation[];
}

/** What the simulator reads of a contract: parts of its model, and what is made of its schemas. */
export interface Service extends ServiceData {
  /** The open questions of the ledger that have choices. Their answers are options of the simulator. */
  readonly unstated: readonly OpenQuestion[];
  /** The validators of bodies and payloads, by the names of their schemas. */
  readonly checks: ReadonlyMap<string, Check>;
  /**
   * The validators of the parameters of operations, by the names of these. Their value is an object with the members
   * `path`, `query`, `header` and `cookie`, each an object of the decoded values by name. Header names are in lower case.
   */
  readonly parameterChecks: ReadonlyMap<string, Check>;
}

/** What a generated package carries of a service as data. The nodes are those of the model, without what nothing reads. */
export interface ServiceData {
  readonly modelVersion: ModelVersion;
  readonly info: Pick<Contract['info'], 'title' | 'version'>;
  readonly operations: readonly ServedOperation[];
  readonly servers: {
    readonly overrides: readonly Pick<OwnServer, 'key'>[];
    readonly tokenEndpoints: readonly Pick<
      TokenEndpoint,
      'key' | 'schemes' | 'name' | 'servedPath'
    >[];
  };
  readonly notifications: readonly ServedNotification[];
  readonly security: readonly ServedScheme[];
  readonly credentials: readonly ServedCredential[];
  readonly workflows: readonly ServedWorkflow[];
  readonly samples: Samples;
}

/** Values that are made from schemas, where the contract has no example. Each is valid. */
export interface Samples {
  /** Bodies of responses, by the names of their schemas. */
  readonly bodies: Readonly<Record<string, readonly Json[]>>;
  /** Payloads, by the names of notifications. */
  readonly payloads: Readonly<Record<string, readonly Json[]>>;
}

/** A call that the service answers. */
export interface ServedOperation extends Pick<
  Operation,
  'id' | 'name' | 'method' | 'path' | 'summary' | 'security'
> {
  readonly parameters: readonly ServedParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: readonly ServedContent[] };
  readonly responses: readonly ServedResponse[];
}

export interface ServedParameter extends Pick<
  Parameter,
  'name' | 'in' | 'required' | 'style' | 'explode' | 'mediaType' | 'everyRequest'
> {
  /** How its text is read; made of its schema. */
  readonly shape: ValueShape;
}

/** A body of one media type. */
export interface ServedContent extends Pick<Content, 'mediaType' | 'schema'> {
  /** For a form: how its text is read; made of its schema. */
  readonly shape?: ValueShape;
  readonly form?: { readonly fields: readonly ServedField[] };
  /** Set where the body consists of bytes, whatever its media type is. */
  readonly isBytes?: true;
  readonly examples: readonly NamedValue[];
}

/** A property of a form, with its style. */
type ServedField = Pick<
  NonNullable<Content['form']>['fields'][number],
  'name' | 'style' | 'explode'
>;

/** An example of the contract. */
export type NamedValue = Pick<Example, 'name' | 'value'>;

export interface ServedResponse extends Pick<Response, 'status' | 'description' | 'fixedHeaders'> {
  readonly content: readonly ServedContent[];
}

/** A notification that the service sends. */
export interface ServedNotification extends Pick<
  Notification,
  | 'name'
  | 'summary'
  | 'dedupeBy'
  | 'security'
  | 'encoding'
  | 'memberStyles'
  | 'delivery'
  | 'wire'
  | 'openCodes'
> {
  readonly label?: SentLabel;
  readonly examples: readonly NamedValue[];
  /** Payloads that break one rule each. */
  readonly invalidExamples: readonly NamedValue[];
}

/** A security scheme. */
export interface ServedScheme extends Pick<
  SecurityScheme,
  | 'id'
  | 'type'
  | 'in'
  | 'parameterName'
  | 'httpScheme'
  | 'credential'
  | 'bodyScheme'
  | 'accessToken'
> {
  readonly signature?: SentSignature;
}

/** A secret or a name that the operator of the service issues. */
export type ServedCredential = Pick<
  Credential,
  'name' | 'description' | 'form' | 'isPublic' | 'value'
> & { readonly sentBy?: Omit<NonNullable<Credential['sentBy']>, 'schema'> };

/** An open question of the ledger with its choices. */
export type OpenQuestion = Pick<Unstated, 'id' | 'optionName' | 'question' | 'assumed' | 'choices'>;

/** A workflow, from the integrator's side. */
export interface ServedWorkflow extends Pick<Workflow, 'id' | 'summary' | 'definition'> {
  readonly steps: readonly (
    | Pick<WorkflowAction, 'kind' | 'id' | 'description' | 'names' | 'correlation' | 'definition'>
    | Pick<WorkflowNote, 'kind' | 'id' | 'description'>
  )[];
}
