import {
  component,
  countChars,
  createSettingsParser,
  Fault,
  invalidField,
  limits,
  Microseconds,
  refuseText,
  type StaticResult,
  Text,
  Type,
} from '../../../foundation/kernel/index.ts'

/** The id of a content. Stored data depend on it. */
const contentIdCharsMax = 128

/** Something that the devices of a connector may download, such as a firmware image. */
export const contentSchema = component(
  'Content',
  {
    id: Type.String(),
    contentType: Type.String(),
    bytes: Type.Integer({ description: 'Bytes.', wire: 'size' }),
    meta: Type.String({ description: 'A text for the device, such as a version.' }),
    updatedAt: Microseconds(undefined, { wire: 'updated' }),
  },
  { description: 'Something that devices may download.' },
)

export type Content = StaticResult<typeof contentSchema> & {
  /** The id of the upload: it changes whenever the content is replaced. */
  readonly generation: string
}

/** The fields of an upload beside its bytes. */
export type ContentInput = {
  readonly contentType?: string | undefined
  readonly meta?: string | undefined
}

const defaultType = 'application/octet-stream'
const mediaType =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"]*"))*$/

const parseId = createSettingsParser(
  () => Text({ minLength: 1, maxLength: contentIdCharsMax }),
  'id',
)
const parseMeta = createSettingsParser(() => Text({ maxLength: limits.settingCharsMax }), 'meta')

/**
 * The id of a content as it is stored. It stands in a path, and alone in a line of CSV.
 * @throws Fault `invalid_argument`.
 */
export function parseContentId(id: string): string {
  parseId(id)
  if (/[",/\\]/.test(id)) throw invalidField('id', 'must not hold quotes, commas or slashes')
  if (id !== id.trim()) throw invalidField('id', 'must not begin or end with a space')
  if (/^\.\.?$/.test(id)) throw invalidField('id', 'must not be dots alone')
  return id
}

/** Returns true if a content can have this id. */
export function couldBeContent(id: string): boolean {
  return id !== '' && refuseText(id, contentIdCharsMax) === undefined
}

/** @throws Fault `invalid_argument`. */
export function parseContentInput(input: ContentInput): { contentType: string; meta: string } {
  const contentType = input.contentType?.trim() || defaultType
  if (countChars(contentType) > contentIdCharsMax || !mediaType.test(contentType)) {
    throw invalidField('Content-Type', 'must be a media type such as application/octet-stream')
  }
  return { contentType, meta: parseMeta(input.meta ?? '') }
}

export function noContent(): Fault {
  return new Fault('not_found', 'the connector has no such content')
}
