import { limits, type Static, StrictObject, Type } from '../../kernel/index.ts'
import { component, json, Microseconds, nothing, PathText, solutionParams } from './common.ts'
import { contract } from './contract.ts'

const staticFile = component(
  'StaticFile',
  {
    path: Type.String(),
    content_type: Type.String({ description: 'By the end of its name.' }),
    etag: Type.String({ description: 'The SHA-256 of its bytes, in base64url.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    updated_at: Microseconds(),
  },
  { description: "A file that is served on a solution's host." },
)

export type StaticFileBody = Static<typeof staticFile>

const base = '/api:1/solution/:solution/static'
const fileParams = StrictObject({
  ...solutionParams.properties,
  file: PathText('The path of a static file, percent-encoded as one part.'),
})
const head = { path: `${base}/:file`, permission: 'Setup', tag: 'solutions' } as const

export const listStaticFiles = contract(
  {
    id: 'listStaticFiles',
    method: 'GET',
    path: base,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'List the static files of a solution, by their paths.',
  },
  () => ({
    params: solutionParams,
    answers: { 200: json('The files.', StrictObject({ files: Type.Array(staticFile) })) },
  }),
)

export const putStaticFile = contract(
  {
    ...head,
    id: 'putStaticFile',
    method: 'PUT',
    summary: 'Upload a static file of a solution, or replace it.',
    description: 'The body is its bytes; the content type comes from the end of its name.',
  },
  () => ({
    params: fileParams,
    body: {
      stream: ['*/*'],
      bytesMax: limits.solutionStaticFileBytesMax,
      schema: Type.String({ format: 'binary' }),
    },
    answers: { 201: json('The file.', staticFile) },
  }),
)

export const getStaticFile = contract(
  { ...head, id: 'getStaticFile', method: 'GET', summary: 'Read the bytes of a static file.' },
  () => ({
    params: fileParams,
    answers: { 200: { description: 'The bytes.', text: 'application/octet-stream' } },
    anyAnswer: true,
  }),
)

export const uploadStaticFile = contract(
  {
    id: 'uploadStaticFile',
    method: 'POST',
    path: '/api:1/solution/:solution/static-upload',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Upload the bytes of a static file ahead of a push.',
    description: 'They are kept for an hour; a push makes files of them by their etag.',
  },
  () => ({
    params: solutionParams,
    body: {
      stream: ['*/*'],
      bytesMax: limits.solutionStaticFileBytesMax,
      schema: Type.String({ format: 'binary' }),
    },
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
)

export const deleteStaticFile = contract(
  { ...head, id: 'deleteStaticFile', method: 'DELETE', summary: 'Delete a static file.' },
  () => ({ params: fileParams, answers: { 204: nothing('It is deleted.') } }),
)
