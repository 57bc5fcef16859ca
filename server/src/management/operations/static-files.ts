import { component, limits, Microseconds, StrictObject, Type } from '../../kernel/index.ts'
import { solutionOf } from '../calls.ts'
import { does, fileBody, json, lists, makes, sent } from '../contract/common.ts'
import { apiHeaders } from '../errors.ts'
import { collectBytes, refuseLength } from '../json-body.ts'
import { operations } from '../operation.ts'

const staticFile = component(
  'StaticFile',
  {
    path: Type.String(),
    contentType: Type.String({ description: 'By the end of its name.' }),
    etag: Type.String({ description: 'The SHA-256 of its bytes, in base64url.' }),
    bytes: Type.Integer({ description: 'Bytes.', wire: 'size' }),
    updatedAt: Microseconds(),
  },
  { description: "A file that is served on a solution's host." },
)

const on = operations('solutions', 'Setup', '/api:1/solution/:solution')

export const listStaticFiles = on.get(
  '/static',
  'List the static files of a solution, by their paths.',
  () => lists('files', staticFile, 'The files.'),
  async ({ scripting: { solutions }, webservice: { staticFiles } }, call) => {
    const { id } = await solutions.get(...solutionOf(call))
    return staticFiles.list(id)
  },
)

export const putStaticFile = on.put(
  '/static/:file',
  'Upload a static file of a solution, or replace it.',
  () => ({
    description: 'The body is its bytes; the content type comes from the end of its name.',
    body: fileBody(limits.solutionStaticFileBytesMax),
    ...makes('The file.', staticFile),
  }),
  async ({ scripting: { solutions }, webservice: { staticFiles } }, call) => {
    refuseLength(call.headers, limits.solutionStaticFileBytesMax)
    const { id } = await solutions.get(...solutionOf(call))
    const data = await collect(call.bytes)
    return staticFiles.put(id, call.params.file, data)
  },
)

export const getStaticFile = on.get(
  '/static/:file',
  'Read the bytes of a static file.',
  () => ({
    answers: { 200: { description: 'The bytes.', text: 'application/octet-stream' } },
    anyAnswer: true,
  }),
  async ({ scripting: { solutions }, webservice: { staticFiles } }, call) => {
    const { id } = await solutions.get(...solutionOf(call))
    const { data } = await staticFiles.read(id, call.params.file)
    const disposition = { 'content-disposition': 'attachment' }
    const { reply } = call.raw
    reply
      .headers({ ...apiHeaders, ...disposition })
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
    body: fileBody(limits.solutionStaticFileBytesMax),
    answers: {
      201: json(
        'The bytes are kept.',
        StrictObject({
          etag: Type.String({ description: 'Their SHA-256, in base64url.' }),
          size: Type.Integer({ description: 'Bytes.' }),
        }),
      ),
    },
  }),
  async ({ scripting: { solutions }, webservice: { staticFiles } }, call) => {
    refuseLength(call.headers, limits.solutionStaticFileBytesMax)
    const { id } = await solutions.get(...solutionOf(call))
    const { etag, bytes } = await staticFiles.upload(id, await collect(call.bytes))
    return { etag, size: bytes }
  },
)

export const deleteStaticFile = on.remove(
  '/static/:file',
  'Delete a static file.',
  () => does('It is deleted.'),
  async ({ scripting: { solutions }, webservice: { staticFiles } }, call) => {
    const { id } = await solutions.get(...solutionOf(call))
    await staticFiles.remove(id, call.params.file)
  },
)

/** @throws Fault too_large */
const collect = (bytes: AsyncIterable<Buffer>) =>
  collectBytes(bytes, limits.solutionStaticFileBytesMax)
