import type { Database, Transaction } from '../../foundation/database/index.ts'
import {
  type Clock,
  component,
  Microseconds,
  Nullable,
  OptionalMicroseconds,
  type PageRange,
  type Random,
  type StaticResult,
  Type,
} from '../../foundation/kernel/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import type { Groups, View } from '../../people/groups/index.ts'

/** A document that says what people do about a condition. Times in microseconds. */
export type WorkInstruction = {
  readonly id: string
  readonly businessId: string
  readonly groupId: string
  readonly name: string
  /** The version of the newest file; 0 if there is none. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A file of a work instruction. */
export type InstructionVersion = {
  /** The id of its content, too. */
  readonly id: string
  readonly instructionId: string
  readonly version: number
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  /** The digest of the bytes, in hexadecimal; null for a file of before digests were kept. */
  readonly sha256: string | null
  /** When the file was changed last, where its owner said so. */
  readonly modifiedAt: number | null
  readonly createdAt: number
}

export type InstructionFile = {
  readonly filename: string
  readonly data: Buffer
  readonly contentType?: string | null | undefined
  readonly modifiedAt?: number | null | undefined
}

/** Fields that are left out stay. */
export type InstructionChange = {
  readonly name?: string | null | undefined
  readonly groupId?: string | null | undefined
}

export type InstructionFilter = {
  readonly ids?: readonly string[] | null | undefined
  /** Letters of the name, in any case. */
  readonly text?: string | null | undefined
  /** Instructions of this group and those below it. */
  readonly groupId?: string | null | undefined
}

export type PolicyText = {
  readonly language: string
  readonly name: string
  readonly policy: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** The work that people do about conditions of assets in its group or below it. */
export type Policy = {
  readonly id: string
  readonly businessId: string
  readonly groupId: string
  /** If several fit a condition, the one with the least counts. */
  readonly priority: number
  readonly workInstructionId: string | null
  /** Conditions at one of these levels, of this category, of assets of this type; null: of any. */
  readonly levels: readonly number[] | null
  readonly category: string | null
  readonly assetType: string | null
  readonly translations: readonly PolicyText[]
  readonly createdAt: number
  readonly updatedAt: number
}

type NewPolicyText = Pick<PolicyText, 'language' | 'name' | 'policy'>

export type PolicyInput = {
  readonly priority?: number | null | undefined
  readonly groupId?: string | null | undefined
  readonly workInstructionId?: string | null | undefined
  readonly levels?: readonly number[] | null | undefined
  readonly category?: string | null | undefined
  readonly assetType?: string | null | undefined
  readonly translations?: readonly NewPolicyText[] | null | undefined
}

/** The condition for which a policy is looked for. */
export type PolicyCase = {
  readonly level: number
  readonly category: string
  readonly assetType: string | null
  readonly groupId: string
}

/** Work instructions and policies. A policy that a view does not see does not exist for it. */
export type Policies = {
  readonly instructions: Instructions
  /** Files of any size, sent and read part by part. */
  readonly uploads: InstructionUploads
  /** Removes bytes that no version has: a process ended before it stored the version. */
  sweep(): Promise<void>
  /** In the order in which they count. @throws Fault `invalid_argument`. */
  list(view: View, page?: PageRange): Promise<Policy[]>
  /** The policy that counts for each of these cases, in their order. */
  fitting(view: View, cases: readonly PolicyCase[]): Promise<(Policy | undefined)[]>
  /** @throws Fault `invalid_argument`, `not_found` (group, work instruction). */
  create(view: View, policy: PolicyInput): Promise<Policy>
  /**
   * Fields that are left out stay.
   * @throws Fault as `create`.
   */
  update(view: View, id: string, change: PolicyInput): Promise<Policy>
  /** @throws Fault `not_found`. */
  remove(view: View, id: string): Promise<Policy>
}

export type Instructions = {
  /** In the order they were made. @throws Fault `invalid_argument`, `not_found` (group). */
  list(view: View, filter?: InstructionFilter, page?: PageRange): Promise<WorkInstruction[]>
  /** The files of instructions that were read with this view, newest first, by instruction. */
  versions(
    view: View,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly InstructionVersion[]>>
  /** The bytes of files that were read with this view, by the id of the version. */
  data(view: View, versionIds: readonly string[]): Promise<ReadonlyMap<string, Buffer>>
  /** @throws Fault `invalid_argument`, `not_found` (group), `too_large`. */
  create(
    view: View,
    instruction: InstructionChange & { readonly name: string },
    file?: InstructionFile,
  ): Promise<WorkInstruction>
  /** @throws Fault `not_found`, `invalid_argument`. */
  update(view: View, id: string, change: InstructionChange): Promise<WorkInstruction>
  /** A new version. @throws Fault `not_found`, `invalid_argument`, `too_large`. */
  addVersion(view: View, id: string, file: InstructionFile): Promise<WorkInstruction>
  /** With its files. @throws Fault `not_found`; `in_use` if a policy has it. */
  remove(view: View, id: string): Promise<WorkInstruction>
}

/** A version as it was uploaded. */
export const uploadedVersionSchema = component('WorkInstructionVersion', {
  version: Type.Integer({ description: 'From 1.' }),
  filename: Type.String(),
  contentType: Nullable(Type.String(), { description: 'Null: none was given.' }),
  bytes: Type.Integer({ description: 'Bytes.', wire: 'size' }),
  sha256: Type.String({ description: 'Of its bytes, in hexadecimal.' }),
  modifiedAt: OptionalMicroseconds('When it was changed last; null: not given.', {
    wire: 'modified',
  }),
  createdAt: Microseconds(undefined, { wire: 'created' }),
})
export type UploadedVersion = StaticResult<typeof uploadedVersionSchema>

/** A version with its bytes. */
export type OpenedFile = InstructionVersion & { readonly data: AsyncIterable<Buffer> }

export type InstructionUploads = {
  /**
   * A new version.
   * @throws Fault `not_found`; `invalid_argument`, also for bytes with another hash; `too_large`.
   */
  add(
    view: View,
    id: string,
    file: Omit<InstructionFile, 'data'> & {
      readonly bytes: AsyncIterable<Buffer>
      /** The digest of the bytes, in hexadecimal, if the sender has it. */
      readonly sha256?: string | undefined
    },
  ): Promise<UploadedVersion>
  /** @throws Fault `not_found`. */
  open(view: View, id: string, version: number): Promise<OpenedFile>
}

/** The store of the bytes of files, by an owner and an id. */
export type FileStore = {
  /** @throws Fault `too_large`. */
  put(
    transaction: Transaction,
    owner: string,
    file: { readonly id: string; readonly type: string; readonly data: Buffer },
  ): Promise<void>
  read(owner: string, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>
  /** Stores bytes as they come; if they end early nothing of them stays. @throws as `put`. */
  store(
    owner: string,
    file: { readonly id: string; readonly type: string },
    bytes: AsyncIterable<Buffer>,
  ): Promise<void>
  /** The bytes of a file, part by part; undefined if there is none. */
  open(owner: string, id: string): Promise<AsyncIterable<Buffer> | undefined>
  /**
   * Ids of files that were stored before a time, some of one owner at once, of owners whose names
   * begin so.
   */
  storedBefore(
    ownerPrefix: string,
    beforeUs: number,
  ): AsyncIterable<{ readonly owner: string; readonly ids: readonly string[] }>
  /** Removes those of which the ids begin so. */
  drop(transaction: Transaction, owner: string, prefix: string): Promise<void>
}

export type PoliciesOptions = {
  readonly database: Database
  readonly changes: Changes
  readonly groups: Pick<Groups, 'below' | 'hold' | 'onRemove' | 'paths'>
  readonly files: FileStore
  readonly clock: Clock
  readonly random: Random
}
