/** A kind of difference between our types and those of openapi-typescript, at places of one contract. */
export interface KnownTypeDifference {
  readonly contract: string;
  /** The assignment that TypeScript refuses. */
  readonly refused: 'ours to theirs' | 'theirs to ours' | 'both';
  /** Why our types are right; "it" is openapi-typescript. */
  readonly reason: string;
  /** The names of component schemas, and other places of the contract. */
  readonly places: readonly string[];
}

const reasons = {
  filled:
    'The client fills these parameters (`x-every-request`): the caller passes none of them, or only overrides the value.',
  credential:
    "The client sends the parameter as the credential of the operation's `apiKey` scheme (OpenAPI 3.0.3, 4.7.27.1 and 4.7.30).",
  bytes:
    'Only the names of JSON and text media types state how bytes become a value (RFC 6838, 4.2.8; RFC 8259, 11; RFC 2046, 4.1): any other body is bytes, and without a schema, it is not unknown.',
  file: 'A file is bytes, not text (OpenAPI 3.0.3, 4.7.14.3; 3.1.1, 4.8.14.3); each part can have a media type, a name and headers of its own.',
  text: 'The body is the text itself: a text media type without a schema, or XML, for which the client has no mapping (OpenAPI 3.1.1, 4.8.26).',
  sequence:
    'OpenAPI 3.2, Media Type Object: `itemSchema` describes each item of a sequence. It knows no 3.2.',
  noBody: 'A 204 has no body (RFC 9110, 15.3.5).',
  typeBeside:
    '`type` and the alternatives of `oneOf` or `anyOf` apply both (JSON Schema 2020-12, 10.2.1). It loses values of `type` beside them, or keeps the null that no alternative accepts.',
  alternativesRequire:
    'JSON Schema, 6.5.3: each alternative requires members that `properties` beside it declares. It ignores `required` of a schema without `properties`.',
  enumWithoutType: '`enum` applies without `type` too (JSON Schema, 6.1.2), in both alternatives.',
  memberOfUnion:
    'The schema alone accepts every value that it declares: the values of `discriminator.mapping` apply in the union (OpenAPI 3.1.1, 4.8.25).',
  unionOfReplaced:
    "It writes the discriminator's values into the alternatives instead of the union. As these are replaced by ours here, its union has none.",
  heirs:
    "A value of an heir is a valid value of its parent (OpenAPI 3.1.1, 4.8.25.2), so the parent has the discriminator's values of its heirs.",
  azure: "Azure's `x-ms-discriminator-value` takes the place of the schema's name.",
  omitIndex:
    "It removes the discriminator's member by an `Omit` of a type with an index signature, which removes the required member `type` too.",
  onlyRequired:
    'JSON Schema, 6.5.3: a member that `required` names is present, whether or not `properties` declares it.',
  closedEmpty:
    'JSON Schema, 10.3.2.3: an object with `additionalProperties: false` and no properties has no members.',
  itemsOnly:
    'Keywords imply the type that they describe, here an array, also beside a `type: array` in an alternative. It writes `unknown`.',
  nullablePart:
    'OpenAPI 3.0.3, 4.7.24.2: the reference accepts null, and its `name` is a string. The intersection of its `WithRequired` is a type error.',
  direction:
    'OpenAPI 3.0.3, 4.7.24.2: `required` of a `readOnly` member applies to responses only, of a `writeOnly` member to requests only.',
  tuple: 'JSON Schema 2020-12, 10.3.1.1: `prefixItems` requires no items; `minItems` does.',
  pattern:
    'JSON Schema, 10.3.2.2: `patternProperties` describes only the members whose names match.',
  besideRef:
    'JSON Schema 2020-12, 8.2.3.1: keywords beside `$ref` apply. It ignores `required` there.',
  constNull: '`const: null` accepts only null (JSON Schema, 6.1.3).',
  content:
    'OpenAPI 3.1.1, 4.8.12.2.3: the schema below `content` describes the value, which its media type serializes. It writes the text.',
  indexSignature:
    "JSON Schema, 10.3.2.3: `additionalProperties` does not apply to declared members, but TypeScript's index signature includes them. Its intersection of both types contradicts the declared members.",
} as const;

