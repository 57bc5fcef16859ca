import type { Database } from '../../foundation/database/index.ts'
import { type Clock, detached, LruMap, limits } from '../../foundation/kernel/index.ts'
import { groupLimits } from './limits.ts'
import { groupsSeen } from './store.ts'
import type { View } from './types.ts'

/** `ids` is undefined if the view sees more groups than a few. */
type Known = {
  readonly businessId: string
  readonly ids: readonly string[] | undefined
  readonly untilMs: number
}

/**
 * The groups that views see, where these are a few: a statement that names them is planned once,
 * one that looks for them each time. A change of groups holds at once in this process; others learn
 * of it by a hint, and if that gets lost, use what they know for `limits.accountCacheMs` at most.
 */
export class SeenGroups {
  readonly #database: Database
  readonly #clock: Clock
  readonly #known = new LruMap<string, Known>(limits.accountCacheMax)
  #generation = 0
  #listens = false

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database
    this.#clock = clock
  }

  /** Undefined for more than a few, and in a transaction, whose changes nobody else may see. */
  async find(view: View): Promise<readonly string[] | undefined> {
    const { businessId, groups } = view
    if (groups === 'all' || groups.length > groupLimits.groupsFewMax) return undefined
    if (this.#database.isJoined()) return undefined
    const key = [businessId, ...groups].join('/')
    const known = this.#known.get(key)
    if (known !== undefined && this.#clock.elapsedMs() < known.untilMs) return known.ids
    this.#listen()
    const generation = this.#generation
    const untilMs = this.#clock.elapsedMs() + limits.accountCacheMs
    // It is read for all requests of the view, so none of them ends it or is counted for it.
    const seen = await detached(() =>
      groupsSeen(this.#database, view, groupLimits.groupsFewMax + 1),
    )
    const ids = seen.length > groupLimits.groupsFewMax ? undefined : seen
    // Groups that were read before a change must not be kept.
    if (generation === this.#generation) this.#known.set(key, { businessId, ids, untilMs })
    return ids
  }

  /** To be called when a change of the business's groups is committed. */
  changed(businessId: string): void {
    this.#forget(new Set([businessId]))
    this.#database.hints.notify('groups', businessId)
  }

  /** Only who knows something needs to follow changes. */
  #listen(): void {
    if (this.#listens) return
    this.#listens = true
    this.#database.hints.listen('groups', (businessIds) => this.#forget(businessIds))
  }

  #forget(businessIds: ReadonlySet<string> | undefined): void {
    this.#generation += 1
    this.#known.deleteWhere(({ businessId }) => businessIds?.has(businessId) ?? true)
  }
}
