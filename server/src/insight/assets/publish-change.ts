import type { Transaction } from '../../foundation/database/index.ts'
import { wholeView } from '../../people/groups/index.ts'
import type { AssetsOptions } from './options.ts'
import { assetsWithIds } from './store/assets.ts'
import type { AssetRef } from './store/channels.ts'
import { countStructure } from './store/structure.ts'

type ChangedOptions = Pick<AssetsOptions, 'database' | 'changes'>

/** Publishes that assets have changed, to those who see the groups in which they lie by then. */
export function publishChange(
  { database, changes }: ChangedOptions,
  on: Pick<Transaction, 'afterCommit'>,
  assets: readonly AssetRef[],
): void {
  for (const [businessId, own] of Map.groupBy(assets, (one) => one.businessId)) {
    const ids = [...new Set(own.map(({ assetId }) => assetId))]
    changes.publish(on, businessId, 'assets', async () => {
      const found = await assetsWithIds(database, wholeView(businessId), ids)
      return found.map(({ groupId }) => groupId)
    })
  }
}

/** Counts and publishes a change of what belongs to assets; as the last of its transaction. */
export async function countChange(
  options: ChangedOptions,
  transaction: Transaction,
  assets: readonly AssetRef[],
): Promise<void> {
  await countStructure(transaction, assets)
  publishChange(options, transaction, assets)
}
