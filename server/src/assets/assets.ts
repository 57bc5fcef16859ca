import type { Transaction } from '../database/index.ts'
import { wholeView } from '../groups/index.ts'
import { checkedPage, Fault } from '../kernel/index.ts'
import { createConditions, followStatuses } from './conditions/conditions.ts'
import { createAsset } from './create.ts'
import { createFeeds } from './feeds.ts'
import { createGenerations } from './generations.ts'
import { createIntake, ensureDeviceAssets } from './intake.ts'
import { listLines, log } from './log.ts'
import { dropValuesBefore, ensurePartitions, removeOld } from './maintain.ts'
import type { Assets } from './public.ts'
import { history } from './read-values.ts'
import { heldAsset, removeAsset, requireAsset } from './remove.ts'
import { createSignals } from './signals.ts'
import { setStatus } from './statuses/set-status.ts'
import { StatusEvents } from './statuses/status-events.ts'
import { createTimeouts } from './statuses/timeouts.ts'
import { assetCount, assetCountIn, assetPage, assetsOfDevices, intakeInto } from './store/assets.ts'
import { endConditions } from './store/conditions.ts'
import { deviceKey } from './store/signals.ts'
import { eventsOf } from './store/status-events.ts'
import { allStatusesOf, dropRule, statusesOf } from './store/statuses.ts'
import { countStructure } from './store/structure.ts'
import { latestOf } from './store/values.ts'
import { syncChannels } from './sync-channels.ts'
import type { AssetsOptions } from './types.ts'
import { writeValues } from './write-values.ts'

export function createAssets(options: AssetsOptions): Assets {
  const { database, clock, groups } = options
  const generations = createGenerations(database)
  const feeds = createFeeds(database)
  const statusEvents = new StatusEvents(options)
  statusEvents.onChange((...call) => followStatuses(options, ...call))
  groups.onRemove(refuseUsedGroup)
  return {
    signals: createSignals(options),
    intake: createIntake(options),
    conditions: createConditions(options),
    timeouts: createTimeouts({ ...options, statusEvents }),
    onStatusChange: (listener) => statusEvents.onChange(listener),

    create: (businessId, asset) =>
      database.transaction((held) => createAsset(options, held, businessId, asset)),
    get: (businessId, id) => requireAsset(database, businessId, id),
    hold: heldAsset,
    async list(businessId, page = {}) {
      const { groupId } = page
      const groupIds = groupId ? await groups.below(wholeView(businessId), groupId) : undefined
      return assetPage(database, businessId, checkedPage(page), groupIds)
    },
    count: (businessId) => assetCount(database, businessId),
    async remove(businessId, id, transaction) {
      const work = (held: Transaction) => removeAsset(options, held, businessId, id)
      return transaction === undefined ? database.transaction(work) : work(transaction)
    },

    async ofDevices(devices) {
      const assets = await assetsOfDevices(database, devices)
      return devices.map((device) => assets.get(deviceKey(device.businessId, device)))
    },
    ensureDeviceAssets: (...call) => ensureDeviceAssets(options, ...call),
    syncChannels: (...call) => syncChannels(options, ...call),

    generations,
    countChange: countStructure,
    async feeds(devices, known) {
      return feeds(devices, known ?? (await generations(devices)))
    },
    writeValues: (...call) => writeValues(options, ...call),
    lastValues: (businessId, signalIds) => latestOf(database, businessId, signalIds),
    history: (...call) => history(database, ...call),

    setStatus: (...call) => setStatus({ clock, statusEvents }, ...call),
    async clearStatus(queryable, businessId, ruleId) {
      await dropRule(queryable, businessId, ruleId)
      await endConditions(queryable, businessId, ruleId, { ts: clock.nowUs() })
    },
    statuses: (businessId, assetIds) => statusesOf(database, businessId, assetIds, clock.nowUs()),
    allStatuses: (businessId, assetIds) =>
      allStatusesOf(database, businessId, assetIds, clock.nowUs()),
    async events(businessId, assetId, page) {
      const asset = await requireAsset(database, businessId, assetId)
      return eventsOf(database, businessId, asset.id, checkedPage(page))
    },

    log: (...call) => log(options, ...call),
    async logLines(businessId, assetId, page) {
      const asset = await requireAsset(database, businessId, assetId)
      return listLines(options, businessId, asset.id, checkedPage(page))
    },

    ensurePartitions: (nowUs) => ensurePartitions(database, nowUs),
    dropValuesBefore: (us) => dropValuesBefore(database, us),
    removeOld: () => removeOld(options),
  }
}

/** A group is removed once nothing lies in it. @throws Fault `in_use`. */
async function refuseUsedGroup(transaction: Transaction, businessId: string, groupId: string) {
  const count = await assetCountIn(transaction, businessId, groupId)
  if (count > 0) throw new Fault('in_use', `${count} assets lie in the group.`)
  const connectorId = await intakeInto(transaction, businessId, groupId)
  if (connectorId === undefined) return
  throw new Fault('in_use', `Assets of new devices of connector ${connectorId} go to the group.`)
}
