import { limits, RecordOf, StrictObject, Text, Type } from '../../kernel/index.ts'
import {
  authTypeSchema,
  createExpireSchema,
  createIdentityInputSchema,
  createListSchema,
  createTagChangeSchema,
  givenTypeSchema,
  identityChanges,
  identitySchema,
  stateSchema,
  tagSchema,
} from '../../provisioning/index.ts'
import { component, connectorParams, deviceParams, json, nothing } from './common.ts'
import { contract } from './contract.ts'

const base = '/api:1/service/:connector/device2/identity'

/** The codes of a signing by the connector's certificate vendor. */
export const signingRefusals = ['csr_refused', 'vendor_failed', 'secret_unreadable'] as const

const inputDescription =
  '`auth.expire` is the deadline of the activation; left out, a new identity has ' +
  '`activationWindowHours`. `auth.type` with `auth.key` in PEM is `certificate`, which alone ' +
  'provisions the identity, or `csr`, a signing request; without `auth.key` it can only be what ' +
  'it is already. `reprovision: true` lets a device activate again.'

/** The filters of the list of identities, by their names on the wire. */
const filterFields = () => {
  const { limit: _, before: __, tag, ...fields } = createListSchema().properties
  const { name, value } = tag.properties
  return { ...fields, tag: Type.Optional(name), tag_value: value }
}

export const listIdentities = contract(
  {
    id: 'listIdentities',
    method: 'GET',
    path: base,
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'List the identities of a connector, last seen first.',
    description:
      'Filters narrow each other. An empty parameter counts as left out. A caller of some groups ' +
      'sees the devices of these. `count` reads all that the filters select: ask for it seldom.',
  },
  () => {
    const { limit, before } = createListSchema().properties
    const query = {
      limit,
      before,
      ...filterFields(),
      count: Type.Optional(Type.Boolean({ description: 'True: `matching` is counted.' })),
    }
    return {
      params: connectorParams,
      query: StrictObject(query),
      answers: {
        200: json(
          'A page. `total` counts the identities of the connector, whatever the filters.',
          StrictObject({
            mayLoadMore: Type.Boolean({ description: 'True if there is a next page.' }),
            total: Type.Integer(),
            matching: Type.Optional(
              Type.Integer({ description: 'With `count`: those that the filters select.' }),
            ),
            devices: Type.Array(identitySchema),
          }),
        ),
      },
    }
  },
)

export const getIdentity = contract(
  {
    id: 'getIdentity',
    method: 'GET',
    path: `${base}/:identity`,
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'Show an identity.',
  },
  () => ({
    params: deviceParams,
    answers: { 200: json('The identity.', identitySchema) },
    refuses: ['unknown_identity'],
  }),
)

export const putIdentity = contract(
  {
    id: 'putIdentity',
    method: 'PUT',
    path: `${base}/:identity`,
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'Whitelist an identity, or change what the body names of one that is there.',
    description: inputDescription,
  },
  () => ({
    params: deviceParams,
    body: component('IdentityInput', createIdentityInputSchema(givenTypeSchema).properties),
    answers: {
      200: json(
        'The identity; with `auth.type` `csr` the certificate instead.',
        Type.Union([
          identitySchema,
          StrictObject({ certificate: Type.String({ description: 'PEM.' }) }),
        ]),
      ),
    },
    refuses: [
      'already_exists',
      'connector_full',
      'business_quota_full',
      'reprovision_refused',
      ...signingRefusals,
    ],
    example: {
      request: {
        auth: { expire: 1_893_456_000_000_000 },
        tags: [{ name: 'site', value: 'north' }],
      },
    },
  }),
)

export const updateIdentity = contract(
  {
    id: 'updateIdentity',
    method: 'PATCH',
    path: `${base}/:identity`,
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'Change what the body names of an identity that is there.',
    description: 'An `auth.expire` of 0 orders the device to activate again.',
  },
  () => ({
    params: deviceParams,
    body: component('IdentityChange', createIdentityInputSchema(authTypeSchema).properties),
    answers: { 200: json('The identity.', identitySchema) },
    refuses: ['unknown_identity', 'reprovision_refused'],
    example: { request: { locked: true } },
  }),
)

export const deleteIdentity = contract(
  {
    id: 'deleteIdentity',
    method: 'DELETE',
    path: `${base}/:identity`,
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'Delete an identity with its credential and its values.',
  },
  () => ({
    params: deviceParams,
    answers: { 204: nothing('It is deleted.') },
    refuses: ['unknown_identity'],
  }),
)

export const changeTags = contract(
  {
    id: 'changeTags',
    method: 'PATCH',
    path: `${base}/:identity/tags`,
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'Add and remove tags of an identity, whatever others do meanwhile.',
    description:
      'A tag to remove without a `value` is every tag of that `name`. One to add that is there, ' +
      'or to remove that is not, changes nothing.',
  },
  () => ({
    params: deviceParams,
    body: createTagChangeSchema(),
    answers: {
      200: json('The tags that it has now.', StrictObject({ tags: Type.Array(tagSchema) })),
    },
    refuses: ['unknown_identity'],
    example: { request: { add: [{ name: 'floor', value: '2' }], remove: [{ name: 'site' }] } },
  }),
)

export const getState = contract(
  {
    id: 'getState',
    method: 'GET',
    path: `${base}/:identity/state`,
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'Show the values of a device.',
  },
  () => ({
    params: deviceParams,
    answers: { 200: json('The values by alias.', stateSchema) },
    refuses: ['unknown_identity', 'too_large'],
  }),
)

