import { staticFileSchema, staticUploadSchema } from '../../../scripts/scripting/index.ts'
import { does, fileBody, lists, makes, sent } from '../contract/common.ts'
import { apiHeaders } from '../errors.ts'
import { collectBytes } from '../json-body.ts'
import { operations } from '../operation.ts'

/** The bytes of one static file of a solution; past it 413 `too_large`. */
const solutionStaticFileBytesMax = 8 * 1024 * 1024

const on = operations('solutions', 'Setup', '/api:1/solution/:solution', { inSolution: true })

export const listStaticFiles = on.get(
  '/static',
  'List the static files of a solution, by their paths.',
  () => lists('files', staticFileSchema, 'The files.'),
  ({ webservice: { staticFiles } }, { params }) => staticFiles.list(params.solution),
)

export const putStaticFile = on.put(
  '/static/:file',
  'Upload a static file of a solution, or replace it.',
  () => ({
    description: 'The body is its bytes; the content type comes from the end of its name.',
    body: fileBody(solutionStaticFileBytesMax),
    ...makes('The file.', staticFileSchema),
  }),
  async ({ webservice: { staticFiles } }, call) =>
    staticFiles.put(call.params.solution, call.params.file, await collect(call.bytes)),
)

export const getStaticFile = on.get(
  '/static/:file',
  'Read the bytes of a static file.',
  () => ({
    answers: { 200: { description: 'The bytes.', text: 'application/octet-stream' } },
    anyAnswer: true,
  }),
  async ({ webservice: { staticFiles } }, { params, raw: { reply } }) => {
    const { data } = await staticFiles.read(params.solution, params.file)
    reply
      .headers({ ...apiHeaders, 'content-disposition': 'attachment' })
      .type('application/octet-stream')
      .send(data)
    return sent
  },
)

export const uploadStaticFile = on.post(
  '/static-upload',
  'Upload the bytes of a static file ahead of a push.',
  () => ({
    description: 'They are kept for an hour; a push makes files of them by their etag.',
    body: fileBody(solutionStaticFileBytesMax),
    ...makes('The bytes are kept.', staticUploadSchema),
  }),
  async ({ webservice: { staticFiles } }, call) =>
    staticFiles.upload(call.params.solution, await collect(call.bytes)),
)

export const deleteStaticFile = on.remove(
  '/static/:file',
  'Delete a static file.',
  () => does('It is deleted.'),
  ({ webservice: { staticFiles } }, { params }) => staticFiles.remove(params.solution, params.file),
)

/** @throws Fault too_large */
const collect = (bytes: AsyncIterable<Buffer>) => collectBytes(bytes, solutionStaticFileBytesMax)
