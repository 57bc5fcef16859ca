import {
  AnyValue,
  defineOperations,
  limits,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'

/** The seconds for which a signed URL of a content works if the script sets none. */
const contentUrlSeconds = 300
/** The most seconds for which a signed URL of a content can work. */
const contentUrlSecondsMax = 604_800

const idRule = 'must be 1 to 255 characters of a path'

/** The rule of an id: parts of letters, digits and `_.-` with slashes between them. */
const id = () =>
  Type.String({
    description: 'The id of the content, such as `reports/2026.csv`.',
    pattern: '^(?!.*(^|/)\\.{1,2}(/|$))[A-Za-z0-9_.@:+-]+(/[A-Za-z0-9_.@:+-]+)*$',
    maxLength: 255,
    rule: idRule,
    missing: 'must be given',
  })

const seconds = () =>
  Type.Integer({
    description: 'The seconds for which the URL works.',
    minimum: 1,
    maximum: contentUrlSecondsMax,
    default: contentUrlSeconds,
    digitsAsNumber: true,
    rule: `must be 1 to ${contentUrlSecondsMax} seconds`,
  })

const position = (description: string) =>
  Type.Integer({
    description,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    digitsAsNumber: true,
    rule: 'must be a whole number',
  })

const info = StrictObject({
  id: Type.String(),
  type: Type.String({ description: 'The content type.' }),
  size: Type.Integer({ description: 'Bytes.' }),
  mtime: Type.Integer({ description: 'Seconds since 1970.' }),
})

const part = StrictObject({
  id: Type.String(),
  offset: Type.Integer({ description: 'Where the next part begins.' }),
})

const signed = StrictObject({
  id: Type.String(),
  method: Type.Enum(['GET', 'PUT']),
  url: Type.String({ description: 'On the host of the solution.' }),
  path: Type.String({ description: 'The same without the host.' }),
  expires: Type.Integer({ description: 'Seconds since 1970.' }),
})

const done = StrictObject({ status: Type.Literal(204) })

const upload = () => ({
  description:
    'Stores a content; without `content` the result is a URL that takes it by PUT. With ' +
    '`offset` the content is sent in parts: 0 begins, each part follows the one before, and ' +
    'the one with `last` makes the content.',
  args: StrictObject({
    id: id(),
    content: Type.Optional(AnyValue<unknown>({ description: 'The bytes, a string.' })),
    type: Type.String({
      description: 'The content type.',
      pattern: '^[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+(; ?charset=[A-Za-z0-9-]+)?$',
      maxLength: 100,
      default: 'application/octet-stream',
      rule: 'must be a content type',
    }),
    expires_in: seconds(),
    offset: Type.Optional(position('The position of this part.')),
    last: Type.Optional(Type.Boolean({ description: 'No part follows.' })),
  }),
  result: Type.Union([info, signed, part]),
})

/** The operations of the service `content`. */
export const contentOperations = defineOperations(() => ({
  list: {
    description: 'Lists contents by their ids.',
    args: StrictObject({
      prefix: Type.Optional(
        Type.String({ description: 'What the ids begin with.', maxLength: 255 }),
      ),
      after: Type.Optional(Type.String({ description: 'Only ids after this one.' })),
      limit: Type.Integer({
        description: 'The most contents.',
        minimum: 1,
        maximum: limits.pageMax,
        default: limits.pageDefault,
        digitsAsNumber: true,
        rule: `must be 1 to ${limits.pageMax}`,
      }),
    }),
    result: Type.Array(info),
  },
  info: { description: 'Describes a content.', args: StrictObject({ id: id() }), result: info },
  read: {
    description: 'Reads the bytes of a content, or a range of them.',
    args: StrictObject({
      id: id(),
      offset: Type.Optional(position('The first byte; 0 if it is left out.')),
      length: Type.Optional(position('The number of bytes; up to the end if it is left out.')),
    }),
    result: StrictObject({
      content: AnyValue<string | Uint8Array>({ description: 'The bytes, a string.' }),
      type: Type.String(),
      size: Type.Integer({ description: 'Bytes of the whole content.' }),
    }),
  },
  upload: upload(),
  download: {
    description: 'Makes a URL from which a content can be read for a time.',
    args: StrictObject({ id: id(), expires_in: seconds() }),
    result: signed,
  },
  delete: {
    description: 'Deletes a content.',
    args: StrictObject({ id: id() }),
    result: done,
  },
  clear: {
    description: 'Deletes the contents whose ids begin with a text; all without it.',
    args: StrictObject({
      prefix: Type.Optional(
        Type.String({ description: 'What the ids begin with.', maxLength: 255 }),
      ),
    }),
    result: StrictObject({ removed: Type.Integer() }),
  },
}))
