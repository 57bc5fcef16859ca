import { createHash } from 'node:crypto'
import { searchPattern, type Transaction } from '../../foundation/database/index.ts'
import {
  checkedName,
  checkedPage,
  checkedText,
  Fault,
  invalid,
  limits,
  newUuid,
  type PageRange,
  requireConfirmed,
} from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import {
  addInstruction,
  addVersion,
  changeInstruction,
  dropInstruction,
  holdInstruction,
  instructionCount,
  instructionPage,
  readVersions,
} from './store/instructions.ts'
import { instructionPolicies } from './store/policies.ts'
import type {
  InstructionFile,
  InstructionFilter,
  Instructions,
  InstructionVersion,
  PoliciesOptions,
  WorkInstruction,
} from './types.ts'

/** Work instructions of one business. */
const workInstructionsMax = 1_000
/** Versions of one work instruction. */
const workInstructionVersionsMax = 100

export function createInstructions(options: PoliciesOptions): Instructions {
  const { database, groups, files, clock, random } = options
  return {
    list: (view, filter, page) => listInstructions(options, view, filter, page),
    async versions({ businessId }, ids) {
      const found = await readVersions(database, businessId, ids)
      return Map.groupBy(found, ({ instructionId }) => instructionId)
    },
    data: ({ businessId }, versionIds) => files.read(contentOwner(businessId), versionIds),
    create: (view, { name, groupId }, file) =>
      database.transaction(async (transaction) => {
        const { businessId } = view
        const group = await groups.hold(transaction, view, groupId)
        if ((await instructionCount(transaction, businessId)) >= workInstructionsMax) {
          throw invalid(`a business has at most ${workInstructionsMax} work instructions`)
        }
        const at = clock.nowUs()
        const made = {
          id: newUuid(random, clock.nowMs()),
          businessId,
          groupId: group.id,
          name: checkedName(name),
          version: 0,
          createdAt: at,
          updatedAt: at,
        }
        await addInstruction(transaction, made)
        return file === undefined ? made : addFile(options, transaction, made, file)
      }),
    update: (view, id, { name, groupId }) =>
      database.transaction(async (transaction) => {
        const before = await held(transaction, view, id)
        const place = groupId == null ? undefined : await groups.hold(transaction, view, groupId)
        const after = {
          ...before,
          name: name == null ? before.name : checkedName(name),
          groupId: place?.id ?? before.groupId,
          updatedAt: clock.nowUs(),
        }
        await changeInstruction(transaction, after)
        return after
      }),
    addVersion: (view, id, file) =>
      database.transaction(async (transaction) =>
        addFile(options, transaction, await held(transaction, view, id), file),
      ),
    remove: (view, id) =>
      database.transaction(async (transaction) => {
        const { businessId } = view
        const gone = await held(transaction, view, id)
        const what = `the work instruction ${gone.name}`
        const policies = await instructionPolicies(transaction, view, id)
        requireConfirmed({ what, names: [gone.name], given: undefined }, policies)
        await files.drop(transaction, contentOwner(businessId), `${gone.id}/`)
        await dropInstruction(transaction, businessId, id)
        return gone
      }),
  }
}

async function listInstructions(
  { database, groups }: PoliciesOptions,
  view: View,
  { ids, text, groupId }: InstructionFilter = {},
  page?: PageRange,
): Promise<WorkInstruction[]> {
  const groupIds = groupId ? await groups.below(view, groupId) : undefined
  const pattern = text ? searchPattern(text) : undefined
  const asked = { ids: ids ?? undefined, pattern, groupIds }
  return instructionPage(database, view, { ...asked, ...checkedPage(page) })
}

function hashData(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Contents of a business lie beside those of solutions, of which no id has a colon. */
export function contentOwner(businessId: string): string {
  return `business:${businessId}`
}

/** @throws Fault `not_found`. */
export async function held(
  transaction: Transaction,
  view: View,
  id: string,
): Promise<WorkInstruction> {
  const found = await holdInstruction(transaction, view, id)
  if (found === undefined) throw new Fault('not_found', `There is no work instruction ${id}.`)
  return found
}

async function addFile(
  options: PoliciesOptions,
  transaction: Transaction,
  before: WorkInstruction,
  { data, modifiedAt, ...file }: InstructionFile,
): Promise<WorkInstruction> {
  refuseVersion(before)
  const { clock, random, files } = options
  const id = `${before.id}/${newUuid(random, clock.nowMs())}`
  const { filename, contentType: type } = checkedFile(file)
  await files.put(transaction, contentOwner(before.businessId), { id, type, data })
  const kept = { id, filename, type, size: data.length, sha256: hashData(data), modifiedAt }
  return (await keepVersion(options, transaction, before, kept)).after
}

/** @throws Fault invalid_argument if it has as many versions as it may. */
export function refuseVersion({ version }: WorkInstruction): void {
  if (version < workInstructionVersionsMax) return
  throw invalid(`a work instruction has at most ${workInstructionVersionsMax} versions`)
}

export function checkedFile({ filename, contentType }: Omit<InstructionFile, 'data'>) {
  return {
    filename: checkedText(checkedName(filename), 'a file name', limits.nameCharsMax),
    contentType: checkedText(contentType ?? '', 'a content type', limits.nameCharsMax),
  }
}

type KeptFile = {
  readonly id: string
  readonly filename: string
  readonly type: string
  readonly size: number
  readonly sha256: string
  readonly modifiedAt: number | null | undefined
}

/** Adds a version, of which the bytes are stored. */
export async function keepVersion(
  { clock }: PoliciesOptions,
  transaction: Transaction,
  before: WorkInstruction,
  { id, filename, type, size, sha256, modifiedAt = null }: KeptFile,
): Promise<{ after: WorkInstruction; added: InstructionVersion }> {
  refuseVersion(before)
  const [version, createdAt] = [before.version + 1, clock.nowUs()]
  const file = { filename, contentType: type, bytes: size, sha256, modifiedAt, createdAt }
  const added = { id, instructionId: before.id, version, ...file }
  await addVersion(transaction, before.businessId, added)
  const after = { ...before, version, updatedAt: createdAt }
  await changeInstruction(transaction, after)
  return { after, added }
}