/** Every difference between our types and those of openapi-typescript in the twelve contracts. */
export const knownTypeDifferences: readonly KnownTypeDifference[] = [
  {
    contract: 'spec/openapi.yaml',
    refused: 'ours to theirs',
    reason: reasons.filled,
    places: ['POST /token header parameters'],
  },
  {
    contract: '@octokit/openapi',
    refused: 'ours to theirs',
    reason: reasons.indexSignature,
    places: ['schema integration', 'schema nullable-integration'],
  },
  {
    contract: '@octokit/openapi',
    refused: 'ours to theirs',
    reason: reasons.memberOfUnion,
    places: ['schema public-user', 'schema private-user'],
  },
  {
    contract: '@octokit/openapi',
    refused: 'theirs to ours',
    reason: reasons.closedEmpty,
    places: [
      'schema empty-object',
      'GET /gists/{gist_id}/star 404 application/json',
      'GET /orgs/{org}/interaction-limits 200 application/json',
      'PUT /orgs/{org}/outside_collaborators/{username} 202 application/json',
      'GET /repos/{owner}/{repo}/interaction-limits 200 application/json',
      'GET /user/interaction-limits 200 application/json',
    ],
  },
  {
    contract: '@octokit/openapi',
    refused: 'theirs to ours',
    reason: reasons.onlyRequired,
    places: ['schema package-version'],
  },
  {
    contract: '@octokit/openapi',
    refused: 'theirs to ours',
    reason: reasons.alternativesRequire,
    places: [
      'schema secret-scanning-custom-pattern-to-update',
      'schema code-quality-setup-update',
      'POST /orgs/{org}/campaigns application/json',
      'POST /orgs/{org}/projectsV2/{project_number}/items application/json',
      'POST /repos/{owner}/{repo}/code-scanning/codeql/variant-analyses application/json',
      'PATCH /repos/{owner}/{repo}/dependabot/alerts/{alert_number} application/json',
      'POST /repos/{owner}/{repo}/pages application/json',
      'PUT /repos/{owner}/{repo}/pages application/json',
      'PATCH /repos/{owner}/{repo}/secret-scanning/alerts/{alert_number} application/json',
      'POST /users/{username}/projectsV2/{project_number}/items application/json',
      'PATCH /repos/{owner}/{repo}/code-scanning/alerts/{alert_number} application/json',
    ],
  },
  {
    contract: '@octokit/openapi',
    refused: 'both',
    reason: reasons.bytes,
    places: [
      'GET /octocat 200 application/octocat-stream',
      'GET /repos/{owner}/{repo}/commits/{ref} 200 application/vnd.github.diff',
      'GET /repos/{owner}/{repo}/commits/{ref} 200 application/vnd.github.patch',
      'GET /repos/{owner}/{repo}/commits/{ref} 200 application/vnd.github.sha',
      'GET /repos/{owner}/{repo}/compare/{basehead} 200 application/vnd.github.diff',
      'GET /repos/{owner}/{repo}/compare/{basehead} 200 application/vnd.github.patch',
      'GET /repos/{owner}/{repo}/contents/{path} 200 application/vnd.github.object',
      'POST /repos/{owner}/{repo}/releases/{release_id}/assets application/octet-stream',
    ],
  },
  {
    contract: '@octokit/openapi',
    refused: 'theirs to ours',
    reason: reasons.enumWithoutType,
    places: ['PATCH /repos/{owner}/{repo}/check-runs/{check_run_id} application/json'],
  },
  {
    contract: '@octokit/openapi',
    refused: 'theirs to ours',
    reason: reasons.unionOfReplaced,
    places: [
      'GET /user 200 application/json',
      'GET /user/{account_id} 200 application/json',
      'GET /users/{username} 200 application/json',
    ],
  },
  {
    contract: '@octokit/openapi-webhooks',
    refused: 'ours to theirs',
    reason: reasons.indexSignature,
    places: ['schema integration'],
  },
  {
    contract: '@octokit/openapi-webhooks',
    refused: 'ours to theirs',
    reason: reasons.typeBeside,
    places: [
      'schema custom-property',
      'schema custom-property-value',
      'schema webhook-deployment-status-created',
      'schema webhook-projects-v2-item-edited',
      'schema webhook-registry-package-published',
    ],
  },
  {
    contract: '@octokit/openapi-webhooks',
    refused: 'theirs to ours',
    reason: reasons.typeBeside,
    places: [
      'schema installation',
      'schema issue-field-value',
      'schema webhook-issues-opened',
      'schema webhook-issues-transferred',
      'schema webhook-pull-request-assigned',
      'schema webhook-pull-request-auto-merge-disabled',
      'schema webhook-pull-request-auto-merge-enabled',
      'schema webhooks_pull_request_5',
      'schema webhook-pull-request-dequeued',
      'schema webhook-pull-request-enqueued',
      'schema webhook-pull-request-labeled',
      'schema webhook-pull-request-locked',
      'schema webhook-pull-request-review-comment-created',
      'schema webhook-pull-request-review-comment-deleted',
      'schema webhook-pull-request-review-comment-edited',
      'schema webhook-pull-request-review-dismissed',
      'schema webhook-pull-request-review-edited',
      'schema webhook-pull-request-review-request-removed',
      'schema webhook-pull-request-review-requested',
      'schema webhook-pull-request-review-submitted',
      'schema webhook-pull-request-review-thread-resolved',
      'schema webhook-pull-request-review-thread-unresolved',
      'schema webhook-pull-request-synchronize',
      'schema webhook-pull-request-unassigned',
      'schema webhook-pull-request-unlabeled',
      'schema webhook-pull-request-unlocked',
      'schema webhook-push',
      'schema repository-ruleset',
      'schema webhook-team-added-to-repository',
      'schema webhook-team-created',
      'schema webhook-team-deleted',
      'schema webhook-team-edited',
      'schema webhook-team-removed-from-repository',
    ],
  },
  {
    contract: 'api/azure.com/datafactory',
    refused: 'ours to theirs',
    reason: reasons.indexSignature,
    places: [
      'schema ActivityRun',
      'schema DataFlowDebugPackage',
      'schema DataFlowDebugSessionInfo',
      'schema DataFlowReference',
      'schema DataFlowSourceSetting',
      'schema DatasetDebugResource',
      'schema DatasetResource',
      'schema Factory',
      'schema GetDataFactoryOperationStatusResponse',
      'schema IntegrationRuntimeDebugResource',
      'schema IntegrationRuntimeResource',
      'schema IntegrationRuntimeStatusResponse',
      'schema LinkedServiceDebugResource',
      'schema LinkedServiceResource',
      'schema PipelineResource',
      'schema PipelineRun',
      'schema RerunTriggerResource',
      'schema TriggerResource',
      'schema TriggerRun',
      'POST /subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DataFactory/factories/{factoryName}/integrationRuntimes/{integrationRuntimeName}/getConnectionInfo 200 application/json',
      'POST /subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DataFactory/factories/{factoryName}/integrationRuntimes/{integrationRuntimeName}/monitoringData 200 application/json',
      'GET /subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DataFactory/factories/{factoryName}/integrationRuntimes/{integrationRuntimeName}/nodes/{nodeName} 200 application/json',
      'PATCH /subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DataFactory/factories/{factoryName}/integrationRuntimes/{integrationRuntimeName}/nodes/{nodeName} 200 application/json',
    ],
  },
  {
    contract: 'api/azure.com/datafactory',
    refused: 'both',
    reason: reasons.azure,
    places: ['schema AzureKeyVaultSecretReference'],
  },
  {
    contract: 'api/azure.com/datafactory',
    refused: 'theirs to ours',
    reason: reasons.omitIndex,
    places: ['schema RerunTriggerResource'],
  },
  {
    contract: 'api/soundcloud.com',
    refused: 'theirs to ours',
    reason: reasons.itemsOnly,
    places: ['schema CompleteUser', 'schema User', 'schema UsersList'],
  },
  {
    contract: 'api/soundcloud.com',
    refused: 'ours to theirs',
    reason: reasons.credential,
    places: ['GET /connect query parameters'],
  },
  {
    contract: 'api/soundcloud.com',
    refused: 'both',
    reason: reasons.file,
    places: ['POST /tracks multipart/form-data', 'PUT /tracks/{track_id} multipart/form-data'],
  },
  {
    contract: 'api/soundcloud.com',
    refused: 'both',
    reason: reasons.bytes,
    places: [
      'POST /tracks multipart/x-www-form-urlencoded',
      'PUT /tracks/{track_id} multipart/x-www-form-urlencoded',
    ],
  },
  {
    contract: 'api/asana.com',
    refused: 'theirs to ours',
    reason: reasons.onlyRequired,
    places: ['schema SectionRequest'],
  },
  {
    contract: 'api/asana.com',
    refused: 'both',
    reason: reasons.file,
    places: ['POST /attachments multipart/form-data'],
  },
  {
    contract: 'api/asana.com',
    refused: 'theirs to ours',
    reason: reasons.itemsOnly,
    places: ['GET /tasks/{task_gid}/stories 200 application/json'],
  },
  {
    contract: 'api/asana.com',
    refused: 'theirs to ours',
    reason: reasons.noBody,
    places: [
      'POST /teams/{team_gid}/removeUser 204 media types',
      'POST /teams/{team_gid}/removeUser 204 application/json',
      'POST /workspaces/{workspace_gid}/removeUser 204 media types',
      'POST /workspaces/{workspace_gid}/removeUser 204 application/json',
    ],
  },
  {
    contract: 'nullable-3.0',
    refused: 'ours to theirs',
    reason: reasons.indexSignature,
    places: ['schema OpenMap'],
  },
  {
    contract: 'nullable-3.0',
    refused: 'theirs to ours',
    reason: reasons.onlyRequired,
    places: ['schema RequiredInMap'],
  },
  {
    contract: 'nullable-3.0',
    refused: 'both',
    reason: reasons.nullablePart,
    places: ['schema NamedPerson'],
  },
  {
    contract: 'nullable-3.0',
    refused: 'ours to theirs',
    reason: reasons.direction,
    places: ['schema Record'],
  },
  {
    contract: 'nullable-3.0',
    refused: 'both',
    reason: reasons.direction,
    places: [
      'schema Record, sent',
      'POST /records application/json',
      'PUT /records/{id} application/json',
    ],
  },
  {
    contract: 'keywords-3.1',
    refused: 'both',
    reason: reasons.constNull,
    places: ['schema ConstantNull'],
  },
  {
    contract: 'keywords-3.1',
    refused: 'ours to theirs',
    reason: reasons.tuple,
    places: ['schema AtLeastOne', 'schema OpenPair'],
  },
  {
    contract: 'keywords-3.1',
    refused: 'ours to theirs',
    reason: reasons.pattern,
    places: ['schema Pattern'],
  },
  {
    contract: 'keywords-3.1',
    refused: 'theirs to ours',
    reason: reasons.besideRef,
    places: ['schema Beside'],
  },
  {
    contract: 'keywords-3.1',
    refused: 'theirs to ours',
    reason: reasons.bytes,
    places: [
      'PUT /series/{name} application/octet-stream',
      'PUT /series/{name} 200 application/octet-stream',
    ],
  },
  {
    contract: 'inheritance-3.0',
    refused: 'theirs to ours',
    reason: reasons.unionOfReplaced,
    places: ['schema Pet'],
  },
  {
    contract: 'inheritance-3.0',
    refused: 'ours to theirs',
    reason: reasons.memberOfUnion,
    places: ['schema Hamster', 'schema Parrot'],
  },
  {
    contract: 'inheritance-3.0',
    refused: 'ours to theirs',
    reason: reasons.heirs,
    places: ['schema Dog', 'schema Puppy'],
  },
  {
    contract: 'inheritance-3.0',
    refused: 'theirs to ours',
    reason: reasons.alternativesRequire,
    places: ['schema Alternatives'],
  },
  {
    contract: 'inheritance-3.0',
    refused: 'theirs to ours',
    reason: reasons.closedEmpty,
    places: ['schema EmptyClosed'],
  },
  {
    contract: 'inheritance-3.0',
    refused: 'both',
    reason: reasons.onlyRequired,
    places: ['schema OnlyRequired'],
  },
  {
    contract: 'inheritance-3.0',
    refused: 'theirs to ours',
    reason: reasons.itemsOnly,
    places: ['schema ItemsOnly'],
  },
  {
    contract: 'parameters-3.2',
    refused: 'both',
    reason: reasons.content,
    places: ['GET /search/{scope}/{range} query parameters'],
  },
  {
    contract: 'parameters-3.2',
    refused: 'both',
    reason: reasons.file,
    places: ['POST /files multipart/form-data'],
  },
  {
    contract: 'parameters-3.2',
    refused: 'theirs to ours',
    reason: reasons.bytes,
    places: ['POST /files 201 image/png'],
  },
  {
    contract: 'parameters-3.2',
    refused: 'both',
    reason: reasons.text,
    places: ['PUT /notes application/xml'],
  },
  {
    contract: 'parameters-3.2',
    refused: 'theirs to ours',
    reason: reasons.text,
    places: ['PUT /notes 202 text/html'],
  },
  {
    contract: 'parameters-3.2',
    refused: 'theirs to ours',
    reason: reasons.sequence,
    places: ['GET /events 200 application/jsonl'],
  },
];
