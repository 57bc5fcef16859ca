import type { Database } from '../../foundation/database/index.ts'
import { type Clock, type Logger, LruMap, limits } from '../../foundation/kernel/index.ts'

/** The interval at which the last use of an API token is noted. */
const tokenUseNotedMs = 60_000

/** The caches of sessions and API tokens, and how changes empty them in every process. */
export type Caches = {
  /** A cache of lookups by the hash of a token; misses are not cached. */
  add<Value>(clock: Clock, load: Load<Value>): Cached<Value>
  /** Empties them, here and in the other processes, once a change is committed. */
  changed(businessId: string): void
}

/** Loads what a token opens. */
type Load<Value> = (tokenHash: string) => Promise<Value | undefined>

type Cached<Value> = { find(tokenHash: string): Promise<Value | undefined>; forget(): void }

/**
 * A change empties all caches at once: changes of people are rare, and a lookup is one statement.
 * Other processes hear of it by a hint of the database; if that gets lost, an entry is used for
 * limits.accountCacheMs at most.
 */
export function createCaches({ hints }: Pick<Database, 'hints'>): Caches {
  const all: Cached<unknown>[] = []
  const forget = () => {
    for (const cached of all) cached.forget()
  }
  let listens = false

  /** Only who has something cached needs to follow changes. */
  function listen(): void {
    if (listens) return
    listens = true
    hints.listen('accounts', forget)
  }

  return {
    add(clock, load) {
      const cached = createCached(clock, async (tokenHash) => {
        listen()
        return load(tokenHash)
      })
      all.push(cached)
      return cached
    },
    changed(businessId) {
      forget()
      hints.notify('accounts', businessId)
    },
  }
}

function createCached<Value>(clock: Clock, load: Load<Value>): Cached<Value> {
  const known = new LruMap<string, { value: Value; untilMs: number }>(limits.accountCacheMax)
  let generation = 0
  return {
    async find(tokenHash) {
      const recent = known.get(tokenHash)
      if (recent !== undefined && clock.elapsedMs() < recent.untilMs) return recent.value
      const before = generation
      const value = await load(tokenHash)
      if (value === undefined) known.delete(tokenHash)
      // A token that was revoked during the lookup must not be cached.
      else if (before === generation) {
        known.set(tokenHash, { value, untilMs: clock.elapsedMs() + limits.accountCacheMs })
      }
      return value
    },
    forget() {
      generation += 1
      known.clear()
    },
  }
}

export type UseNotesOptions = { readonly clock: Clock; readonly logger: Logger }

/** Notes when something was last used, at most once in a while; nobody waits for it. */
export function useNotes(
  { clock, logger }: UseNotesOptions,
  write: (businessId: string, id: string, at: number) => Promise<unknown>,
) {
  const noted = new LruMap<string, number>(limits.accountCacheMax)
  return ({ businessId, id }: { businessId: string; id: string }): void => {
    const last = noted.get(id)
    if (last !== undefined && clock.elapsedMs() - last < tokenUseNotedMs) return
    noted.set(id, clock.elapsedMs())
    write(businessId, id, clock.nowMs()).catch((error: unknown) => {
      logger.info({ err: error }, 'the use of a session or an API token was not noted')
    })
  }
}
