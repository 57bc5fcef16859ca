import {
  component,
  limits,
  type StaticResult,
  StrictObject,
  Text,
  Type,
} from '../../../foundation/kernel/index.ts'
import { createExpireSchema, createFilterSchema } from '../identities/schemas.ts'
import { provisioningLimits } from '../limits.ts'

const { deviceChangesMax } = provisioningLimits

/* Schemas of imports and changes of many identities. */

/** The options of an import, which hold for every row. */
export function createImportSchema() {
  return StrictObject({
    expire: Type.Optional(createExpireSchema()),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'True: everything is checked and nothing is written.' }),
    ),
  })
}
export type ImportInput = StaticResult<ReturnType<typeof createImportSchema>>

/** The rows so far, by outcome. */
export const importCountsSchema = component('ImportCounts', {
  total: Type.Integer({ description: 'The rows below the header.' }),
  added: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  failed: Type.Integer(),
  trimmed: Type.Optional(
    Type.Integer({ description: 'The IDs with white space around them, removed.' }),
  ),
})
export type ImportCounts = StaticResult<typeof importCountsSchema>

const identityChanges = ['lock', 'unlock', 'reprovision', 'delete'] as const
export type IdentityChange = (typeof identityChanges)[number]

/** A change, and the identities that it is of: `filter` or `identities`. */
export function createManyChangeSchema() {
  return StrictObject({
    change: Type.Enum([...identityChanges]),
    filter: Type.Optional(createFilterSchema({ description: 'Which; `{}`: all.' })),
    identities: Type.Optional(
      Type.Array(Text({ minLength: 1, maxLength: limits.identityCharsMax }), {
        description: 'In place of `filter`: these alone.',
        minItems: 1,
        maxItems: deviceChangesMax,
      }),
    ),
    after: Type.Optional(
      Text({
        description: 'With `filter`: only identities whose names come after this one.',
        maxLength: limits.identityCharsMax,
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        description: `With \`filter\`: so many are looked at; else ${deviceChangesMax}.`,
        minimum: 1,
        maximum: deviceChangesMax,
      }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'True: nothing is changed; the answer is what would be.' }),
    ),
  })
}
export type ManyChange = StaticResult<ReturnType<typeof createManyChangeSchema>>

export const manyChangedSchema = component('IdentitiesChanged', {
  changed: Type.Integer(),
  skipped: Type.Integer({ description: 'Their status does not allow the change.' }),
  failed: Type.Array(
    StrictObject({
      identity: Type.String(),
      code: Type.String({ description: 'Such as `unknown_identity`.' }),
      message: Type.String(),
    }),
    { description: 'Named ones that are not there.' },
  ),
  next: Type.Optional(
    Type.String({ description: '`after` of the next call; absent: no other follows.' }),
  ),
})
export type ManyChanged = StaticResult<typeof manyChangedSchema>
