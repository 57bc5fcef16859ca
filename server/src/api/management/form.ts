import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Fault, invalidField, limits } from '../../foundation/kernel/index.ts'
import { type Spool, spool } from './spool.ts'

/** A parsed form: its file and its fields. */
export type Form = { readonly file: Spool; readonly fields: Readonly<Record<string, string>> }

export type FormRules = {
  /** The name of the field with the file. */
  readonly file: string
  readonly fields: readonly string[]
  readonly fileBytesMax: number
  /** The path of the temporary file. */
  readonly dir: string
}

/**
 * Reads a `multipart/form-data` body; fields may stand before and behind the file.
 * @throws Fault `malformed_request`, `invalid_argument`, `too_large`, `wrong_content_type`.
 */
export async function readForm(request: FastifyRequest, rules: FormRules): Promise<Form> {
  if (!request.isMultipart()) {
    throw new Fault('wrong_content_type', 'The body must be multipart/form-data.')
  }
  const fields: Record<string, string> = {}
  let file: Spool | undefined
  try {
    for await (const part of request.parts(partLimits(rules))) {
      if (part.type === 'file') {
        if (part.fieldname !== rules.file) throw unknownField(part.fieldname)
        file = await spoolWhole(rules, part.file)
      } else if (part.fieldname === rules.file) {
        throw invalidField(rules.file, 'must be a file: it needs a file name')
      } else {
        if (!rules.fields.includes(part.fieldname)) throw unknownField(part.fieldname)
        fields[part.fieldname] = String(part.value)
      }
    }
    if (file === undefined) throw invalidField(rules.file, 'is missing: the form has no such file')
    return { file, fields }
  } catch (error) {
    await file?.close()
    throw translate(error)
  }
}

/** Each may come once more than is allowed, so that it is refused and not left out. */
function partLimits({ fields, fileBytesMax }: FormRules) {
  return {
    limits: {
      fieldNameSize: limits.nameCharsMax,
      fieldSize: limits.nameCharsMax,
      fields: fields.length,
      files: 1,
      parts: fields.length + 1,
      fileSize: fileBytesMax,
    },
    throwFileSizeLimit: false,
  }
}

async function spoolWhole({ dir, fileBytesMax }: FormRules, upload: MultipartFile['file']) {
  const file = await spool(dir, upload)
  if (!upload.truncated) return file
  await file.close()
  throw new Fault('too_large', `The file has more than ${fileBytesMax} bytes.`)
}

function unknownField(name: string): Fault {
  return invalidField(
    JSON.stringify(name.slice(0, limits.nameCharsMax)),
    'is not a field of this form',
  )
}

/** Maps errors of the form parser to refusals; errors of the disk stay internal. */
function translate(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (error instanceof Fault || syscall !== undefined) return error
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(String(code))) {
    return new Fault('malformed_request', 'The form has too many parts.', { cause: error })
  }
  return new Fault('malformed_request', 'The form cannot be read.', { cause: error })
}
