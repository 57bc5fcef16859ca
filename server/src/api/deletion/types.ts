import {
  component,
  Microseconds,
  OptionalMicroseconds,
  type Preview,
  type StaticResult,
  Type,
} from '../../foundation/kernel/index.ts'

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

/** A business that is being deleted, or was lately. */
export const businessDeletionSchema = component('BusinessDeletion', {
  id: Type.String(),
  name: Type.String(),
  requestedBy: Type.String({ description: '`operator`.' }),
  requestedAt: Microseconds(),
  step: Type.Enum(deletionSteps, {
    description: 'Its connectors and solutions end; rows go; caches run out; all is checked; done.',
  }),
  removed: Type.Integer({ description: 'Rows so far, but those of its devices.' }),
  finishedAt: OptionalMicroseconds('When nothing was left of it; null: it goes on.'),
})
export type BusinessDeletion = StaticResult<typeof businessDeletionSchema>

export type ConnectorRemoval = {
  /** All that depends on it is deleted too, or does without it. */
  readonly cascade?: boolean | undefined
  readonly confirm?: string | undefined
  /** The address of the caller, for the log. */
  readonly ip: string
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
  /**
   * Faults: not_found; connector_in_use if anything depends on it, and the deletion is neither
   * confirmed nor to cascade.
   */
  removeConnector(businessId: string, id: string, asked: ConnectorRemoval): Promise<void>
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
