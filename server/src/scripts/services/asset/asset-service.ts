import type { Assets } from '../../../insight/assets/index.ts'
import type { ScriptingApi, Service } from '../../scripting/index.ts'

type AssetServiceOptions = {
  readonly assets: Pick<Assets, 'onStatusChange'>
  readonly scripts: {
    readonly deliveries: Pick<ScriptingApi['deliveries'], 'addIn'>
    readonly handlers: ScriptingApi['handlers']
  }
}

type StatusEvent = Parameters<Parameters<Assets['onStatusChange']>[0]>[1][number]

const name = 'asset'
const event = 'status'

/**
 * The service `asset`: each solution of a business whose script handles `asset_status` is called
 * with every change of a level of its assets, once, as a durable call of the same transaction.
 */
export function createAssetService({ assets, scripts }: AssetServiceOptions): Service {
  assets.onStatusChange(async (transaction, changes) => {
    const calls = []
    for (const change of changes) {
      const { businessId, id } = change
      const solutions = await scripts.handlers(transaction, businessId, name, event)
      const argument = makeArgument(change)
      const trackingId = statusTrackingId(id)
      for (const solutionId of solutions) {
        calls.push({ businessId, solutionId, service: name, event, argument, trackingId })
      }
    }
    if (calls.length > 0) await scripts.deliveries.addIn(transaction, calls)
  })
  return {
    name,
    always: true,
    events: [{ name: event }],
    operation: () => undefined,
  }
}

/** The tracking id of all calls for a change of a level: what came of it can be found. */
export function statusTrackingId(eventId: string): string {
  return `status-${eventId}`
}

function makeArgument(change: StatusEvent) {
  const { id, assetId, ruleId, signalId, category, ts, level, previous, type, value } = change
  return {
    event_id: id,
    asset_id: assetId,
    ...(ruleId === null ? {} : { rule_id: ruleId }),
    ...(signalId === null ? {} : { signal_id: signalId }),
    category,
    level,
    name: change.name,
    previous,
    ...(type === undefined ? {} : { type }),
    ...(value === undefined ? {} : { value }),
    timestamp: ts,
  }
}
