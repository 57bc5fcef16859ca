import type { Dependants } from '../kernel/index.ts'

/**
 * The steps of the deletion of a business, one after the other. A process that runs the job
 * begins the step anew if another one did not end it.
 * - `closing`: its connectors and solutions are deleted, which ends connections and scripts.
 * - `removing`: what it stores is removed.
 * - `settling`: until no process caches anything of it, and its connectors' rows are removed.
 * - `checking`: what was under way may have left something, which is removed as before; then what
 *   was needed until here: its part in the event log, its jobs, its audit log, itself.
 * - `done`: nothing is left.
 */
export const deletionSteps = ['closing', 'removing', 'settling', 'checking', 'done'] as const
export type DeletionStep = (typeof deletionSteps)[number]

/** A business that is being deleted, or was lately. Times are in microseconds. */
export type BusinessDeletion = {
  readonly id: string
  readonly name: string
  /** A subject. */
  readonly requestedBy: string
  readonly requestedAt: number
  readonly step: DeletionStep
  /** Rows that are removed so far, but those of its devices. */
  readonly removed: number
  /** Null: it goes on. */
  readonly finishedAt: number | null
}

/** Something with all that depends on it. */
export type Preview = {
  readonly id: string
  readonly name: string
  /** Kinds of which there is nothing are left out. */
  readonly dependants: readonly Dependants[]
}

/** The deletion of what others depend on. */
export type Deletion = {
  /** By the id or the name. Faults: not_found. */
  business(nameOrId: string): Promise<Preview>
  /** Faults: not_found. */
  connector(businessId: string, id: string): Promise<Preview>
  /** Faults: not_found. */
  module(businessId: string, id: string): Promise<Preview>
  /** Faults: not_found, also of a listing of another business. */
  listing(businessId: string, id: string): Promise<Preview>
  /** Faults: not_found. */
  solution(businessId: string, id: string): Promise<Preview>
  /** Faults: not_found; in_use if anything depends on it and it is not confirmed. */
  removeSolution(businessId: string, id: string, confirm: string | undefined): Promise<void>
  /**
   * Ends a business at once, and removes all that it stores as a job.
   * Faults: not_found; in_use if it is not confirmed by its name or id; invalid_argument.
   */
  removeBusiness(
    nameOrId: string,
    asked: { readonly by: string; readonly confirm?: string | undefined },
  ): Promise<BusinessDeletion>
  /** The deletion of a business, by its id or name. Faults: not_found. */
  progress(nameOrId: string): Promise<BusinessDeletion>
  /** Removes records of deletions that are over for long. */
  sweep(): Promise<void>
}
