import { Readable } from 'node:stream'
import { limits, matchesTag, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import { uploadedVersionSchema } from '../../../../insight/policies/index.ts'
import { fileBody, makes, sent, versionNumber } from '../../contract/common.ts'
import { apiHeaders } from '../../errors.ts'
import { operations } from '../../operation.ts'

const changes = operations('assets', 'Asset Management', '/api:1/work-instructions')
const views = operations('assets', 'View Asset', '/api:1/work-instructions')

export const uploadWorkInstruction = changes.post(
  '/:instruction/versions',
  'Upload a file as the newest version of a work instruction.',
  () => ({
    description: 'The body is its bytes, and `Content-Type` is kept with them.',
    query: StrictObject({
      filename: Type.String({ description: 'Its name, such as `pump.pdf`.' }),
      modified: Type.Optional(
        Type.Integer({ description: 'When it was changed last, in microseconds since 1970.' }),
      ),
      sha256: Type.Optional(
        Type.String({ description: 'In hexadecimal: other bytes are refused.' }),
      ),
    }),
    body: fileBody(limits.workInstructionFileBytesMax),
    ...makes('The version.', uploadedVersionSchema),
  }),
  async ({ policies: { uploads } }, { view, params, query, headers, bytes }) => {
    const { filename, modified: modifiedAt, sha256 } = query
    const file = { filename, modifiedAt, sha256, contentType: headers['content-type'], bytes }
    return uploads.add(view, params.instruction, file)
  },
)

export const downloadWorkInstruction = views.get(
  '/:instruction/versions/:version/content',
  'Read the file of a version of a work instruction.',
  () => ({
    description: 'Its `ETag` is the SHA-256 of its bytes; older files have none.',
    answers: {
      200: { description: 'The bytes, with their content type.', text: 'application/octet-stream' },
      304: { description: 'It has a tag that `If-None-Match` names.' },
    },
    anyAnswer: true,
  }),
  async ({ policies: { uploads } }, { view, params, headers, raw: { reply } }) => {
    const version = versionNumber(params)
    const opened = await uploads.open(view, params.instruction, version)
    const etag = opened.sha256 === null ? undefined : `"${opened.sha256}"`
    const entity = etag === undefined ? {} : { etag }
    if (etag !== undefined && matchesTag(headers['if-none-match'], [etag])) {
      reply
        .code(304)
        .headers({ ...apiHeaders, ...entity })
        .send()
      return sent
    }
    const answer = Readable.from(opened.data, { objectMode: false })
    const ended = new Promise((resolve) => answer.once('close', resolve))
    reply
      .headers({
        ...apiHeaders,
        'content-disposition': formatDisposition(opened.filename),
        'content-security-policy': 'sandbox',
        ...entity,
        'content-length': String(opened.bytes),
      })
      .type(checkType(opened.contentType))
      .send(answer)
    await ended
    return sent
  },
)

/** A content type as a header may have it. */
function checkType(given: string): string {
  const isPlain = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w."+-]+)*$/.test(given)
  return isPlain ? given : 'application/octet-stream'
}

/** The name as RFC 6266 writes it: in ASCII for old clients, and whole. */
function formatDisposition(filename: string): string {
  const plain = filename.replaceAll(/[^\w .+-]/g, '_')
  const whole = encodeURIComponent(filename).replaceAll(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