export const setState = contract(
  {
    id: 'setState',
    method: 'PATCH',
    path: `${base}/:identity/state`,
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'Set values of a device.',
  },
  () => ({
    params: deviceParams,
    body: RecordOf(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
        rule: 'must be a string, a number or a boolean',
      }),
      { description: 'The values by alias.' },
    ),
    answers: { 204: nothing('The values are durable, and on their way to the device.') },
    refuses: ['unknown_identity', 'not_settable', 'value_refused'],
    example: { request: { level: 7 } },
  }),
)

const bulkFields = () => ({
  expire: Type.Optional(createExpireSchema()),
  dry_run: Type.Optional(
    Type.Boolean({ description: 'True: everything is checked and nothing is written.' }),
  ),
})

/** The fields of the form beside its file. */
export const createBulkFieldsSchema = () => StrictObject(bulkFields())

const bulkPath = '/api:1/service/:connector/device2/identities'

export const exportIdentities = contract(
  {
    id: 'exportIdentities',
    method: 'GET',
    path: bulkPath,
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'Export the identities of a connector as CSV, in the order of their names.',
    description:
      'The columns are `ID,Tags,State,Last Seen,Last Address`, in UTF-8, the filters those of ' +
      'the list. An import of the file reads `ID` and `Tags`. An ID that begins like a formula ' +
      'of a spreadsheet has an apostrophe before it, which an import removes.',
  },
  () => ({
    params: connectorParams,
    query: StrictObject(filterFields()),
    answers: { 200: { description: 'The file.', text: 'text/csv' } },
  }),
)

export const importIdentities = contract(
  {
    id: 'importIdentities',
    method: 'POST',
    path: bulkPath,
    permission: 'Setup',
    tag: 'devices',
    summary: 'Whitelist the identities of a CSV file.',
    description: 'A field of the form replaces the parameter of its name.',
  },
  () => ({
    params: connectorParams,
    query: StrictObject({
      ...bulkFields(),
      rows: Type.Optional(
        Type.Literal('failed', {
          description: 'The answer holds only the rows that failed.',
          rule: 'can only be failed',
        }),
      ),
    }),
    body: {
      stream: ['multipart/form-data'],
      bytesMax: limits.csvBytesMax,
      schema: StrictObject({
        identities: Type.String({ description: 'The CSV file.', format: 'binary' }),
        ...bulkFields(),
      }),
    },
    answers: {
      200: {
        description:
          'The same rows with `status,code,message` as CSV; or with `Accept: application/json` ' +
          'their counts.',
        text: 'text/csv',
        headers: {
          'millrace-rows': Type.Integer({ description: 'Of CSV: the rows below the header.' }),
        },
        json: component('ImportCounts', {
          total: Type.Integer({ description: 'The rows below the header.' }),
          added: Type.Integer(),
          changed: Type.Integer(),
          unchanged: Type.Integer(),
          failed: Type.Integer(),
          trimmed: Type.Optional(
            Type.Integer({ description: 'The IDs with white space around them, removed.' }),
          ),
        }),
      },
    },
    refuses: ['csv_invalid', 'business_quota_full'],
  }),
)

export const changeIdentities = contract(
  {
    id: 'changeIdentities',
    method: 'POST',
    path: '/api:1/service/:connector/device2/identities/change',
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'Lock, unlock, re-provision or delete many identities at once.',
    description:
      'Of those that `filter` selects, by the parameters of listIdentities, one call looks at ' +
      '`limit`, in the order of their names; `next` of its answer is `after` of the next call. ' +
      'So none is missed or changed twice, whatever devices do meanwhile. A filter of `{}` ' +
      'selects all. `identities` names them instead, and one call changes all of them. An ' +
      'identity whose status does not allow the change is skipped: `lock` changes those that ' +
      'are not locked, `unlock` those that are, `reprovision` those that are provisioned, ' +
      '`delete` all. A call that failed may be sent again.',
  },
  () => ({
    params: connectorParams,
    body: StrictObject({
      change: Type.Enum([...identityChanges]),
      filter: Type.Optional(StrictObject(filterFields(), { description: 'Which; `{}`: all.' })),
      identities: Type.Optional(
        Type.Array(Text({ minLength: 1, maxLength: limits.identityCharsMax }), {
          description: 'In place of `filter`: these alone.',
          minItems: 1,
          maxItems: limits.deviceChangesMax,
        }),
      ),
      after: Type.Optional(
        Text({
          description: 'With `filter`: only identities whose names come after this one.',
          maxLength: limits.identityCharsMax,
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          description: `With \`filter\`: so many are looked at; else ${limits.deviceChangesMax}.`,
          minimum: 1,
          maximum: limits.deviceChangesMax,
        }),
      ),
      dry_run: Type.Optional(
        Type.Boolean({ description: 'True: nothing is changed; the answer is what would be.' }),
      ),
    }),
    answers: {
      200: json(
        'The numbers of identities, and where to go on.',
        component('IdentitiesChanged', {
          changed: Type.Integer(),
          skipped: Type.Integer({ description: 'Their status does not allow the change.' }),
          failed: Type.Array(
            StrictObject({
              identity: Type.String(),
              code: Type.String({ description: 'Such as `unknown_identity`.' }),
              message: Type.String(),
            }),
            { description: 'Named ones that are not there.' },
          ),
          next: Type.Optional(
            Type.String({ description: '`after` of the next call; absent: no other follows.' }),
          ),
        }),
      ),
    },
    refuses: ['reprovision_refused'],
    example: {
      request: { change: 'lock', filter: { status: 'provisioned', tag: 'site', tag_value: 'x' } },
    },
  }),
)
