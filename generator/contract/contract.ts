import type { Json, JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Conditions, ContractNode, JsonSchema, Schema } from '../schema/model.ts';

/**
 * The one model of a contract, whatever documents it was written in. Plain data: `JSON.stringify` keeps all of it.
 * Members stand in the order their author wrote them.
 */
export interface Contract {
  readonly info: Info;
  readonly schemas: readonly Schema[];
  /** Calls the integrator makes. */
  readonly operations: readonly Operation[];
  /** Calls the integrator receives. */
  readonly notifications: readonly Notification[];
  readonly security: readonly SecurityScheme[];
  /** What authorises a call that says nothing else, one that the contract does not state included; left out where nothing is said. */
  readonly defaultSecurity?: readonly SecurityRequirement[];
  /** What the source document leaves open. */
  readonly unstated: readonly Unstated[];
  /** The types of texts by their format, where the configuration names any. */
  readonly formats?: readonly FormatType[];
  /** The bundled documents as they are published: every wire form described, every reference local. */
  readonly documents: { readonly openapi?: JsonObject; readonly asyncapi?: JsonObject };
}

export interface Info extends ContractNode {
  readonly kind: 'info';
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description?: string;
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string };
  /** What `x-source` counts sections of. */
  readonly sourceDocument?: string;
  readonly servers: readonly Server[];
}

export interface Server extends ContractNode {
  readonly kind: 'server';
  readonly url: string;
  readonly description?: string;
  readonly variables: readonly {
    readonly name: string;
    readonly default: string;
    readonly enum?: readonly string[];
    readonly description?: string;
  }[];
}

/** The type that texts of a format have in code: never what a text is not. */
export interface FormatType {
  readonly format: string;
  /** The identifier of the type; unique among schemas and formats. */
  readonly typeName: string;
  /** `brand`: a string with a mark of its own. `template`: a template literal type. `import`: a type of somebody else. */
  readonly kind: 'brand' | 'template' | 'import';
  /** The text of the template literal type, or the name that is imported. */
  readonly type?: string;
  /** The module that the type is imported from. */
  readonly from?: string;
}

/** A value the contract states, or a question of the ledger whose answer will be the value. */
export type OrUnstated<T> = T | { readonly unstated: string };

/** Something OpenAPI calls a parameter and AsyncAPI a header or channel parameter. */
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
  /** The media type, where the value is serialised by `content` and not by `style`. */
  readonly mediaType?: string;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly examples: readonly Json[];
  /** `x-every-request`: how a value is made for each call. */
  readonly everyRequest?: EveryRequest;
}

export interface EveryRequest {
  readonly value: OrUnstated<'uuid' | 'timestamp'>;
  /** Whether a retry sends the same value again. */
  readonly retry: OrUnstated<'keep' | 'renew'>;
}

export interface Content {
  readonly mediaType: string;
  /** The name of the schema; left out where the media type has none. */
  readonly schema?: string;
  /** The name of the schema of one item, for a sequence such as `text/event-stream` whose contract states it. */
  readonly itemSchema?: string;
  /** Whether that schema has the JSON value of an event's data in place of its text. */
  readonly hasJsonData?: true;
  /** OpenAPI's Encoding Objects by property, as written but for references to headers. */
  readonly encoding?: JsonObject;
  readonly examples: readonly Example[];
}

export interface Response extends ContractNode {
  readonly kind: 'response';
  /** `200`, `2XX` or `default`, as declared. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly Parameter[];
  readonly content: readonly Content[];
}

export interface Operation extends ContractNode {
  readonly kind: 'operation';
  /** The operationId, or a name made from method and path where there is none. */
  readonly id: string;
  /** The identifier of its function; unique among operations. */
  readonly name: string;
  /** Upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly description?: string;
    readonly content: readonly Content[];
  };
  readonly responses: readonly Response[];
  /** Alternatives; all schemes of one must be satisfied. An empty list: no security. */
  readonly security: readonly SecurityRequirement[];
  readonly servers: readonly Server[];
  /** `x-repeatable`: whether the call may be sent again although its method is not idempotent. */
  readonly repeatable?: OrUnstated<boolean>;
}

export type SecurityRequirement = readonly {
  readonly scheme: string;
  readonly scopes: readonly string[];
}[];

