import { type Transaction, textArray } from '../../../foundation/database/index.ts'

/** The texts of a device that are searched. */
export type TermSource = {
  readonly connector_id: string
  readonly identity: string
  readonly name: string
  readonly description: string
}

const holdSome = `
  select connector_id, identity, name, description from provisioning_identity
  where not searchable
  order by connector_id
  limit $1::bigint
  for no key update skip locked`

/** Holds devices whose letters are not in the index, those that nobody else has at hand. */
export function holdUnsearchable(transaction: Transaction, rowsMax: number): Promise<TermSource[]> {
  return transaction.rows<TermSource>(holdSome, [rowsMax])
}

const putTerms = `
  insert into provisioning_term as t (connector_id, identity, letters)
  select connector_id, identity, letters
  from unnest($1::text[], $2::text[], $3::text[]) as n (connector_id, identity, letters)
  on conflict (connector_id, identity) do update set letters = excluded.letters`

const setSearchable = `
  update provisioning_identity i set searchable = true
  from unnest($1::text[], $2::text[]) as n (connector_id, identity)
  where i.connector_id = n.connector_id and i.identity = n.identity`

/** Puts the letters of devices that are held into the index. */
export async function addTerms(
  transaction: Transaction,
  devices: readonly TermSource[],
  letters: readonly string[],
): Promise<void> {
  const connectors = textArray(devices.map((device) => device.connector_id))
  const identities = textArray(devices.map(({ identity }) => identity))
  await transaction.run(putTerms, [connectors, identities, textArray(letters)])
  await transaction.run(setSearchable, [connectors, identities])
}
