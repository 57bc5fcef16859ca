import {
  type Clock,
  Fault,
  limits,
  newId,
  type PeriodPart,
  type PeriodsByBusiness,
  removeByPeriods,
  unsetPeriods,
} from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { Device } from '../device.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import {
  beginGeneration,
  deleteContent,
  endGeneration,
  insertChunk,
  listContents,
  oldContents,
  putInForce,
  readChunk,
  readContent,
  removeEnded,
} from '../store/contents.ts'
import { addDownload } from '../store/downloads.ts'
import {
  type Content,
  type ContentInput,
  couldBeContent,
  noContent,
  parseContentId,
  parseContentInput,
} from './content.ts'

/** Uploads of contents at once in a process. */
const contentUploadsMax = 16

/** The contents that devices may download. Operators' calls @throw Fault `not_found`. */
export type Contents = {
  /** By id; at most `contentsMax`. */
  list(businessId: string, connectorId: string): Promise<Content[]>
  get(businessId: string, connectorId: string, id: string): Promise<Content>
  /**
   * Takes an upload in; when it resolves the content is durable and in force, and until then what
   * was there before stays. It holds `contentChunkBytes` in memory, whatever the size.
   * @throws Fault `invalid_argument`, `too_large`, `overloaded`; and what `bytes` throws, where
   *   the upload was cut.
   */
  put(
    businessId: string,
    connectorId: string,
    id: string,
    input: ContentInput,
    bytes: AsyncIterable<Buffer>,
  ): Promise<Content>
  /** Ends a content; downloads that are under way go on. */
  remove(businessId: string, connectorId: string, id: string): Promise<void>
  readonly forDevice: DeviceContents
  /**
   * Clears away what was replaced, removed or cut long enough ago, and removes what was uploaded
   * longer ago than its period; without one nothing is too old.
   */
  sweep(periods?: PeriodsByBusiness): Promise<void>
}

/** The contents that a device can read. */
export type DeviceContents = {
  list(device: Device): Promise<Content[]>
  /** @throws Fault `not_found`. */
  get(device: Device, id: string): Promise<Content>
  /**
   * The bytes from `from` up to and not including `to`, in pieces; of this very upload also where
   * it was replaced meanwhile, for `contentReplacedHours`.
   * @throws Fault `not_found` where its time is over.
   */
  read(device: Device, content: Content, from: number, to: number): AsyncIterable<Buffer>
  /** Keeps that these bytes were sent to the device; without the database it is only logged. */
  sent(device: Device, content: Content, from: number, to: number): Promise<void>
}

const usPerMs = 1_000
const usPerHour = 3_600_000_000

/** @param bytesMax of one upload. */
export function createContents(
  options: ProvisioningOptions,
  connectors: Pick<Connectors, 'get'>,
  bytesMax: number = limits.contentBytesMax,
): Contents {
  const { database, changes, clock } = options
  let uploads = 0
  return {
    async list(businessId, connectorId) {
      const connector = await connectors.get(businessId, connectorId)
      return listContents(database, connector.id, provisioningLimits.contentsMax)
    },
    async get(businessId, connectorId, id) {
      const connector = await connectors.get(businessId, connectorId)
      return find(options, connector.id, id)
    },
    put: changes.publishing('connectors', async (businessId, connectorId, id, input, bytes) => {
      const connector = await connectors.get(businessId, connectorId)
      if (uploads >= contentUploadsMax) {
        const retry = { retryAfterS: limits.retryAfterS }
        throw new Fault('overloaded', 'Too many uploads at once.', retry)
      }
      uploads += 1
      return upload(options, connector, { id, input, bytes, bytesMax }).finally(() => {
        uploads -= 1
      })
    }),
    remove: changes.publishing('connectors', async (businessId, connectorId, id) => {
      const connector = await connectors.get(businessId, connectorId)
      const removed = await database.transaction(async (transaction) =>
        deleteContent(transaction, connector.id, id, keptUntil(clock)),
      )
      if (!removed) throw noContent()
    }),
    forDevice: {
      list: ({ connector }) => listContents(database, connector.id, provisioningLimits.contentsMax),
      get: ({ connector }, id) => find(options, connector.id, id),
      read: ({ connector }, content, from, to) => read(options, connector.id, content, from, to),
      sent: (device, content, from, to) => keepSent(options, device, content, { from, to }),
    },
    async sweep(periods = unsetPeriods) {
      const nowUs = clock.nowUs()
      await removeByPeriods(periods, undefined, (part, hours, count) =>
        removeOld(options, part, nowUs - hours * usPerHour, count),
      )
      await sweep(options)
    },
  }
}

