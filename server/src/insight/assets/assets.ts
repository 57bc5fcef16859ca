import type { Database } from '../../foundation/database/index.ts'
import { checkedPage, invalid, type PageRange } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import { checkArea, readsValues } from './area.ts'
import { createConditions, followStatuses } from './conditions/conditions.ts'
import { createAsset } from './create.ts'
import { createFeeds } from './feeds.ts'
import { createFollowing } from './follow.ts'
import { createGenerations } from './generations.ts'
import { createIntake, ensureDeviceAssets } from './intake.ts'
import { listLines, log } from './log.ts'
import { dropValuesBefore, ensurePartitions, removeOld } from './maintain.ts'
import type { AssetsOptions } from './options.ts'
import type { Assets } from './public.ts'
import { countChange } from './publish-change.ts'
import { histories, history, ruleEvents } from './read-values.ts'
import { heldAsset, removeAsset, requireAsset } from './remove.ts'
import { createSignals, within } from './signals/signals.ts'
import { syncChannels } from './signals/sync-channels.ts'
import { setStatuses } from './statuses/set-statuses.ts'
import { StatusEvents } from './statuses/status-events.ts'
import { createTimeouts } from './statuses/timeouts.ts'
import { assetListText } from './store/asset-text.ts'
import {
  assetCount,
  assetPage,
  assetsInGroups,
  assetsOfDevices,
  assetsWithIds,
  countsInGroups,
} from './store/assets.ts'
import { groupAssets, moveGroupAssets } from './store/business.ts'
import { countDeviceUses, deviceKey } from './store/channels.ts'
import { endConditions } from './store/conditions.ts'
import { readEventLog } from './store/event-log.ts'
import { readNewestTimes } from './store/histories.ts'
import type { AssetQuery } from './store/pages.ts'
import { readEvents } from './store/status-events.ts'
import { dropRule, readAllStatuses, readStatuses } from './store/statuses.ts'
import { readLatest, readReceivedLatest } from './store/values.ts'
import { createTemplates } from './templates/templates.ts'
import type { Asset, AssetFilter } from './types.ts'
import { updateAsset } from './update.ts'
import { createValueRetention, OldValues, type ValuePeriods } from './value-retention.ts'
import { writeValues } from './write-values.ts'

export function createAssets(options: AssetsOptions): Assets {
  const { database, clock, groups } = options
  const generations = createGenerations(database)
  const feeds = createFeeds(database)
  const statusEvents = new StatusEvents(options)
  statusEvents.onChange((...call) => followStatuses(options, ...call))
  groups.onRemove({ dependants: groupAssets, move: moveGroupAssets })
  return {
    signals: createSignals(options),
    intake: createIntake(options),
    conditions: createConditions(options),
    templates: createTemplates(options),
    following: createFollowing(options),
    timeouts: createTimeouts({ ...options, statusEvents }),
    onStatusChange: (listener) => statusEvents.onChange(listener),

    update: (view, id, change) =>
      database.transaction((held) => updateAsset(options, held, view, id, change)),
    create: (view, asset, transaction) =>
      within(database, transaction, (held) => createAsset(options, held, view, asset)),
    get: (view, id) => requireAsset(database, view, id),
    some: (view, ids) => assetsWithIds(database, view, ids),
    hold: heldAsset,
    list: (view, page) => listAssets(options, view, page),
    listText: (view, page, fields) => readListText(options, view, page, fields),
    inGroups: (view, groupIds, page) => assetsInGroups(database, view, groupIds, checkedPage(page)),
    countIn: (...call) => countsInGroups(database, ...call),
    count: async (view, filter = {}) =>
      assetCount(database, view, await makeQuery(options, view, filter)),
    remove: (view, id, transaction) =>
      within(database, transaction, (held) => removeAsset(options, held, view, id)),

    deviceUses: (...call) => countDeviceUses(database, ...call),
    async ofDevices(devices) {
      const assets = await assetsOfDevices(database, devices)
      return devices.map((device) => assets.get(deviceKey(device.businessId, device)))
    },
    ensureDeviceAssets: (...call) => ensureDeviceAssets(options, ...call),
    syncChannels: (...call) => syncChannels(options, ...call),

    generations,
    countChange: (...call) => countChange(options, ...call),
    async feeds(devices, known) {
      return feeds(devices, known ?? (await generations(devices)))
    },
    writeValues: (...call) => writeValues(options, ...call),
    lastValues: (...call) => readLatest(database, ...call),
    lastReceived: async (reader, signalIds) =>
      readsValues(reader) ? readReceivedLatest(database, reader.view, signalIds) : new Map(),
    history: (...call) => history(database, ...call),
    histories: (...call) => histories(database, ...call),
    ruleEvents: (...call) => ruleEvents(database, ...call),
    newestValues: (...call) => readNewestTimes(database, ...call),

    setStatuses: (...call) => setStatuses({ clock, statusEvents }, ...call),
    async clearStatus(queryable, businessId, ruleId) {
      await dropRule(queryable, businessId, ruleId)
      await endConditions(queryable, businessId, ruleId, { ts: clock.nowUs() })
    },
    statuses: (view, assetIds) => readStatuses(database, view, assetIds, clock.nowUs()),
    allStatuses: (view, assetIds) => readAllStatuses(database, view, assetIds, clock.nowUs()),
    eventLog: (view, filter, page) => readEventLog(database, view, filter, checkedPage(page)),
    events: (...call) => listEvents(database, ...call),

    log: (...call) => log(options, ...call),
    logLines: (...call) => listLogLines(options, ...call),

    ...createMaintenance(options),
  }
}

function createMaintenance(options: AssetsOptions) {
  const { database } = options
  const oldValues = new OldValues(options)
  return {
    ensurePartitions: (nowUs: number) => ensurePartitions(database, nowUs),
    dropValuesBefore: (us: number) => dropValuesBefore(database, us),
    valueRetention: createValueRetention(options),
    async removeOld(periods?: ValuePeriods) {
      await removeOld(options)
      if (periods !== undefined) await oldValues.remove(periods)
    },
  }
}

async function listAssets(
  options: AssetsOptions,
  view: View,
  asked: AssetFilter & PageRange = {},
): Promise<Asset[]> {
  return assetPage(options.database, view, await makeQuery(options, view, asked))
}

async function readListText(options: AssetsOptions, ...[view, page, fields]: ListTextCall) {
  return assetListText(options.database, view, await makeQuery(options, view, page), fields)
}

type ListTextCall = Parameters<Assets['listText']>

async function makeQuery(
  { groups }: AssetsOptions,
  view: View,
  { groupId, ...asked }: AssetFilter & PageRange,
): Promise<AssetQuery> {
  if (asked.after != null && (asked.order ?? 'created') !== 'created') {
    throw invalid('after belongs to the order of creation')
  }
  if (asked.order === 'distance' && asked.near == null) {
    throw invalid('the order distance needs near')
  }
  checkArea(asked)
  const groupIds = groupId ? await groups.below(view, groupId) : undefined
  const seenIds = groupIds ? undefined : await groups.seenIfFew(view)
  return { ...asked, groupIds, seenIds, ...checkedPage(asked) }
}

async function listEvents(database: Database, view: View, assetId: string, page?: PageRange) {
  const asset = await requireAsset(database, view, assetId)
  return readEvents(database, view.businessId, asset.id, checkedPage(page))
}

async function listLogLines(options: AssetsOptions, view: View, assetId: string, page?: PageRange) {
  const asset = await requireAsset(options.database, view, assetId)
  return listLines(options, view.businessId, asset.id, checkedPage(page))
}
