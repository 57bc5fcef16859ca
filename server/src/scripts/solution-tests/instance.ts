import type { Provisioning } from '../../devices/provisioning/index.ts'
import type { Random } from '../../foundation/kernel/index.ts'
import type { Activity } from '../../log/activity/index.ts'
import type { Accounts } from '../../people/accounts/index.ts'
import type { FolderFile, Scripting } from '../scripting/index.ts'

/** A temporary instance, for the tests of one run. */
export type TestInstance = {
  /** The address of its HTTP listener. */
  readonly httpUrl: string
  readonly accounts: Pick<Accounts, 'createBusiness'>
  readonly activity: Pick<Activity, 'solutions'>
  readonly provisioning: { readonly connectors: Pick<Provisioning['connectors'], 'create'> }
  readonly scripting: Pick<Scripting, 'solutions' | 'scripts' | 'folders' | 'api'>
  readonly random: Random
  /** Ends it, and removes all that it has stored. */
  close(): Promise<void>
}

/** The folder of a solution with its tests, and which of them are to run. */
export type TestInput = {
  readonly files: readonly FolderFile[]
  /** Other solutions that scripts use by these ids. */
  readonly others: readonly OtherSolution[]
  /** The files of tests. */
  readonly tests: readonly FolderFile[]
  /** The files that tests may read. */
  readonly data: readonly DataFile[]
  /** Part of the names of the tests to run, or of their files. */
  readonly filter: string
  readonly allowOutbound: boolean
}

export type OtherSolution = { readonly id: string; readonly files: readonly FolderFile[] }

/** A file of JSON of the folder; `text` is left out if it is too large. */
export type DataFile = {
  readonly path: string
  readonly bytes: number
  readonly text?: string | undefined
}
