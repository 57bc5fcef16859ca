import { contentSchema } from '../../../devices/provisioning/index.ts'
import { limits, StrictObject, Type } from '../../../foundation/kernel/index.ts'
import { does, fileBody, lists, makes, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

const on = operations('connectors', 'Setup', '/api:1/service/:connector/device2/content')

export const listContents = on.get(
  '',
  "List the contents that a connector's devices may download, by id.",
  () => lists('contents', contentSchema, 'The contents.'),
  ({ provisioning: { contents } }, { businessId, params }) =>
    contents.list(businessId, params.connector),
)

export const getContent = on.get(
  '/:content',
  'Show a content without its bytes.',
  () => shows('The content.', contentSchema),
  ({ provisioning: { contents } }, { businessId, params }) =>
    contents.get(businessId, params.connector, params.content),
)

export const putContent = on.put(
  '/:content',
  'Upload a content, or replace it.',
  () => ({
    description: 'The body is its bytes, and `Content-Type` is kept with them.',
    query: StrictObject({
      meta: Type.Optional(Type.String({ description: 'A text for the device.' })),
    }),
    body: fileBody(limits.contentBytesMax),
    ...makes('The content.', contentSchema),
    refuses: ['business_quota_full'],
  }),
  ({ provisioning: { contents } }, { businessId, params, query, headers, bytes }) => {
    const input = { contentType: headers['content-type'], meta: query.meta }
    const where = [businessId, params.connector, params.content] as const
    return contents.put(...where, input, bytes)
  },
)

export const deleteContent = on.remove(
  '/:content',
  'Delete a content; downloads that are under way go on.',
  () => does('It is deleted.'),
  ({ provisioning: { contents } }, { businessId, params }) =>
    contents.remove(businessId, params.connector, params.content),
)
