import type { Database } from '../../../foundation/database/index.ts'
import {
  createSettingsParser,
  invalidField,
  limits,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { lockTags, writeTags } from '../store/tags.ts'
import type { Tag } from './identity.ts'
import { parseTags } from './identity-input.ts'
import { unknownIdentity } from './records.ts'
import { createTagFilterSchema } from './schemas.ts'

/** A change of an identity's tags; every field is checked here. */
export type TagChange = {
  /** `[{name, value}]`: one that it has already stays as it is. */
  readonly add?: unknown
  /** `[{name, value?}]`: without a value all of the name; one that it does not have is none. */
  readonly remove?: unknown
  /** True: those added take the place of all values of their names. */
  readonly replace?: boolean
}

type Unwanted = { readonly name: string; readonly value?: string }

/**
 * Adds and removes tags, whatever others do meanwhile.
 * @throws Fault `invalid_argument`, `unknown_identity`.
 */
export async function changeTags(
  database: Database,
  { id }: Connector,
  identity: string,
  change: TagChange,
): Promise<void> {
  const added = parseTags(change.add ?? [])
  const removed = parseUnwanted(change.remove ?? [])
  await database.transaction(async (transaction) => {
    const tags = await lockTags(transaction, id, identity)
    if (tags === undefined) throw unknownIdentity()
    const isReplaced = ({ name }: Tag) =>
      change.replace === true && added.some((one) => one.name === name)
    const all = tags.filter((tag) => !isReplaced(tag) && !removed.some((one) => isMeant(one, tag)))
    for (const tag of added) if (!all.some((one) => isMeant(tag, one))) all.push(tag)
    if (all.length > limits.tagsMax) throw invalidField('tags', `must be at most ${limits.tagsMax}`)
    await writeTags(transaction, id, identity, all)
  })
}

function isMeant({ name, value }: Unwanted, tag: Tag): boolean {
  return tag.name === name && (value === undefined || tag.value === value)
}

const parseUnwanted = createSettingsParser(
  () => Type.Array(createTagFilterSchema(), { maxItems: limits.tagsMax }),
  'tags',
)
