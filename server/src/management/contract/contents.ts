import { limits, StrictObject, Type } from '../../kernel/index.ts'
import { component, connectorParams, json, Microseconds, nothing, PathText } from './common.ts'
import { contract } from './contract.ts'

const base = '/api:1/service/:connector/device2/content'

const content = component(
  'Content',
  {
    id: Type.String(),
    content_type: Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    meta: Type.String({ description: 'A text for the device, such as a version.' }),
    updated: Microseconds(),
  },
  { description: 'Something that devices may download.' },
)

const contentParams = StrictObject({
  ...connectorParams.properties,
  content: PathText('The id of a content, percent-encoded.'),
})

const head = {
  path: `${base}/:content`,
  permission: 'Setup',
  tag: 'connectors',
} as const

export const listContents = contract(
  {
    id: 'listContents',
    method: 'GET',
    path: base,
    permission: 'Setup',
    tag: 'connectors',
    summary: "List the contents that a connector's devices may download, by id.",
  },
  () => ({
    params: connectorParams,
    answers: { 200: json('The contents.', StrictObject({ contents: Type.Array(content) })) },
  }),
)

export const getContent = contract(
  { ...head, id: 'getContent', method: 'GET', summary: 'Show a content without its bytes.' },
  () => ({ params: contentParams, answers: { 200: json('The content.', content) } }),
)

export const putContent = contract(
  {
    ...head,
    id: 'putContent',
    method: 'PUT',
    summary: 'Upload a content, or replace it.',
    description: 'The body is its bytes, and `Content-Type` is kept with them.',
  },
  () => ({
    params: contentParams,
    query: StrictObject({
      meta: Type.Optional(Type.String({ description: 'A text for the device.' })),
    }),
    body: {
      stream: ['*/*'],
      bytesMax: limits.contentBytesMax,
      schema: Type.String({ format: 'binary' }),
    },
    answers: { 201: json('The content.', content) },
    refuses: ['business_quota_full'],
  }),
)

export const deleteContent = contract(
  {
    ...head,
    id: 'deleteContent',
    method: 'DELETE',
    summary: 'Delete a content; downloads that are under way go on.',
  },
  () => ({ params: contentParams, answers: { 204: nothing('It is deleted.') } }),
)