async function find(
  { database }: ProvisioningOptions,
  connectorId: string,
  id: string,
): Promise<Content> {
  const content = couldBeContent(id) ? await readContent(database, connectorId, id) : undefined
  if (content === undefined) throw noContent()
  return content
}

type Upload = {
  readonly id: string
  readonly input: ContentInput
  readonly bytes: AsyncIterable<Buffer>
  readonly bytesMax: number
}

/** The device has its bytes already: that it was not written down fails nothing for it. */
async function keepSent(
  { database, clock, logger }: ProvisioningOptions,
  { connector, identity }: Device,
  { id, generation }: Content,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const part = { connectorId: connector.id, identity, content: id, generation, from, to }
  await addDownload(database, { ...part, at: clock.nowUs() }).catch((error: unknown) => {
    logger.warn({ err: error, connector: connector.id }, 'writing down a download failed')
  })
}

/** Stores an upload. The content of before stays until all of it is in, and if the upload fails. */
async function upload(
  options: ProvisioningOptions,
  { id: connectorId, businessId }: Pick<Connector, 'id' | 'businessId'>,
  { id, input, bytes, bytesMax }: Upload,
): Promise<Content> {
  const { database, clock, random } = options
  const head = { id: parseContentId(id), ...parseContentInput(input) }
  const generation = newId(random)
  const untilUs = clock.nowUs() + 2 * limits.contentUploadMsMax * usPerMs
  await beginGeneration(database, connectorId, generation, untilUs)
  try {
    const size = await writeChunks(options, connectorId, generation, bytes, bytesMax)
    const content = { ...head, generation, bytes: size, updatedAt: clock.nowUs() }
    await enforce(options, { connectorId, businessId }, content)
    return content
  } catch (error) {
    await endGeneration(database, connectorId, generation, clock.nowUs())
      .then(() => sweep(options))
      .catch(() => {
        // If the database is away, a later sweep finds it when its time is over.
      })
    throw error
  }
}

/** @returns how many were removed. */
async function removeOld(
  { database, clock }: ProvisioningOptions,
  part: PeriodPart,
  beforeUs: number,
  count: number,
): Promise<number> {
  const old = await oldContents(database, part, beforeUs, count)
  for (const { connectorId, id } of old) {
    await database.transaction((held) => deleteContent(held, connectorId, id, keptUntil(clock)))
  }
  return old.length
}

async function sweep({ database, clock }: ProvisioningOptions): Promise<void> {
  const nowUs = clock.nowUs()
  while (await removeEnded(database, nowUs));
}

/** The time until which content that is replaced or removed now is kept. */
function keptUntil(clock: Clock): number {
  return clock.nowUs() + provisioningLimits.contentReplacedHours * usPerHour
}

/** Puts an upload that is complete in the place of what was there. */
async function enforce(
  { database, clock, quotas }: ProvisioningOptions,
  { connectorId, businessId }: { readonly connectorId: string; readonly businessId: string },
  content: Content,
): Promise<void> {
  const { contentsMax } = provisioningLimits
  const stored = await database.transaction(async (transaction) => {
    const how = { oldEndsAt: keptUntil(clock), contentsMax }
    const outcome = await putInForce(transaction, connectorId, content, how)
    await quotas?.require(transaction, businessId, 'storage')
    return outcome
  })
  if (stored === 'late') throw new Fault('invalid_argument', 'the upload took too long')
  if (stored === 'full') {
    throw new Fault('invalid_argument', `a connector has at most ${contentsMax} contents`)
  }
}

async function* read(
  { database }: ProvisioningOptions,
  connectorId: string,
  { generation }: Content,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  const chunkBytes = provisioningLimits.contentChunkBytes
  for (let ord = Math.floor(from / chunkBytes); ord * chunkBytes < to; ord += 1) {
    const chunk = await readChunk(database, connectorId, generation, ord)
    if (chunk === undefined) throw noContent()
    const start = ord * chunkBytes
    yield chunk.subarray(Math.max(0, from - start), Math.min(chunk.length, to - start))
  }
}

/**
 * Writes a row for each chunk, committed before the next is read: the sender is held back by the
 * disk.
 */
async function writeChunks(
  { database }: ProvisioningOptions,
  connectorId: string,
  generation: string,
  bytes: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<number> {
  const chunk = Buffer.allocUnsafe(provisioningLimits.contentChunkBytes)
  let filled = 0
  let ord = 0
  const flush = async () => {
    await insertChunk(database, connectorId, generation, ord, chunk.subarray(0, filled))
    ord += 1
    filled = 0
  }
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > bytesMax) throw new Fault('too_large')
    for (let at = 0; at < piece.length; ) {
      const copied = piece.copy(chunk, filled, at)
      at += copied
      filled += copied
      if (filled === chunk.length) await flush()
    }
  }
  if (filled > 0) await flush()
  return size
}
