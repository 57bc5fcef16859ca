import { limits, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, Microseconds, OptionalMicroseconds, PathText } from '../common.ts'
import { contract } from '../contract.ts'
import { PathVersion } from './versions.ts'

const params = StrictObject({ instruction: PathText('The id of a work instruction.') })
const path = '/api:1/work-instructions/:instruction/versions'

export const uploadWorkInstruction = contract(
  {
    id: 'uploadWorkInstruction',
    method: 'POST',
    path,
    permission: 'Asset Management',
    tag: 'assets',
    summary: 'Upload a file as the newest version of a work instruction.',
    description: 'The body is its bytes, and `Content-Type` is kept with them.',
  },
  () => ({
    params,
    query: StrictObject({
      filename: Type.String({ description: 'Its name, such as `pump.pdf`.' }),
      modified: Type.Optional(
        Type.Integer({ description: 'When it was changed last, in microseconds since 1970.' }),
      ),
      sha256: Type.Optional(
        Type.String({ description: 'In hexadecimal: other bytes are refused.' }),
      ),
    }),
    body: {
      stream: ['*/*'],
      bytesMax: limits.workInstructionFileBytesMax,
      schema: Type.String({ format: 'binary' }),
    },
    answers: {
      201: json(
        'The version.',
        component('WorkInstructionVersion', {
          version: Type.Integer({ description: 'From 1.' }),
          filename: Type.String(),
          content_type: Nullable(Type.String(), { description: 'Null: none was given.' }),
          size: Type.Integer({ description: 'Bytes.' }),
          sha256: Type.String({ description: 'Of its bytes, in hexadecimal.' }),
          modified: OptionalMicroseconds('When it was changed last; null: not given.'),
          created: Microseconds(),
        }),
      ),
    },
  }),
)

export const downloadWorkInstruction = contract(
  {
    id: 'downloadWorkInstruction',
    method: 'GET',
    path: `${path}/:version/content`,
    permission: 'View Asset',
    tag: 'assets',
    summary: 'Read the file of a version of a work instruction.',
    description: 'Its `ETag` is the SHA-256 of its bytes; older files have none.',
  },
  () => ({
    params: StrictObject({ ...params.properties, version: PathVersion() }),
    answers: {
      200: { description: 'The bytes, with their content type.', text: 'application/octet-stream' },
      304: { description: 'It has a tag that `If-None-Match` names.' },
    },
    anyAnswer: true,
  }),
)
