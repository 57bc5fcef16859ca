import { createHash } from 'node:crypto'
import { Fault, limits, newUuid } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import { checkedFile, contentOwner, held, keepVersion, refuseVersion } from './instructions.ts'
import { policyLimits } from './limits.ts'
import { keptContents, readVersions } from './store/instructions.ts'
import type { InstructionUploads, OpenedFile, PoliciesOptions, UploadedVersion } from './types.ts'

const usPerMs = 1_000

/**
 * Stores the bytes part by part as they come, and then the version of which they are. If the last
 * step fails nothing of them stays.
 */
export async function uploadVersion(
  options: PoliciesOptions,
  view: View,
  id: string,
  { bytes, sha256, ...file }: Parameters<InstructionUploads['add']>[2],
): Promise<UploadedVersion> {
  const { database, files, clock, random } = options
  const before = await database.transaction((transaction) => held(transaction, view, id))
  refuseVersion(before)
  const contentId = `${before.id}/${newUuid(random, clock.nowMs())}`
  const { filename, contentType: type } = checkedFile(file)
  const owner = contentOwner(view.businessId)
  const measured = measure(bytes)
  await files.store(owner, { id: contentId, type }, measured.bytes)
  try {
    const hash = measured.sha256()
    if (sha256 !== undefined && sha256.toLowerCase() !== hash) {
      throw new Fault('invalid_argument', `the bytes that came have the SHA-256 ${hash}`)
    }
    const { size } = measured
    const kept = {
      id: contentId,
      filename,
      type,
      size: size(),
      sha256: hash,
      modifiedAt: file.modifiedAt,
    }
    const version = await database.transaction(async (transaction) => {
      const now = await held(transaction, view, id)
      return (await keepVersion(options, transaction, now, kept)).added
    })
    return { ...version, contentType: version.contentType || null, sha256: hash }
  } catch (error) {
    await database.transaction((transaction) => files.drop(transaction, owner, contentId))
    throw error
  }
}

/** Counts and hashes bytes as they pass. @throws Fault too_large */
function measure(given: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  let size = 0
  async function* bytes() {
    for await (const piece of given) {
      size += piece.length
      if (size > limits.workInstructionFileBytesMax) throw new Fault('too_large')
      hash.update(piece)
      yield piece
    }
  }
  return { bytes: bytes(), size: () => size, sha256: () => hash.digest('hex') }
}

/** Removes bytes that were stored an hour ago and are those of no version. */
export async function sweepContents({ database, files, clock }: PoliciesOptions): Promise<void> {
  const prefix = contentOwner('')
  const before = clock.nowUs() - policyLimits.workInstructionUnusedMs * usPerMs
  for await (const { owner, ids } of files.storedBefore(prefix, before)) {
    const kept = await keptContents(database, owner.slice(prefix.length), ids)
    for (const id of ids.filter((one) => !kept.has(one))) {
      await database.transaction((transaction) => files.drop(transaction, owner, id))
    }
  }
}

/** A version with its bytes, which are read part by part. @throws Fault `not_found`. */
export async function openVersion(
  { database, files }: PoliciesOptions,
  view: View,
  id: string,
  version: number,
): Promise<OpenedFile> {
  const { businessId } = view
  const instruction = await database.transaction((transaction) => held(transaction, view, id))
  const versions = await readVersions(database, businessId, [instruction.id])
  const found = versions.find((one) => one.version === version)
  const bytes = found && (await files.open(contentOwner(businessId), found.id))
  if (found === undefined || bytes === undefined) {
    throw new Fault('not_found', `There is no version ${version} of the work instruction.`)
  }
  return { ...found, data: bytes }
}