/** The method and path that the contract gives a notification. */
export interface Label {
  /** Upper case; left out where the contract states none. */
  readonly method?: string;
  /** The path template, beginning with `/`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

export interface Notification extends ContractNode {
  readonly kind: 'notification';
  /** The kind: the name of the message in the contract. */
  readonly id: string;
  /** The identifier of its handler and event; unique among notifications. */
  readonly name: string;
  /** The PascalCase identifier for types; unique among notifications. */
  readonly typeName: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  /** The HTTP method, upper case; left out where the contract states none. The label, where there is one, repeats it. */
  readonly method?: string;
  /** Left out where the contract names no address. */
  readonly label?: Label;
  readonly headers: readonly Parameter[];
  readonly contentType: string;
  /** The name of the canonical schema of the body. */
  readonly payload: string;
  /** What tells it from its siblings where the label does not: alternatives, each a list of conditions. */
  readonly identifiedBy: readonly Conditions[];
  /** Whether `identifiedBy` was written (`x-identified-by`) or derived from constants of the payload. */
  readonly identifiedByOrigin: 'declared' | 'derived';
  /** Names of the notifications that one delivery without a usable label can match as well. */
  readonly ambiguousWith: readonly string[];
  /** `x-dedupe-by`: expressions that make two deliveries the same; left out where nothing is declared. */
  readonly dedupeBy?: OrUnstated<readonly string[]>;
  readonly examples: readonly Example[];
  readonly invalidExamples: readonly InvalidExample[];
  readonly security: readonly SecurityRequirement[];
}

export interface Example extends ContractNode {
  readonly kind: 'example';
  readonly name: string;
  readonly summary?: string;
  readonly value: Json;
}

/** A payload that must be refused, and the one rule it breaks. */
export interface InvalidExample extends ContractNode {
  readonly kind: 'invalid-example';
  readonly name: string;
  readonly summary?: string;
  readonly value: Json;
  readonly violates: {
    /** JSON Pointer of the value at fault. */
    readonly at: string;
    /** The JSON Schema keyword that refuses it. */
    readonly keyword: string;
  };
}

export interface SecurityScheme extends ContractNode {
  readonly kind: 'security-scheme';
  /** The name in the contract; unique. */
  readonly id: string;
  /** The identifier of its credential in code; unique. */
  readonly name: string;
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS' | 'other';
  readonly description?: string;
  /** OpenAPI 3.2 has a word for it; left out where nothing is said. */
  readonly deprecated?: boolean;
  /** For `apiKey`: where it travels. */
  readonly in?: 'header' | 'query' | 'cookie';
  /** For `apiKey`: the name of the header, query parameter or cookie. */
  readonly parameterName?: string;
  /** For `http`: the authentication scheme, such as `bearer`. */
  readonly httpScheme?: string;
  readonly signature?: Signature;
  readonly accessToken?: AccessToken;
}

/** `x-signature`: everything a signer, a verifier and a test vector need to know. */
export interface Signature {
  readonly algorithm: OrUnstated<'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512'>;
  readonly key: {
    /** The name of the credential that holds the key. */
    readonly credential: string;
    readonly encoding: OrUnstated<'utf-8' | 'base64' | 'hex'>;
    /** Text before the encoded key that is not part of it. */
    readonly prefix?: string;
  };
  /** What is signed, concatenated in this order with nothing between. */
  readonly over: readonly OrUnstated<string | { readonly text: string }>[];
  readonly encoding: OrUnstated<'base64' | 'base64url' | 'hex'>;
  /** How the header's value is written: `{signature}` and `{timestamp}` stand for the two. */
  readonly value: string;
  /** What stands between the items of the header's value, such as several signatures; an item may occur more than once. */
  readonly separator?: string;
  readonly timestamp?: {
    /** The header that carries it, where it is not part of `value`. */
    readonly header?: string;
    readonly format: OrUnstated<'iso-8601' | 'unix-seconds' | 'unix-milliseconds'>;
    /** Seconds by which a timestamp may differ from the receiver's clock, both ways. */
    readonly tolerance: OrUnstated<number>;
  };
}

/** `x-access-token`: which operation issues the token, and how it is read and written. */
export interface AccessToken {
  /** The name of the operation. */
  readonly operation: string;
  /** Expression of the token in the operation's response. */
  readonly token: string;
  /** Expression of the token's lifetime in seconds. */
  readonly lifetime?: string;
  /** How the header's value is written: `{token}` stands for the token. */
  readonly value: OrUnstated<string>;
}

/** An entry of the ledger: something the source document does not say. */
export interface Unstated extends ContractNode {
  readonly kind: 'unstated';
  readonly id: string;
  /** The identifier of the option in generated code; unique. */
  readonly optionName: string;
  readonly question: string;
  /** Background that the question alone does not give. */
  readonly remark?: string;
  readonly choices: readonly Choice[];
  /** The name of the choice that holds until somebody settles the entry; left out where the user has to choose. */
  readonly assumed?: string;
  /** The name of the choice that was settled, or a sentence where there are no choices. */
  readonly settled?: string;
  /** Where the contract waits for the answer: empty where the entry is documentation. */
  readonly usedBy: readonly Pointer[];
  /** Where the settled answer stands now; empty while there is none. */
  readonly answers: readonly Pointer[];
}

export interface Choice {
  readonly name: string;
  readonly value: Json;
  readonly meaning: string;
}
