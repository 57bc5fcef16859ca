import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'
import type { Tag } from '../identities/identity.ts'

/** The tags of these identities of a connector; one that is not there has none. */
export async function readTags(
  queryable: Queryable,
  connectorId: string,
  identities: readonly string[],
): Promise<Map<string, readonly Tag[]>> {
  const rows = await queryable.rows<{ identity: string; tags: readonly Tag[] }>(
    `select identity, tags from provisioning_identity
    where connector_id = $1 and identity = any ($2::text[])`,
    [connectorId, textArray(identities)],
  )
  return new Map(rows.map(({ identity, tags }) => [identity, tags]))
}

/** The tags of an identity, kept as they are until the transaction ends; undefined: no identity. */
export async function lockTags(
  transaction: Transaction,
  connectorId: string,
  identity: string,
): Promise<readonly Tag[] | undefined> {
  const row = await transaction.one<{ tags: readonly Tag[] }>(
    `select tags from provisioning_identity where connector_id = $1 and identity = $2
    for update`,
    [connectorId, identity],
  )
  return row?.tags
}

export async function writeTags(
  transaction: Transaction,
  connectorId: string,
  identity: string,
  tags: readonly Tag[],
): Promise<void> {
  await transaction.run(
    `update provisioning_identity set tags = $3::jsonb
    where connector_id = $1 and identity = $2`,
    [connectorId, identity, JSON.stringify(tags)],
  )
}
