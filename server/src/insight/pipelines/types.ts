import type { ConstantValue, Insight } from '@millrace/insight-sdk/protocol'
import type { ModuleEndpoints } from '../marketplace/index.ts'
import type { LinkCheck } from './links/link-check.ts'
import type { Module } from './modules/schema.ts'

/** The parts of its module that a call needs. */
export type CalledModule = Pick<Module, 'id' | 'businessId' | 'name'> & {
  /** The addresses of its operations. @throws Fault secret_unreadable */
  endpoints(): ModuleEndpoints
}

/** A module that is called over HTTP. */
export type ExternalModule = Module & CalledModule & { readonly url: string }

/** The user's values by constant name; an array where the constant may be given several times. */
export type Constants = Readonly<Record<string, ConstantValue | readonly ConstantValue[]>>

/** A function at one place of an asset's pipelines. Its id is the `id` of each process call. */
export type Link = {
  readonly id: string
  readonly businessId: string
  readonly assetId: string
  readonly moduleId: string
  readonly functionId: string
  /** `''` where there is none. */
  readonly groupId: string
  readonly name: string
  /** The function as it was described when the link was made. */
  readonly insight: Insight
  readonly constants: Constants
  /** The conditions that its values must meet before the function runs, and after. */
  readonly checks: readonly LinkCheck[]
  /** Signal ids in the order of the function's inlets. */
  readonly inlets: readonly string[]
  /** Signal ids in the order of the function's outlets. */
  readonly outlets: readonly string[]
  /** A link that is not enabled does not run, and has no status. */
  readonly enabled: boolean
  /** Milliseconds that a call of its function may take; null: as long as the instance lets any. */
  readonly timeoutMs: number | null
  /** The differences between the function as it is described now and the link; empty if it fits. */
  readonly outdated: readonly string[]
  /** Microseconds. */
  readonly createdAt: number
}
